// An answer over time as marks and words, without anything that draws: what the browser shows before the chart library
// is there, and what the server puts into a page.
import type { Display, InsightQuery } from '../../query/nodes.ts';
import { seriesLabel, type TrendItem } from '../../query/results.ts';
import { formatCompact } from '../../ui/format.ts';
import { colorAt, LIFECYCLE_COLORS } from '../colors.ts';
import { distinctNames } from '../names.ts';
import { pointLabels } from '../point-labels.ts';
import { ticksOf } from './ticks.ts';

export interface PlotSeries {
  name: string;
  color: string;
  shape: 'line' | 'area' | 'bar';
  /** Where each mark ends, and where it begins: on the line of zero, or on top of the series below. */
  tops: readonly (number | null)[];
  bases: readonly number[];
  /** The time before the one that is looked at. */
  isFaded: boolean;
  /** Of bars side by side: which, of how many. */
  place: readonly [index: number, count: number];
}

export interface SeriesLook extends Pick<PlotSeries, 'name' | 'color' | 'shape' | 'isFaded'> {
  data: readonly (number | null)[];
  /** Those of one stack stand on top of each other. */
  stack: string | undefined;
}

export interface Plot {
  /** One for each point, as the reader writes days. */
  points: readonly string[];
  ticks: readonly { value: number; text: string }[];
  series: readonly PlotSeries[];
}

export const SERIES_MAX = 50;

const shapeOf = (display: Display): PlotSeries['shape'] =>
  display === 'ActionsBar' || display === 'ActionsUnstackedBar'
    ? 'bar'
    : display === 'ActionsAreaGraph'
      ? 'area'
      : 'line';

/** There is no half of an event: marks of an axis are whole when its numbers are. */
export const areWhole = (items: readonly TrendItem[]) =>
  items.every(({ data }) => data?.every(Number.isInteger) ?? true);

/** How the display asks for series to be drawn: by whichever way, they have the same names, colours and stacks. */
export function trendSeries(items: readonly TrendItem[], display: Display): SeriesLook[] {
  const names = distinctNames(items.map(seriesLabel));
  const current = items.filter(({ compare_label }) => compare_label !== 'previous').length;
  const isStacked = display === 'ActionsAreaGraph' || display === 'ActionsBar';
  return items.map((item, index) => {
    const isFaded = item.compare_label === 'previous';
    return {
      name: names[index] ?? '',
      color: colorAt(isFaded ? index - current : index),
      shape: shapeOf(display),
      isFaded,
      data: item.data ?? [],
      stack: isStacked ? (isFaded ? 'before' : 'now') : undefined,
    };
  });
}

export const displayOf = ({ trendsFilter, stickinessFilter }: InsightQuery): Display =>
  trendsFilter?.display ?? stickinessFilter?.display ?? 'ActionsLineGraph';

/** Lines, areas and bars over time; undefined for what only the chart library can draw. */
export function trendPlot(items: readonly TrendItem[], query: InsightQuery, locale?: string): Plot | undefined {
  const display = displayOf(query);
  if (display === 'ActionsPie' || display === 'ActionsBarValue') return undefined;
  if (query.trendsFilter?.yAxisScaleType === 'log10') return undefined;
  const shown = items.slice(0, SERIES_MAX);
  return toPlot(shown, trendSeries(shown, display), locale);
}

/** Those who are new, came back or stayed above the line; those who are gone below it. */
export const lifecyclePlot = (items: readonly TrendItem[], locale?: string): Plot =>
  toPlot(
    items,
    items.map(({ status = '', data }) => ({
      name: status,
      color: LIFECYCLE_COLORS[status] ?? colorAt(0),
      shape: 'bar',
      isFaded: false,
      data: data ?? [],
      stack: 'all',
    })),
    locale,
  );

/** How the share of people who convert goes over time. */
export const funnelTrendsPlot = (items: readonly TrendItem[], query: InsightQuery, locale?: string) =>
  trendPlot(
    items.map((item) => ({ ...item, label: item.label ?? '' })),
    { ...query, trendsFilter: { display: 'ActionsLineGraph' } },
    locale,
  );

function toPlot(items: readonly TrendItem[], drawn: readonly SeriesLook[], locale?: string): Plot {
  const points = items[0] ? pointLabels(items[0], locale) : [];
  const stand = openStacks(points.length);
  const columns = [...new Set(drawn.map(({ stack }, index) => stack ?? index))];
  const series = drawn.map(({ data, stack, ...look }, index): PlotSeries => {
    const place = [columns.indexOf(stack ?? index), columns.length] as const;
    return { ...look, ...(stack === undefined ? standAlone(data) : stand(stack, data)), place };
  });
  const ends = series.flatMap(({ tops, bases }) => [...tops.map((top) => top ?? 0), ...bases]);
  const ticks = ticksOf(ends, areWhole(items)).map((value) => ({ value, text: formatCompact(value, locale) }));
  return { points, ticks, series };
}

type Stood = Pick<PlotSeries, 'tops' | 'bases'>;

const standAlone = (data: SeriesLook['data']): Stood => ({ tops: data, bases: data.map(() => 0) });

/** What is below zero hangs from zero downwards, beside what stands on it. */
function openStacks(length: number) {
  const heights = new Map<string, number[]>();
  return (stack: string, data: SeriesLook['data']): Stood => {
    const bases = data.map((value, index) => heightOf(`${stack} ${(value ?? 0) < 0 ? 'down' : 'up'}`)[index] ?? 0);
    const tops = data.map((value, index) => (bases[index] ?? 0) + (value ?? 0));
    data.forEach((value, index) => {
      heightOf(`${stack} ${(value ?? 0) < 0 ? 'down' : 'up'}`)[index] = tops[index] ?? 0;
    });
    return { tops, bases };
  };

  function heightOf(name: string): number[] {
    const known = heights.get(name) ?? new Array<number>(length).fill(0);
    heights.set(name, known);
    return known;
  }
}
