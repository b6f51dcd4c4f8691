// LifecycleQuery: who comes for the first time, comes again, comes back, or stays away.
import { BoundValues } from '../../../filters/bound-values.ts';
import { invalid } from '../../../http/errors.ts';
import type { ActorsSql, QueryContext, QueryKind, QueryResult } from '../../kind.ts';
import { readNode } from '../../nodes.ts';
import { endOfPoint, readPlace, toResolvedRange } from '../periods.ts';
import { type LifecyclePlan, planLifecycle } from './plan.ts';
import { LifecycleQuery, STATUSES, type Status } from './read.ts';
import { toItems } from './shape.ts';
import { activeSql, type LifecycleRow, lifecycleSql, setsOf, statusSql } from './sql.ts';

export const lifecycle: QueryKind<LifecycleQuery> = {
  kind: 'LifecycleQuery',
  read: (json) => readNode(LifecycleQuery, json),
  run,
  actors,
};

async function run(context: QueryContext, query: LifecycleQuery): Promise<QueryResult> {
  const plan = await planLifecycle(context, query);
  const rows = await context.ask<LifecycleRow>(lifecycleSql(context, plan));
  return {
    results: toItems(plan, rows),
    resolved_date_range: toResolvedRange(plan.period.range, plan.around.timezone),
  };
}

/** `day` and `status` name one bar of the chart. Those who stay away are shown with their events of the interval before. */
async function actors(
  context: QueryContext,
  query: LifecycleQuery,
  { day, status }: Readonly<Record<string, unknown>>,
): Promise<ActorsSql> {
  const plan = await planLifecycle(context, query);
  const named = readStatus(status);
  const at = readPlace(day, plan.interval, plan.period, plan.around);
  const bound = new BoundValues();
  const active = activeSql(context, plan, rangeAround(plan, at), bound);
  // The interval before the first point has number 1.
  const number = bound.bind('Int64', at + 2);
  const sets = setsOf(plan);
  const isActive = sets.has('active', number);
  const statusAt = statusSql(number, sets.has('active', `${number} - 1`));
  const holds = named === 'dormant' ? `NOT ${isActive}` : `${isActive} AND ${statusAt} = ${STATUSES.indexOf(named)}`;
  return {
    text: `SELECT key AS actor_id, event_count FROM (${active}) WHERE ${holds}`,
    bound,
    groupTypeIndex: query.aggregation_group_type_index ?? undefined,
  };
}

function readStatus(status: unknown): Status {
  const found = STATUSES.find((name) => name === status);
  if (found) return found;
  throw invalid(`"${String(status)}" is no status; there are: ${STATUSES.join(', ')}.`, 'status');
}

/** The interval of the point and the one before it: nothing else decides about the point. */
function rangeAround({ bounds, interval, period, around, looked }: LifecyclePlan, at: number) {
  const end = endOfPoint(at, interval, period.points, around) * 1_000_000;
  return { fromMicros: bounds[at]! * 1_000_000, toMicros: Math.min(end, looked.toMicros) };
}
