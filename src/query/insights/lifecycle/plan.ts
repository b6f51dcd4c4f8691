// A LifecycleQuery with everything settled that does not depend on the events.
import { type Interval, shift } from '../../dates/interval.ts';
import type { DateRange, RangeSurroundings } from '../../dates/range.ts';
import type { QueryContext } from '../../kind.ts';
import type { SeriesNode } from '../../nodes.ts';
import { endOfPoint, type Period, planPeriods, rangeSurroundings } from '../periods.ts';
import { seriesLabel } from '../series.ts';
import type { LifecycleQuery } from './read.ts';

export interface LifecyclePlan {
  readonly query: LifecycleQuery;
  readonly series: SeriesNode;
  readonly interval: Interval;
  readonly around: RangeSurroundings;
  readonly period: Period;
  /** Seconds at which the interval before the first point begins, all points, and when the last one ends. */
  readonly bounds: readonly number[];
  /** The events of the period and of the interval before it, which says who was active then. */
  readonly looked: DateRange;
  readonly label: string;
}

export async function planLifecycle(context: QueryContext, query: LifecycleQuery): Promise<LifecyclePlan> {
  const interval = query.interval ?? 'day';
  const around = rangeSurroundings(context);
  const [period] = (await planPeriods({ dateRange: query.dateRange }, interval, around)) as [Period];
  const { points, range } = period;
  const before = shift(interval, points[0]! * 1_000, -1, around) / 1_000;
  const series = query.series[0]!;
  return {
    query,
    series,
    interval,
    around,
    period,
    bounds: [before, ...points, endOfPoint(points.length - 1, interval, points, around)],
    looked: { fromMicros: before * 1_000_000, toMicros: range.toMicros },
    label: seriesLabel(series, context),
  };
}
