// Who is behind one point of a trend.
import { BoundValues } from '../../../filters/bound-values.ts';
import { invalid } from '../../../http/errors.ts';
import type { DateRange } from '../../dates/range.ts';
import type { ActorsSql, QueryContext } from '../../kind.ts';
import { BREAKDOWN_OTHER } from '../../nodes.ts';
import { bucketKeys } from '../../sql/buckets.ts';
import { actorSql } from '../actor.ts';
import { endOfPoint, type Period, readPeriod, readPlace, readSeries } from '../periods.ts';
import { andSql } from '../series.ts';
import { type Branch, BranchSql } from './branch.ts';
import { planTrends, type TrendsPlan } from './plan.ts';
import type { TrendsQuery } from './read.ts';
import { type BranchRow, trendsSql } from './sql.ts';
import { planWindows } from './windows.ts';

type Point = Readonly<Record<string, unknown>>;

export async function actorsSql(context: QueryContext, query: TrendsQuery, point: Point): Promise<ActorsSql> {
  const plan = await planTrends(context, query);
  const branch: Branch = {
    series: readSeries(point.series, query.series.length),
    period: readPeriod(plan.periods, point.compare),
  };
  const period = plan.periods[branch.period]!;
  const bound = new BoundValues();
  const printed = new BranchSql(context, plan, branch, bound);
  const { math, math_group_type_index } = printed.series;
  const groupTypeIndex = math === 'unique_group' ? math_group_type_index : query.aggregation_group_type_index;
  const { recipe } = printed.computation;
  const isWhole = plan.isTotal || point.day === undefined || point.day === null;
  const at = isWhole ? undefined : readPlace(point.day, plan.interval, period, plan.around);
  const label = plan.breakdown && point.breakdown !== undefined ? readLabels(plan, point.breakdown) : undefined;
  const labelHolds = label ? await labelSql(context, plan, branch, printed, label) : 'true';

  if (recipe.kind === 'firstTime') {
    const first = printed.firstSql(recipe);
    const condition = at === undefined ? 'true' : `bucket = ${bound.bind('Int64', bucketKeys(period.points)[at])}`;
    const text = `
      SELECT key AS actor_id, toUInt64(1) AS event_count
        FROM (SELECT *, ${printed.bucketSql('first_at')} AS bucket FROM (${first}))
       WHERE ${andSql([condition, labelHolds])}`;
    return { text, bound, groupTypeIndex: groupTypeIndex ?? undefined };
  }
  const range = recipe.kind === 'active' ? windowOf(plan, period, at, recipe.days) : timeOf(plan, period, at);
  const actor = actorSql(printed.events, groupTypeIndex);
  const condition = andSql([printed.conditionSql(range), actor.exists, labelHolds]);
  const text = `SELECT ${actor.key} AS actor_id, count() AS event_count FROM ${printed.fromSql(condition)} GROUP BY actor_id`;
  return { text, bound, groupTypeIndex: groupTypeIndex ?? undefined };
}

/** The time of one point, within the period; of all points up to it when the chart adds them up. */
function timeOf(
  { interval, around, isCumulative }: TrendsPlan,
  { points, range }: Period,
  at: number | undefined,
): DateRange {
  if (at === undefined) return range;
  const end = endOfPoint(at, interval, points, around);
  return {
    fromMicros: isCumulative ? range.fromMicros : Math.max(points[at]! * 1_000_000, range.fromMicros),
    toMicros: Math.min(end * 1_000_000, range.toMicros),
  };
}

function windowOf(plan: TrendsPlan, period: Period, at: number | undefined, days: number): DateRange {
  const points = at === undefined ? period.points : [period.points[at]!];
  const next = at === undefined ? undefined : period.points[at + 1];
  const toMicros = Math.min(next === undefined ? Infinity : next * 1_000_000, period.range.toMicros);
  const { from } = planWindows(plan, { ...period, points }, days);
  return { fromMicros: from * 1_000_000, toMicros };
}

/** A value of the answer as the statement has it. */
function readLabels({ breakdown }: TrendsPlan, given: unknown): string[] {
  const labels = (Array.isArray(given) ? given : [given]).map(String);
  if (labels.length !== breakdown!.dimensions.length) {
    throw invalid(`The breakdown has ${breakdown!.dimensions.length} values, not ${labels.length}.`, 'breakdown');
  }
  return labels.map((label, at) => {
    const dimension = breakdown!.dimensions[at]!;
    const isBin = dimension.kind === 'property' && dimension.binCount !== undefined;
    return isBin ? label.replace(/\.0(?=[,\]])/g, '') : label;
  });
}

/** Bool: whether the event has this value; for the others, that it has none of those that are shown. */
async function labelSql(
  context: QueryContext,
  plan: TrendsPlan,
  branch: Branch,
  printed: BranchSql,
  labels: readonly string[],
): Promise<string> {
  const value = printed.computation.recipe.kind === 'firstTime' ? 'first_label' : printed.valueSql();
  if (!labels.includes(BREAKDOWN_OTHER)) return printed.amongSql(value, [labels]);
  const choice = { kind: 'largest', limit: plan.breakdown!.limit, withOther: false } as const;
  const rows = await context.ask<BranchRow>(trendsSql(context, plan, [{ ...branch, choice }]));
  return `NOT ${printed.amongSql(
    value,
    rows.map((row) => row.labels),
  )}`;
}
