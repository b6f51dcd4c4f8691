// Questions in SQL as somebody would write it who knows the tables by heart.
import { IN_SMALL_BLOCKS } from '../../src/query/sql/blocks.ts';

const JUNE = `team_id = 1 AND timestamp >= toDateTime64('2025-06-01 00:00:00', 6, 'UTC')
              AND timestamp < toDateTime64('2025-07-01 00:00:00', 6, 'UTC')`;
const VIEWS = `FROM events WHERE ${JUNE} AND event = '$pageview'`;
/** A person's days as bits of a number. */
const DAYS = "groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(toDate(timestamp) - toDate('2025-06-01')))) AS days";
const bits = (set: string, status: number) =>
  `arrayMap(day -> toUInt16(day * 4 + ${status}), bitPositionsToArray(${set}))`;

export const peers = {
  'daily trend with uniques': `SELECT toDate(timestamp) AS day, uniqExact(person_id) ${VIEWS} GROUP BY day ORDER BY day`,
  'breakdown by a property': `
    SELECT \`mat_$browser\` AS browser, toDate(timestamp) AS day, count() ${VIEWS} GROUP BY browser, day ORDER BY browser, day`,
  // It does not tell how long people took, which ours does: nothing that does is quicker.
  '3-step funnel': `
    SELECT level, count() FROM (
      SELECT person_id,
             windowFunnel(1209600)(toDateTime(timestamp), event = '$pageview', event = 'added to cart', event = 'purchased') AS level
        FROM events WHERE ${JUNE} AND event IN ('$pageview', 'added to cart', 'purchased')
       GROUP BY person_id)
     GROUP BY level`,
  'day retention 30 × 30': `
    SELECT intDiv(cell, 30) AS first, cell % 30 AS later, count() FROM (
      SELECT arrayJoin(bitPositionsToArray(days)) AS first,
             toUInt16(first * 30 + arrayJoin(bitPositionsToArray(bitShiftRight(days, first)))) AS cell
        FROM (SELECT person_id, ${DAYS} ${VIEWS} GROUP BY person_id))
     GROUP BY cell ${IN_SMALL_BLOCKS}`,
  lifecycle: `
    SELECT intDiv(change, 4) AS day, change % 4 AS status, count() FROM (
      SELECT arrayJoin(arrayConcat(${bits('new', 0)}, ${bits('bitAnd(bitAnd(days, before), bitNot(new))', 1)},
                                   ${bits('bitAnd(days, bitNot(bitOr(before, new)))', 2)}, ${bits('bitAnd(before, bitNot(days))', 3)})) AS change
        FROM (
          SELECT days, bitShiftLeft(days, 1) AS before, bitAnd(days, bitShiftLeft(toUInt64(1), toUInt8(toDate(created) - toDate('2025-06-01')))) AS new
            FROM (SELECT person_id, ${DAYS} ${VIEWS} GROUP BY person_id) AS active
            LEFT ANY JOIN (SELECT id, argMax(created_at, version) AS created FROM person WHERE team_id = 1 GROUP BY id) AS person
              ON person.id = active.person_id))
     GROUP BY change ${IN_SMALL_BLOCKS}`,
  paths: `
    SELECT step.1 AS source, step.2 AS target, count() AS value FROM (
      SELECT person_id, arraySort(x -> x.1, groupArray((timestamp, JSONExtractString(\`mat_$current_url\`)))) AS visits ${VIEWS} GROUP BY person_id)
     ARRAY JOIN arrayMap(at -> (visits[at].2, visits[at + 1].2), range(1, least(length(visits), 5))) AS step
     GROUP BY source, target ORDER BY value DESC LIMIT 50 ${IN_SMALL_BLOCKS}`,
  'a person-property filter': `
    SELECT toDate(timestamp) AS day, count() ${VIEWS} AND person_properties_custom['plan'] = '"pro"' GROUP BY day ORDER BY day`,
} as const;
