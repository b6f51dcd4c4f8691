// A StickinessQuery with everything settled that does not depend on the events.
import type { Interval } from '../../dates/interval.ts';
import type { RangeSurroundings } from '../../dates/range.ts';
import type { QueryContext } from '../../kind.ts';
import { type Period, planPeriods, rangeSurroundings } from '../periods.ts';
import { seriesLabel } from '../series.ts';
import type { StickinessQuery } from './read.ts';

export interface StickinessPlan {
  readonly query: StickinessQuery;
  readonly interval: Interval;
  readonly around: RangeSurroundings;
  /** Their points are where intervals begin, or every so many of them when several count as one. */
  readonly periods: readonly Period[];
  readonly isCumulative: boolean;
  /** What each series is called. */
  readonly labels: readonly string[];
}

export async function planStickiness(context: QueryContext, query: StickinessQuery): Promise<StickinessPlan> {
  const interval = query.interval ?? 'day';
  const around = rangeSurroundings(context);
  const together = query.intervalCount ?? 1;
  const periods = await planPeriods(query, interval, around);
  return {
    query,
    interval,
    around,
    periods: periods.map((period) => ({ ...period, points: period.points.filter((_, at) => at % together === 0) })),
    isCumulative: query.stickinessFilter?.computedAs === 'cumulative',
    labels: query.series.map((series) => seriesLabel(series, context)),
  };
}
