// `trends`: of those who entered in each period, how many went on to the end.
import { listPoints } from '../../dates/range.ts';
import { toDay, toLabel } from '../../dates/text.ts';
import type { QueryContext } from '../../kind.ts';
import { IN_SMALL_BLOCKS } from '../../sql/blocks.ts';
import type { EventsSql } from '../../sql/events-sql.ts';
import { journeysSql } from './journeys.ts';
import { hasBit, isAnyStep, marksOf, timeOf, toMarkedTime } from './marks.ts';
import type { FunnelPlan } from './plan.ts';
import { toBreakdown } from './shape.ts';
import { convertedSql, didSql, walkSql } from './walk.ts';

export interface TrendsRow {
  readonly shown?: readonly string[];
  readonly is_other?: number;
  /** The point of the chart, counted from 0. */
  readonly period: number;
  readonly entered: number;
  readonly converted: number;
}

export async function askTrends(plan: FunnelPlan, context: QueryContext) {
  const events = context.events();
  const points = listPoints(plan.range, plan.interval, context.project);
  const walked = walkPeriodsSql(plan, points, events, context);
  const counts = `countIf(${didSql(plan, plan.fromStep)}) AS entered, countIf(${convertedSql(plan)}) AS converted`;
  const text = plan.breakdown
    ? brokenDownSql(plan, `SELECT value, period, ${counts} FROM (${walked}) GROUP BY value, period`)
    : `SELECT period, ${counts} FROM (${walked}) GROUP BY period`;
  const rows = await context.ask<TrendsRow>({ text: `${text} ${IN_SMALL_BLOCKS}`, params: events.bound.params });
  return toTrends(rows, plan, points, context);
}

/** SQL: how far each actor came with what they began in each period. */
export function walkPeriodsSql(
  plan: FunnelPlan,
  points: readonly number[],
  events: EventsSql,
  context: QueryContext,
): string {
  const kept = plan.breakdown ? ['actor', 'value'] : ['actor'];
  const periods = periodsSql(plan, journeysSql(plan, events, context), kept, points, events);
  return walkSql(plan, periods, [...kept, 'period', 'period_end'], 'period_end');
}

/**
 * A journey for each period in which the actor began something: what happened since the period's beginning, and as long
 * as the window can last. The first step of a later period begins nothing here.
 */
function periodsSql(
  plan: FunnelPlan,
  journeys: string,
  kept: readonly string[],
  points: readonly number[],
  { bound }: EventsSql,
): string {
  const marks = marksOf(plan);
  const time = timeOf('mark', marks);
  const bounds = [...points.map((seconds) => toMarkedTime(seconds * 1e6)), toMarkedTime(plan.range.toMicros)];
  const all = bound.bind('Array(UInt64)', bounds);
  const begins = plan.order === 'unordered' ? isAnyStep('mark', plan) : hasBit('mark', 0);
  const began = `arrayDistinct(arrayMap(mark -> roundDown(${time}, ${all}), arrayFilter(mark -> ${begins}, journey)))`;
  const lasting = `arrayFilter(mark -> ${time} >= begun AND ${time} < period_end + ${plan.windowMicros}, journey)`;
  const ownBegin = `if(${hasBit('mark', 0)} AND ${time} >= period_end, to${marks.type}(mark - 1), mark)`;
  return `
    SELECT ${kept.join(', ')}, at - 1 AS period, period_end,
           ${plan.order === 'unordered' ? lasting : `arraySort(arrayMap(mark -> ${ownBegin}, ${lasting}))`} AS journey
      FROM (
        SELECT ${kept.join(', ')}, journey, begun, indexOf(${all}, begun) AS at, (${all})[at + 1] AS period_end
          FROM (SELECT ${kept.join(', ')}, journey, arrayJoin(${began}) AS begun FROM (${journeys})))`;
}

/** Values are ranked by how many entered in all; those beyond the limit are added up. */
function brokenDownSql(plan: FunnelPlan, counted: string): string {
  const valuesMax = plan.breakdown?.kind === 'properties' ? plan.breakdown.valuesMax : Number.MAX_SAFE_INTEGER;
  const ranked = `
    SELECT *, dense_rank() OVER (ORDER BY total DESC, value) AS place
      FROM (SELECT *, sum(entered) OVER (PARTITION BY value) AS total FROM (${counted}))`;
  return `
    SELECT shown, is_other, period, sum(n) AS entered, sum(m) AS converted
      FROM (
        SELECT place > ${valuesMax} AS is_other, if(is_other, [], value) AS shown, place, period, entered AS n, converted AS m
          FROM (${ranked}))
     GROUP BY is_other, shown, period
     ORDER BY min(place)`;
}

function toTrends(rows: readonly TrendsRow[], plan: FunnelPlan, points: readonly number[], context: QueryContext) {
  const { timezone } = context.project;
  const { breakdown, interval } = plan;
  const common = {
    count: points.length,
    days: points.map((point) => toDay(point, interval, timezone)),
    labels: points.map((point) => toLabel(point, interval, timezone)),
  };
  if (!breakdown) return [{ ...common, data: toRates(rows, points.length) }];
  const byValue = Map.groupBy(rows, ({ shown, is_other }) => JSON.stringify([shown, is_other]));
  return [...byValue.values()]
    .filter(([first]) => !(first?.is_other && breakdown.kind === 'properties' && breakdown.hidesOther))
    .map((ofValue) => ({
      ...common,
      data: toRates(ofValue, points.length),
      breakdown_value: toBreakdown(plan, ofValue[0]!).breakdown_value,
    }));
}

/** Percentages with two decimals; 0 where nobody entered. */
function toRates(rows: readonly TrendsRow[], length: number): number[] {
  const data = Array.from({ length }, () => 0);
  for (const { period, entered, converted } of rows) {
    if (entered > 0) data[period] = Math.round((converted / entered) * 10_000) / 100;
  }
  return data;
}
