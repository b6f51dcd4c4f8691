// What people did, as cohorts ask for it → who did it, as a statement over events.
import type { Statement } from '../filters/ask.ts';
import type { BoundValues } from '../filters/bound-values.ts';
import { parseMoment } from '../filters/moment.ts';
import { parseFilters } from '../filters/parse.ts';
import { toNumber } from '../flags/evaluation/values.ts';
import { invalid } from '../http/errors.ts';
import type { EventsSql } from '../query/sql/events-sql.ts';
import type { Micros } from '../store/tables/rows.ts';

type Dict = Record<string, unknown>;

/** What was done: the name of an event, or the id of an action. */
export type Deed = string | number;

interface Common {
  deed: Deed;
  /** Filters on the event's own properties, as the wire has them. */
  event_filters: unknown;
  /** When the calculation begins. */
  now: Micros;
}

interface Comparison {
  sign: string;
  count: number;
}

/** `since` is where the time that is looked at begins, `recent` where its last part does. */
export type Behaviour = Common &
  (
    | { kind: 'performed_event' | 'performed_event_first_time'; since: Micros }
    | ({ kind: 'performed_event_multiple'; since: Micros } & Comparison)
    | { kind: 'performed_event_sequence'; since: Micros; next: Deed; within: Micros }
    | ({ kind: 'performed_event_regularly'; begins: readonly Micros[]; periodsMin: number } & Comparison)
    | { kind: 'stopped_performing_event' | 'restarted_performing_event'; since: Micros; recent: Micros }
  );

const refuse = (detail: string) => invalid(detail, 'filters');

const UNITS: Readonly<Record<string, string>> = { minute: 'M', hour: 'h', day: 'd', week: 'w', month: 'm', year: 'y' };
const SIGNS: Readonly<Record<string, string>> = { gte: '>=', gt: '>', lte: '<=', lt: '<', eq: '=', exact: '=' };
const PERIODS_MAX = 100;

/** Reads a filter of type `behavioral`; refuses what it cannot be calculated from. */
export function parseBehaviour(filter: Dict, nowMs: number): Behaviour {
  const { value: kind, event_filters = [] } = filter;
  // Read here to be refused here; they are printed from what the wire had.
  parseFilters(event_filters ?? [], { type: 'event', nowMs });
  const common = { deed: readDeed(filter.event_type, filter.key), event_filters, now: nowMs * 1_000 };
  const since = () => readSince(filter, nowMs);
  const recent = () => ago(filter.seq_time_value, filter.seq_time_interval, nowMs, 'seq_time_value, seq_time_interval');
  switch (kind) {
    case 'performed_event':
    case 'performed_event_first_time':
      return { ...common, kind, since: since() };
    case 'performed_event_multiple':
      return { ...common, kind, since: since(), ...readComparison(filter) };
    case 'performed_event_sequence':
      return { ...common, kind, since: since(), next: readNext(filter), within: common.now - recent() };
    case 'performed_event_regularly':
      return { ...common, kind, ...readPeriods(filter, nowMs), ...readComparison(filter) };
    case 'stopped_performing_event':
    case 'restarted_performing_event':
      return { ...common, kind, since: since(), recent: recent() };
    default:
      throw refuse(`Unknown kind of behavioral filter: ${String(kind)}`);
  }
}

const missing = (names: string) => refuse(`Missing required keys for behavioral filter: ${names}`);

function readDeed(type: unknown, key: unknown): Deed {
  if (type === 'events' && typeof key === 'string' && key !== '') return key;
  const id = type === 'actions' ? toNumber(key) : undefined;
  if (id !== undefined && Number.isInteger(id)) return id;
  throw refuse(
    'Behavioral filters go by events or actions: `event_type` is "events" and `key` the name of one, or `event_type` is "actions" and `key` the id of one.',
  );
}

function readNext({ seq_event, seq_event_type }: Dict): Deed {
  if (seq_event === undefined || seq_event === null) throw missing('seq_event');
  return readDeed(seq_event_type ?? 'events', seq_event);
}

/** The actions that it goes by. */
export const actionsOf = (behaviour: Behaviour): number[] =>
  [behaviour.deed, 'next' in behaviour ? behaviour.next : ''].filter((deed) => typeof deed === 'number');

/** `-30d` or a date says it in one; otherwise a number and its unit. */
function readSince({ explicit_datetime, time_value, time_interval }: Dict, nowMs: number): Micros {
  if (explicit_datetime === undefined || explicit_datetime === null) {
    return ago(time_value, time_interval, nowMs, 'time_value, time_interval');
  }
  const moment = parseMoment(String(explicit_datetime), nowMs);
  if (!moment) throw refuse(`Invalid date value: ${String(explicit_datetime)}`);
  return moment.from;
}

function ago(value: unknown, interval: unknown, nowMs: number, names: string): Micros {
  const [number, unit] = [toNumber(value), UNITS[String(interval)]];
  const moment = number !== undefined && unit ? parseMoment(`-${number}${unit}`, nowMs) : undefined;
  if (!moment) throw missing(names);
  return moment.from;
}

