// A TrendsQuery with everything settled that does not depend on the events: periods, points, formulas, breakdown.
import type { Interval } from '../../dates/interval.ts';
import type { RangeSurroundings } from '../../dates/range.ts';
import type { QueryContext } from '../../kind.ts';
import { type Period, planPeriods, rangeSurroundings } from '../periods.ts';
import { seriesLabel } from '../series.ts';
import { type Breakdown, planBreakdown } from './breakdown.ts';
import { type Formula, parseFormula } from './formula.ts';
import type { Display, TrendsQuery } from './read.ts';

export interface NamedFormula {
  readonly label: string;
  readonly formula: Formula;
}

export interface TrendsPlan {
  readonly query: TrendsQuery;
  readonly interval: Interval;
  readonly around: RangeSurroundings;
  /** The current one, and then the one that it is compared with. */
  readonly periods: readonly Period[];
  /** Whether there is one value for the whole period, or one for each point. */
  readonly isTotal: boolean;
  readonly isCumulative: boolean;
  /** Over how many points each value is averaged. */
  readonly smoothing: number;
  readonly breakdown: Breakdown | undefined;
  readonly formulas: readonly NamedFormula[];
  /** What each series is called. */
  readonly labels: readonly string[];
}

const TOTAL_DISPLAYS: ReadonlySet<Display> = new Set([
  'BoldNumber',
  'Metric',
  'ActionsPie',
  'ActionsDonut',
  'ActionsBarValue',
  'ActionsTable',
  'WorldMap',
  'CalendarHeatmap',
]);

export async function planTrends(context: QueryContext, query: TrendsQuery): Promise<TrendsPlan> {
  const display = query.trendsFilter?.display ?? 'ActionsLineGraph';
  const interval = query.interval ?? 'day';
  const around = rangeSurroundings(context);
  return {
    query,
    interval,
    around,
    periods: await planPeriods(query, interval, around),
    isTotal: TOTAL_DISPLAYS.has(display),
    isCumulative: display === 'ActionsLineGraphCumulative',
    smoothing: query.trendsFilter?.smoothingIntervals ?? 1,
    breakdown: await planBreakdown(query.breakdownFilter, context, display === 'WorldMap'),
    formulas: planFormulas(query),
    labels: query.series.map((series) => seriesLabel(series, context)),
  };
}

/** Where values are told: at each point, or once for the whole period. */
export const shownPoints = ({ isTotal }: TrendsPlan, { points }: Period): readonly number[] =>
  isTotal ? points.slice(0, 1) : points;

/** The newest way to say it wins. */
function planFormulas({ trendsFilter, series }: TrendsQuery): NamedFormula[] {
  const { formula, formulas, formulaNodes } = trendsFilter ?? {};
  const nodes = formulaNodes?.length
    ? formulaNodes
    : (formulas?.length ? formulas : formula ? [formula] : []).map((text) => ({ formula: text, custom_name: null }));
  return nodes
    .filter((node) => node.formula.trim() !== '')
    .map((node) => ({
      label: node.custom_name || `Formula (${node.formula})`,
      formula: parseFormula(node.formula, series.length),
    }));
}
