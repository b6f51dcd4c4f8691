// Events as another installation's `/batch/` reads them, one JSON object a line.
import { isoTimestampSql, oneLineJsonSql } from '../row-sql.ts';

/**
 * The event as it was captured. The place it was sent from is known already, and the address it is sent from now says
 * nothing about it; what was clicked on travels in a property of its own.
 */
export function batchItemSql(): string {
  const additions = `concat(
    '"$geoip_disable":true',
    if(event = '$autocapture' AND elements_chain != '', concat(',"$elements_chain":', toJSONString(elements_chain)), ''),
    '}')`;
  return `concat(
    '{"uuid":', toJSONString(uuid),
    ',"event":', toJSONString(event),
    ',"distinct_id":', toJSONString(distinct_id),
    ',"timestamp":"', ${isoTimestampSql('timestamp')},
    '","properties":', ${withMembersSql(oneLineJsonSql("ifNull(nullIf(properties, ''), '{}')"), additions)}, '}')`;
}

/** An object with more members at its end, where they win over others of the same name. */
function withMembersSql(json: string, members: string): string {
  const opened = `replaceRegexpOne(${json}, '\\\\s*}\\\\s*$', '')`;
  const isEmpty = `match(${json}, '^\\\\s*{\\\\s*}\\\\s*$')`;
  return `concat(${opened}, if(${isEmpty}, '', ','), ${members})`;
}
