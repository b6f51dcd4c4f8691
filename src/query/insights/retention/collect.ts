// What each actor did that matters to the table: the part that both ways of counting have in common.
import { placeSql } from '../../sql/buckets.ts';
import type { EventsSql } from '../../sql/events-sql.ts';
import { valuesSql } from '../breakdown-values.ts';
import { allSql, anyEntitySql, type Entity, entitySql, namedSql } from '../entity.ts';
import type { RetentionPlan } from './plan.ts';

/**
 * SQL: each actor with `value`, if broken down by a property, and with the given aggregates. Those may speak of `is_target`,
 * `is_return` and, where only the first target event ever counts, `is_named`; of `at`, the interval of an event; and of the
 * given `names`.
 */
export function collectSql(
  plan: RetentionPlan,
  events: EventsSql,
  aggregates: readonly string[],
  names: readonly string[] = [],
): string {
  const actor = plan.groupTypeIndex === undefined ? events.personId : events.groupKey(plan.groupTypeIndex);
  const range = rangeSql(plan, events);
  const value = plan.breakdown?.kind === 'properties' ? valuesSql(events, plan.breakdown) : undefined;
  const all = [
    `${actor} AS actor`,
    ...range.names,
    `${intervalSql(`${events.alias}.timestamp`, plan, events)} AS at`,
    ...names,
    ...(value ? [`${value} AS own_value`] : []),
  ];
  const conditions = [
    range.where,
    events.filters(plan.filters),
    events.testAccounts(plan.filterTestAccounts),
    plan.groupTypeIndex === undefined ? 'true' : `${actor} != ''`,
  ];
  const columns = [
    'actor',
    ...aggregates,
    ...(value ? [`minIf((${events.alias}.timestamp, own_value), is_target).2 AS value`] : []),
  ];
  return `
    WITH ${all.join(', ')}
    SELECT ${columns.join(', ')}
      FROM ${events.from(plan.samplingFactor)}
     WHERE ${allSql(conditions)}
     GROUP BY actor
    HAVING countIf(is_target) > 0`;
}

/** In which interval a time is. */
const intervalSql = (time: string, { points, end }: RetentionPlan, { bound }: EventsSql): string =>
  placeSql(time, [...points, end], bound);

/** What each event is, and which events matter: those of the range, and earlier ones when the first one ever is asked for. */
function rangeSql(plan: RetentionPlan, events: EventsSql): { names: string[]; where: string } {
  const { target, returning, end } = plan;
  const range = { fromMicros: startOf(plan), toMicros: end * 1e6 };
  const isTarget = `${entitySql(events, target)} AS is_target`;
  const isReturn = `${entitySql(events, returning)} AS is_return`;
  if (plan.begins === 'each') {
    return {
      names: [isTarget, isReturn],
      where: allSql([events.within(range), anyEntitySql(events, [target, returning])]),
    };
  }
  const isNamed = `${namedSql(events, target)} AS is_named`;
  const wider: Entity = plan.begins === 'first_named' ? { ...target, filters: [] } : target;
  const first = `${events.alias}.timestamp >= ${events.bound.moment(range.fromMicros)}`;
  return {
    names: [isTarget, isNamed, `(${entitySql(events, returning)}) AND ${first} AS is_return`],
    where: allSql([
      events.within({ fromMicros: BEGINNING_OF_TIME, toMicros: range.toMicros }),
      anyEntitySql(events, [wider, returning]),
    ]),
  };
}

const startOf = ({ points }: RetentionPlan): number => (points[0] ?? 0) * 1e6;

/** The store holds nothing older than 1900. */
const BEGINNING_OF_TIME = Date.UTC(1900, 0, 1) * 1_000;

export interface Beginning {
  /** The interval of the actor's first target event; an aggregate. */
  readonly at: string;
  /** Bool: whether it is one that counts. */
  readonly counts: string;
}

/** The first target event: in the range, or ever, as the table asks for. */
export function beginningSql(plan: RetentionPlan, events: EventsSql): Beginning {
  const timestamp = `${events.alias}.timestamp`;
  const time = `minIf(${timestamp}, is_target)`;
  const isFirst = plan.begins === 'first_named' ? `${time} = minIf(${timestamp}, is_named)` : 'true';
  const isInRange = plan.begins === 'each' ? 'true' : `${time} >= ${events.bound.moment(startOf(plan))}`;
  // What is later than all intervals would be taken for the last of them.
  const isInTime = plan.windowMicros === undefined ? 'true' : `${time} < ${events.bound.moment(plan.rowsEnd * 1e6)}`;
  return { at: intervalSql(time, plan, events), counts: allSql([isInRange, isInTime, isFirst]) };
}
