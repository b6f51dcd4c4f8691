// A plan → the statement that says how many actors are new, returning, resurrecting or dormant in each interval.
import type { Statement } from '../../../filters/ask.ts';
import { BoundValues } from '../../../filters/bound-values.ts';
import type { DateRange } from '../../dates/range.ts';
import type { QueryContext } from '../../kind.ts';
import { IN_SMALL_BLOCKS } from '../../sql/blocks.ts';
import { placeSql } from '../../sql/buckets.ts';
import { actorSql } from '../actor.ts';
import { bit, bits, type IntervalSets, intervalSets } from '../interval-sets.ts';
import { andSql, entitySql, filtersSql } from '../series.ts';
import type { LifecyclePlan } from './plan.ts';
import { STATUSES, type Status } from './read.ts';

export interface LifecycleRow {
  /** See `changeAt`; there are some of intervals beside the chart as well. */
  readonly change: number;
  readonly actors: number;
}

const code = (status: Status): number => STATUSES.indexOf(status);

/** What a status at a point of the chart, counted from 0, is counted by. */
export const changeAt = (point: number, status: Status): number => (point + 2) * STATUSES.length + code(status);

/** Intervals have numbers: 1 is the one before the first point of the chart, 2 the first point; 0 is none of them. */
export function lifecycleSql(context: QueryContext, plan: LifecyclePlan): Statement {
  const bound = new BoundValues();
  const text = `
    SELECT arrayJoin(${changesSql(plan)}) AS change, count() AS actors
      FROM (${activeSql(context, plan, plan.looked, bound)})
     GROUP BY change
    ${IN_SMALL_BLOCKS}, ${SET_BESIDE_EVENTS}`;
  return { text, params: bound.params };
}

/**
 * Left alone, the engine looks for those who were created lately before anything else, in hope of an index; and ids know
 * nothing of time. So they are looked for while the events are read.
 */
const SET_BESIDE_EVENTS = 'use_index_for_in_with_subqueries = 0';

export const setsOf = ({ bounds }: LifecyclePlan): IntervalSets => intervalSets(bounds.length + 1);

/**
 * Array: what an actor is in each interval. A change is one small number, the interval's in front of the status: those are
 * the quickest to count.
 */
function changesSql(plan: LifecyclePlan): string {
  const type = (plan.bounds.length + 1) * STATUSES.length <= 2 ** 16 ? 'UInt16' : 'UInt32';
  const change = (at: string, status: string | number) => `to${type}(${at} * ${STATUSES.length} + ${status})`;
  if (setsOf(plan) === bits) {
    const before = 'bitShiftLeft(active, 1)';
    const created = `bitAnd(active, ${bit('created')})`;
    const sets: Readonly<Record<Status, string>> = {
      new: created,
      returning: `bitAnd(bitAnd(active, ${before}), bitNot(${created}))`,
      resurrecting: `bitAnd(active, bitNot(bitOr(${before}, ${created})))`,
      dormant: `bitAnd(${before}, bitNot(active))`,
    };
    const changes = STATUSES.map(
      (status) => `arrayMap(at -> ${change('at', code(status))}, bitPositionsToArray(${sets[status]}))`,
    );
    return `arrayConcat(${changes.join(', ')})`;
  }
  const sorted = 'arraySort(active)';
  return `arrayConcat(
    arrayMap((at, before) -> ${change('at', statusSql('at', 'before = at - 1'))},
             ${sorted}, arrayPushFront(arrayPopBack(${sorted}), 0)),
    arrayMap(at -> ${change('(at + 1)', code('dormant'))},
             arrayFilter((at, after) -> after != at + 1, ${sorted}, arrayPushBack(arrayPopFront(${sorted}), 0))))`;
}

/** The place in `STATUSES` of what an actor is in an interval in which it is active. */
export const statusSql = (at: string, wasActive: string): string =>
  `multiIf(${at} = created, ${code('new')}, ${wasActive}, ${code('returning')}, ${code('resurrecting')})`;

/**
 * `key, active, created, event_count`: each actor, the set of the numbers of the intervals in which it was active, the
 * number of the one in which it was created, and how many events it has in the given time.
 */
export function activeSql(context: QueryContext, plan: LifecyclePlan, range: DateRange, bound: BoundValues): string {
  const { query, series, bounds } = plan;
  const events = context.events(bound);
  const { key, exists } = actorSql(events, query.aggregation_group_type_index);
  const condition = andSql([
    events.within(range),
    entitySql(events, series),
    filtersSql(events, series, query),
    exists,
  ]);
  const number = numberSql(`${events.alias}.timestamp`, bounds, bound);
  return `
    SELECT actor.key AS key, actor.active AS active, profile.created AS created, actor.event_count AS event_count
      FROM (
        SELECT ${key} AS key, ${setsOf(plan).collect(number, 'true')} AS active, count() AS event_count
          FROM ${events.from(query.samplingFactor)}
         WHERE ${condition}
         GROUP BY key) AS actor
      LEFT ANY JOIN (${createdSql(context, plan, bound)}) AS profile ON profile.id = actor.key`;
}

/**
 * `id, created`: actors who were created in one of the intervals, and the number of that. What the row of an event says about
 * its person may be out of date, since a merge with somebody older moves the beginning back; so the person is asked.
 */
function createdSql({ project }: QueryContext, { query, bounds }: LifecyclePlan, bound: BoundValues): string {
  const index = query.aggregation_group_type_index;
  const isOfGroups = index !== null && index !== undefined;
  const [table, id] = isOfGroups ? ['groups', 'group_key'] : ['person', 'id'];
  const own = [`team_id = ${bound.bind('Int64', project.id)}`];
  if (isOfGroups) own.push(`group_type_index = ${bound.bind('UInt8', index)}`);
  const isWithin = (time: string) =>
    `${time} >= ${bound.moment(bounds[0]! * 1_000_000)} AND ${time} < ${bound.moment(bounds.at(-1)! * 1_000_000)}`;
  // Few of all there are were created lately: only of those the newest version is looked for.
  return `
    SELECT ${id} AS id, argMax(created_at, version) AS latest,
           ${numberSql('latest', bounds, bound)} AS created
      FROM ${table}
     WHERE ${own.join(' AND ')}
       AND ${id} IN (SELECT ${id} FROM ${table} WHERE ${own.join(' AND ')} AND ${isWithin('created_at')})
     GROUP BY id
    HAVING ${isWithin('latest')}`;
}

/** Int32: the number of the interval that the time is in. */
const numberSql = (time: string, bounds: readonly number[], bound: BoundValues): string =>
  `${placeSql(time, bounds, bound)} + 1`;