function readComparison({ operator = 'gte', operator_value }: Dict): Comparison {
  const [sign, count] = [SIGNS[String(operator)], toNumber(operator_value)];
  if (!sign || count === undefined || !Number.isInteger(count)) throw missing('operator, operator_value');
  return { sign, count };
}

/** The beginnings of the last periods, newest first. */
function readPeriods({ time_value, time_interval, total_periods, min_periods }: Dict, nowMs: number) {
  const [total, min, length] = [toNumber(total_periods), toNumber(min_periods), toNumber(time_value)];
  if (total === undefined || min === undefined || length === undefined) {
    throw missing('time_value, time_interval, total_periods, min_periods');
  }
  if (!Number.isInteger(total) || total < 1 || total > PERIODS_MAX || min > total) {
    throw refuse(`total_periods must be between 1 and ${PERIODS_MAX}, and min_periods not more.`);
  }
  const begins = Array.from({ length: total }, (_, at) =>
    ago((at + 1) * length, time_interval, nowMs, 'time_value, time_interval'),
  );
  return { begins, periodsMin: min };
}

/** The uuids of the persons, as they are now, who did that. */
export function behaviourSql(events: EventsSql, behaviour: Behaviour): Statement {
  const { bound } = events;
  const { condition, since } = havingSql(behaviour, bound);
  const isFirst = `${deedSql(behaviour.deed, events)} AND ${events.filters(behaviour.event_filters)}`;
  const isNext = behaviour.kind === 'performed_event_sequence' ? deedSql(behaviour.next, events) : 'false';
  const done = `
    SELECT ${events.personId} AS person, e.timestamp AS t, (${isFirst}) AS is_first, (${isNext}) AS is_next
      FROM ${events.from()}
     WHERE e.team_id = ${events.team} AND e.timestamp <= ${bound.moment(behaviour.now)}
       ${since === undefined ? '' : `AND e.timestamp >= ${bound.moment(since)}`}
       AND (is_first OR is_next)`;
  const rows = behaviour.kind === 'performed_event_sequence' ? withLatestFirstSql(done) : done;
  return {
    text: `SELECT toString(person) AS person FROM (${rows}) GROUP BY person HAVING ${condition}`,
    params: bound.params,
  };
}

/** With when the first was last done before; 0 for never. What is done may be both: paying, and paying again. */
const withLatestFirstSql = (done: string) => `
  SELECT *, toUnixTimestamp64Micro(t) AS micros,
         maxIf(micros, is_first) OVER (
           PARTITION BY person ORDER BY micros RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS latest_first
    FROM (${done})`;

const deedSql = (deed: Deed, events: EventsSql) =>
  typeof deed === 'number' ? events.action(deed) : `e.event = ${events.bound.text(deed)}`;

/** What must be true of all that a person did; `since` undefined: since ever. */
function havingSql(behaviour: Behaviour, bound: BoundValues): { condition: string; since: Micros | undefined } {
  const count = (value: number) => bound.bind('Int64', value);
  switch (behaviour.kind) {
    case 'performed_event':
      return { condition: 'count() > 0', since: behaviour.since };
    case 'performed_event_first_time':
      return { condition: `min(t) >= ${bound.moment(behaviour.since)}`, since: undefined };
    case 'performed_event_multiple':
      return { condition: `count() ${behaviour.sign} ${count(behaviour.count)}`, since: behaviour.since };
    case 'performed_event_sequence':
      return {
        condition: `countIf(is_next AND latest_first > 0 AND micros - latest_first <= ${count(behaviour.within)}) > 0`,
        since: behaviour.since,
      };
    case 'performed_event_regularly': {
      const { begins, now, sign, periodsMin } = behaviour;
      const periods = begins.map((begin, at) => {
        const end = begins[at - 1];
        const isWithin = `t >= ${bound.moment(begin)} AND ${end === undefined ? `t <= ${bound.moment(now)}` : `t < ${bound.moment(end)}`}`;
        return `(countIf(${isWithin}) ${sign} ${count(behaviour.count)})`;
      });
      return { condition: `${periods.join(' + ')} >= ${count(periodsMin)}`, since: begins.at(-1) };
    }
    case 'stopped_performing_event': {
      const [since, recent] = [bound.moment(behaviour.since), bound.moment(behaviour.recent)];
      return {
        condition: `countIf(t >= ${since} AND t < ${recent}) > 0 AND countIf(t >= ${recent}) = 0`,
        since: behaviour.since,
      };
    }
    case 'restarted_performing_event': {
      const [since, recent] = [bound.moment(behaviour.since), bound.moment(behaviour.recent)];
      const pause = `countIf(t >= ${since} AND t < ${recent}) = 0`;
      return { condition: `countIf(t < ${since}) > 0 AND ${pause} AND countIf(t >= ${recent}) > 0`, since: undefined };
    }
  }
}
