// StickinessQuery: in how many intervals people come back.
import { BoundValues } from '../../../filters/bound-values.ts';
import { invalid } from '../../../http/errors.ts';
import type { ActorsSql, QueryContext, QueryKind, QueryResult } from '../../kind.ts';
import { readNode } from '../../nodes.ts';
import { readPeriod, readSeries, toResolvedRange } from '../periods.ts';
import { planStickiness } from './plan.ts';
import { StickinessQuery } from './read.ts';
import { toItems } from './shape.ts';
import { activeSql, groupTypeIndexOf, type StickinessRow, stickinessSql } from './sql.ts';

export const stickiness: QueryKind<StickinessQuery> = {
  kind: 'StickinessQuery',
  read: (json) => readNode(StickinessQuery, json),
  run,
  actors,
};

async function run(context: QueryContext, query: StickinessQuery): Promise<QueryResult> {
  const plan = await planStickiness(context, query);
  const rows = await context.ask<StickinessRow>(stickinessSql(context, plan));
  return {
    results: toItems(plan, rows),
    resolved_date_range: toResolvedRange(plan.periods[0]!.range, plan.around.timezone),
  };
}

/** `day` is the number of intervals; without it, everybody is listed. */
async function actors(
  context: QueryContext,
  query: StickinessQuery,
  point: Readonly<Record<string, unknown>>,
): Promise<ActorsSql> {
  const plan = await planStickiness(context, query);
  const series = readSeries(point.series, query.series.length);
  const period = readPeriod(plan.periods, point.compare);
  const node = query.series[series]!;
  if (node.math === 'hogql') {
    throw invalid('Only persons and groups can be listed, not what an expression tells apart.', 'series__math_hogql');
  }
  const bound = new BoundValues();
  const active = activeSql(context, plan, { series, period }, bound);
  const holds = point.day === undefined || point.day === null ? 'true' : daySql(point.day, plan.isCumulative, bound);
  return {
    text: `SELECT key AS actor_id, event_count FROM (${active}) WHERE ${holds}`,
    bound,
    groupTypeIndex: groupTypeIndexOf(node),
  };
}

function daySql(day: unknown, isCumulative: boolean, bound: BoundValues): string {
  const count = Number(day);
  if (!Number.isInteger(count) || count < 1) {
    throw invalid(`The day of a stickiness query is a number of intervals, from 1; not "${String(day)}".`, 'day');
  }
  return `active ${isCumulative ? '>=' : '='} ${bound.bind('UInt64', count)}`;
}
