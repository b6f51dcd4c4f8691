import { ask, type Statement, settled } from '../filters/ask.ts';
import { BoundValues } from '../filters/bound-values.ts';
import type { Filter } from '../filters/parse.ts';
import { filterSql } from '../filters/sql.ts';
import type { EventStore } from '../store/open.ts';
import { overriddenIdsSql } from '../store/tables/people.ts';
import type { Micros } from '../store/tables/rows.ts';
import { eventJsonSql, eventOperand } from './operands.ts';

export interface EventRead {
  uuid: string;
  event: string;
  /** JSON text of the properties, exactly as they were sent. */
  sent: string;
  micros: Micros;
  distinct_id: string;
  elements_chain: string;
  log_partition: number;
  log_position: number;
}

/** Where a page ended. Many events share a time; together with their place in the log no two are alike. */
export interface EventPlace {
  micros: Micros;
  log_partition: number;
  log_position: number;
}

export interface EventQuestion {
  team_id: number;
  filter: Filter;
  event?: string | undefined;
  distinct_id?: string | undefined;
  /** The person that the events belong to now, whoever they belonged to when they were stored. */
  person_id?: string | undefined;
  /** Prints which events they are to be among: a `SELECT` of uuids, within the time at most. */
  among?: ((bound: BoundValues, range: { fromMicros: Micros; toMicros: Micros }) => string) | undefined;
  /** Both exclusive. */
  before: Micros;
  after?: Micros | undefined;
  /** The last event of the page before this one. */
  beyond?: EventPlace | undefined;
  oldestFirst: boolean;
  limit: number;
  offset: number;
}

const DAY_MICROS = 86_400_000_000;
/** The store holds nothing older than 1900. */
const BEGINNING_OF_TIME = Date.UTC(1900, 0, 1) * 1_000;

const COLUMNS = `
  uuid,
  toString(event) AS event,
  if(properties_sent = '', properties, properties_sent) AS sent,
  toUnixTimestamp64Micro(timestamp) AS micros,
  distinct_id,
  elements_chain,
  log_partition,
  log_position`;

/** Newest first unless told otherwise. A page is nearly always found in the last day or month, so those are tried first. */
export async function listEvents(store: EventStore, question: EventQuestion): Promise<EventRead[]> {
  for (const days of question.after === undefined && !question.oldestFirst ? [1, 30] : []) {
    const after = question.before - days * DAY_MICROS;
    const found = await ask<EventRead>(store, await settled(listSql({ ...question, after })));
    if (found.length === question.limit) return found;
  }
  return ask<EventRead>(store, await settled(listSql(question)));
}

export function listSql(question: EventQuestion): Statement {
  const bound = new BoundValues();
  const direction = question.oldestFirst ? 'ASC' : 'DESC';
  const text = `
    SELECT ${COLUMNS}
      FROM events
     WHERE ${conditionsSql(question, bound).join('\n       AND ')}
     ORDER BY timestamp ${direction}, log_partition ${direction}, log_position ${direction}
     LIMIT ${bound.bind('UInt64', question.limit)} OFFSET ${bound.bind('UInt64', question.offset)}`;
  return { text, params: bound.params };
}

function conditionsSql(question: EventQuestion, bound: BoundValues): string[] {
  const { team_id, event, distinct_id, person_id, among, before, after, beyond, oldestFirst, filter } = question;
  const team = bound.bind('Int64', team_id);
  const conditions = [`team_id = ${team}`, `timestamp < ${bound.moment(before)}`];
  if (after !== undefined) conditions.push(`timestamp > ${bound.moment(after)}`);
  if (beyond) conditions.push(beyondSql(beyond, oldestFirst, bound));
  if (event !== undefined) conditions.push(`event = ${bound.text(event)}`);
  if (distinct_id !== undefined) conditions.push(`distinct_id = ${bound.text(distinct_id)}`);
  if (person_id !== undefined) conditions.push(ofPersonSql(team, bound.bind('UUID', person_id)));
  if (among) {
    conditions.push(`uuid IN (${among(bound, { fromMicros: after ?? BEGINNING_OF_TIME, toMicros: before })})`);
  }
  conditions.push(filterSql(filter, eventOperand, bound));
  return conditions;
}

function beyondSql({ micros, log_partition, log_position }: EventPlace, oldestFirst: boolean, bound: BoundValues) {
  const place = [bound.moment(micros), bound.bind('UInt32', log_partition), bound.bind('UInt64', log_position)];
  return `(timestamp, log_partition, log_position) ${oldestFirst ? '>' : '<'} (${place.join(', ')})`;
}

/** An id that changed hands brings its events along; all others stay with the person that they were stored with. */
function ofPersonSql(team: string, person: string): string {
  const overridden = overriddenIdsSql(team);
  return `(
         (person_id = ${person} AND distinct_id NOT IN (SELECT distinct_id FROM (${overridden})))
         OR distinct_id IN (SELECT distinct_id FROM (${overridden}) AS changed WHERE changed.person_id = ${person}))`;
}

export async function findEvent(store: EventStore, team_id: number, uuid: string): Promise<EventRead | undefined> {
  const [found] = await ask<EventRead>(store, {
    text: `
      SELECT ${COLUMNS}
        FROM events
       WHERE team_id = {team_id:Int64} AND uuid = {uuid:UUID}
       ORDER BY timestamp DESC
       LIMIT 1`,
    params: { team_id, uuid },
  });
  return found;
}

const VALUES_DAYS = 7;
const VALUES_MAX = 50;

/** The commonest values of a property in the last days, as JSON texts, among those that contain `part`. */
export async function listPropertyValues(
  store: EventStore,
  team_id: number,
  { key, part, events, now }: { key: string; part: string; events: readonly string[]; now: Micros },
): Promise<string[]> {
  const bound = new BoundValues();
  const json = eventJsonSql(key, bound);
  const conditions = [
    `team_id = ${bound.bind('Int64', team_id)}`,
    `timestamp > ${bound.moment(now - VALUES_DAYS * DAY_MICROS)}`,
    `value NOT IN ('', 'null', '""')`,
    `positionCaseInsensitiveUTF8(value, ${bound.text(part)}) > 0`,
    ...(events.length > 0 ? [`has(${bound.texts(events)}, event)`] : []),
  ];
  const rows = await ask<{ value: string }>(store, {
    text: `
      SELECT toString(${json}) AS value
        FROM events
       WHERE ${conditions.join(' AND ')}
       GROUP BY value
       ORDER BY count() DESC, value
       LIMIT ${VALUES_MAX}`,
    params: bound.params,
  });
  return rows.map(({ value }) => value);
}

/** The names of events that the project made up itself. */
export async function listCustomEventNames(store: EventStore, team_id: number): Promise<string[]> {
  const rows = await ask<{ name: string }>(store, {
    text: `
      SELECT DISTINCT toString(event) AS name
        FROM events
       WHERE team_id = {team_id:Int64} AND NOT startsWith(event, '$')
       ORDER BY name
       LIMIT 10000`,
    params: { team_id },
  });
  return rows.map(({ name }) => name);
}
