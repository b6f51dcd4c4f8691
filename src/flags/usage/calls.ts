// How flags are used, counted from the `$feature_flag_called` events that SDKs send when a flag is asked for.
import { ask } from '../../filters/ask.ts';
import { BoundValues } from '../../filters/bound-values.ts';
import type { EventStore } from '../../store/open.ts';
import { quoteName } from '../../store/tables/description.ts';
import { overriddenIdsSql } from '../../store/tables/people.ts';
import { type HotProperty, hotColumn, plainTextSql } from '../../store/tables/properties.ts';
import type { Micros } from '../../store/tables/rows.ts';

export const CALLED = '$feature_flag_called';

const property = (name: HotProperty) => plainTextSql(quoteName(hotColumn(name)));
export const FLAG_KEY = property('$feature_flag');

export interface CallsQuestion {
  team_id: number;
  flag_key: string;
  /** Half-open. */
  from: Micros;
  to: Micros;
}

export interface CallsOfDay {
  /** UTC, as `2026-03-01`. */
  day: string;
  /** The variant, or `true` or `false`. */
  response: string;
  calls: number;
}

export interface CallsOfResponse {
  response: string;
  calls: number;
  persons: number;
  last_called_at: string;
}

/** One row for each response on each day. */
export function countCallsByDay(store: EventStore, question: CallsQuestion): Promise<CallsOfDay[]> {
  const bound = new BoundValues();
  const text = `
    SELECT toString(toDate32(timestamp)) AS day, response, count() AS calls
      FROM (${callsSql(question, bound)})
     GROUP BY day, response
     ORDER BY day, response`;
  return ask<CallsOfDay>(store, { text, params: bound.params });
}

/** One row for each response; the commonest first. */
export async function countCallsByResponse(store: EventStore, question: CallsQuestion): Promise<CallsOfResponse[]> {
  const bound = new BoundValues();
  const text = `
    SELECT response, count() AS calls, uniqExact(person) AS persons,
           toUnixTimestamp64Milli(toDateTime64(max(timestamp), 3)) AS last_ms
      FROM (${callsSql(question, bound)})
     GROUP BY response
     ORDER BY calls DESC, response`;
  const rows = await ask<CallsOfResponse & { last_ms: number }>(store, { text, params: bound.params });
  return rows.map(({ last_ms, ...row }) => ({ ...row, last_called_at: new Date(last_ms).toISOString() }));
}

/** Every call of the flag, with the person it belongs to now. */
function callsSql({ team_id, flag_key, from, to }: CallsQuestion, bound: BoundValues): string {
  const team = bound.bind('Int64', team_id);
  return `
    SELECT response, timestamp, if(moved.distinct_id = '', person_id, moved.person_id) AS person
      FROM (
        SELECT ${property('$feature_flag_response')} AS response, timestamp, distinct_id, person_id
          FROM events
         WHERE team_id = ${team} AND event = ${bound.text(CALLED)} AND ${FLAG_KEY} = ${bound.text(flag_key)}
           AND timestamp >= ${bound.moment(from)} AND timestamp < ${bound.moment(to)}
      ) AS calls
      LEFT JOIN (${overriddenIdsSql(team)}) AS moved ON moved.distinct_id = calls.distinct_id`;
}
