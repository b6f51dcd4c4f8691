// A plan → the statement that counts in how many intervals each actor was active. Series and periods are its branches.
import type { Statement } from '../../../filters/ask.ts';
import { BoundValues } from '../../../filters/bound-values.ts';
import { invalid } from '../../../http/errors.ts';
import type { QueryContext } from '../../kind.ts';
import type { SeriesNode } from '../../nodes.ts';
import { bucketSql } from '../../sql/buckets.ts';
import type { EventsSql } from '../../sql/events-sql.ts';
import { type Actor, actorSql } from '../actor.ts';
import { andSql, entitySql, filtersSql } from '../series.ts';
import type { StickinessPlan } from './plan.ts';

/** One series in one period. */
export interface Branch {
  readonly series: number;
  readonly period: number;
}

/** How many actors were active in exactly so many intervals. */
export interface StickinessRow extends Branch {
  readonly active: number;
  readonly actors: number;
}

export function stickinessSql(context: QueryContext, plan: StickinessPlan): Statement {
  const bound = new BoundValues();
  const branches = plan.periods.flatMap((_, period) =>
    plan.query.series.map(
      (_, series) => `
        SELECT toUInt16(${series}) AS series, toUInt8(${period}) AS period, active, count() AS actors
          FROM (${activeSql(context, plan, { series, period }, bound)})
         GROUP BY active`,
    ),
  );
  return { text: branches.join('\nUNION ALL\n'), params: bound.params };
}

/** `key, active, event_count`: each actor, in how many intervals it was active, and the number of its events. */
export function activeSql(context: QueryContext, plan: StickinessPlan, branch: Branch, bound: BoundValues): string {
  const { query, periods } = plan;
  const events = context.events(bound);
  const series = query.series[branch.series]!;
  const { range, points } = periods[branch.period]!;
  const { key, exists } = stickinessActor(events, series);
  const bucket = bucketSql(`${events.alias}.timestamp`, points, bound);
  const condition = andSql([
    events.within(range),
    entitySql(events, series),
    filtersSql(events, series, query),
    exists,
  ]);
  const from = `${events.from(query.samplingFactor)} WHERE ${condition}`;
  const criteria = query.stickinessFilter?.stickinessCriteria;
  if (!criteria) {
    return `SELECT ${key} AS key, uniqExact(${bucket}) AS active, count() AS event_count FROM ${from} GROUP BY key`;
  }
  const sign = { gte: '>=', lte: '<=', exact: '=' }[criteria.operator];
  return `
    SELECT key, count() AS active, sum(times) AS event_count
      FROM (SELECT ${key} AS key, ${bucket} AS bucket, count() AS times FROM ${from} GROUP BY key, bucket)
     WHERE times ${sign} ${bound.bind('UInt64', criteria.value)}
     GROUP BY key`;
}

/** Persons, unless the series counts groups or whatever an expression tells apart. */
function stickinessActor(events: EventsSql, series: SeriesNode): Actor {
  if (series.math === 'hogql') {
    if (!series.math_hogql) throw invalid('The math "hogql" needs math_hogql.', 'series__math_hogql');
    return { key: `toString(${events.hogql(series.math_hogql)})`, exists: 'true' };
  }
  return actorSql(events, groupTypeIndexOf(series));
}

export function groupTypeIndexOf({ math, math_group_type_index }: SeriesNode): number | undefined {
  if (math !== 'unique_group') return undefined;
  if (typeof math_group_type_index === 'number') return math_group_type_index;
  throw invalid('The math "unique_group" needs a math_group_type_index.', 'series__math_group_type_index');
}
