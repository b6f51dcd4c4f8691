// Who is behind a number of a funnel.
import { invalid } from '../../../http/errors.ts';
import { listPoints } from '../../dates/range.ts';
import { toDay } from '../../dates/text.ts';
import type { ActorsSql, QueryContext } from '../../kind.ts';
import type { EventsSql } from '../../sql/events-sql.ts';
import { journeysSql } from './journeys.ts';
import { type FunnelPlan, requiredBefore } from './plan.ts';
import { walkPeriodsSql } from './trends.ts';
import { convertedSql, didSql, walkSql } from './walk.ts';

type Point = Readonly<Record<string, unknown>>;

/**
 * `funnelStep` counts from 1: everybody who reached it; negative: those who reached the step before and no more.
 * `funnelTrendsEntrancePeriodStart` and `funnelTrendsDropOff` name a point of trends, `funnelStepBreakdown` a value.
 */
export function funnelActors(plan: FunnelPlan, point: Point, context: QueryContext): ActorsSql {
  if (plan.actor.kind === 'hogql') {
    throw invalid(
      'Only persons and groups can be listed, not what an expression tells apart.',
      'funnelAggregateByHogQL',
    );
  }
  const events = context.events();
  const isOfPeriod = point.funnelTrendsEntrancePeriodStart !== undefined;
  const walked = isOfPeriod
    ? periodSql(plan, point, events, context)
    : walkSql(plan, journeysSql(plan, events, context), plan.breakdown ? ['actor', 'value'] : ['actor']);
  const conditions = [isOfPeriod ? conversionSql(plan, point) : stepSql(plan, point), valueSql(plan, point, events)];
  return {
    text: `
      SELECT actor AS actor_id, max(reached) AS event_count
        FROM (${walked})
       WHERE ${conditions.join(' AND ')}
       GROUP BY actor`,
    bound: events.bound,
    groupTypeIndex: plan.actor.kind === 'group' ? plan.actor.index : undefined,
  };
}

function stepSql(plan: FunnelPlan, { funnelStep }: Point): string {
  const { steps } = plan;
  const step = Number(funnelStep ?? 1);
  if (Number.isInteger(step) && step >= 1 && step <= steps.length) return didSql(plan, step - 1);
  if (Number.isInteger(step) && step <= -2 && -step <= steps.length) {
    return `${didSql(plan, requiredBefore(plan, -step - 1))} AND NOT (${didSql(plan, -step - 1)})`;
  }
  throw invalid(
    `The steps are 1 to ${steps.length}, and -2 to -${steps.length} for those who came no further; not ${step}.`,
    'funnelStep',
  );
}

function periodSql(plan: FunnelPlan, point: Point, events: EventsSql, context: QueryContext): string {
  const points = listPoints(plan.range, plan.interval, context.project);
  const named = String(point.funnelTrendsEntrancePeriodStart).replace('T', ' ');
  const period = points.findIndex((each) => named.startsWith(toDay(each, plan.interval, context.project.timezone)));
  if (period < 0) throw invalid(`"${named}" is no point of this chart.`, 'funnelTrendsEntrancePeriodStart');
  return `SELECT * FROM (${walkPeriodsSql(plan, points, events, context)}) WHERE period = ${period}`;
}

const conversionSql = (plan: FunnelPlan, { funnelTrendsDropOff }: Point): string =>
  funnelTrendsDropOff === true
    ? `${didSql(plan, plan.fromStep)} AND NOT (${didSql(plan, plan.toStep)})`
    : convertedSql(plan);

function valueSql({ breakdown }: FunnelPlan, { funnelStepBreakdown: value }: Point, { bound }: EventsSql): string {
  if (!breakdown || value === undefined || value === null) return 'true';
  return `value = ${bound.texts((Array.isArray(value) ? value : [value]).map(String))}`;
}
