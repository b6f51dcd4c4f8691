// Marks of a plot as paths. One point is two units wide and the plot a thousand high, whatever the size on the screen.
import type { Plot, PlotSeries } from './plot.ts';

export const TOP = 1000;
const BAND = 2;
/** Of the room of one point, what its bars take together. */
const BARS_SHARE = 0.7;

/** Where the room of a point begins. */
export const bandX = (index: number) => index * BAND;
const middleX = (index: number) => bandX(index) + BAND / 2;

/** From above, as screens count. */
export function toY({ ticks }: Pick<Plot, 'ticks'>, value: number): number {
  const [low, high] = [ticks[0]?.value ?? 0, ticks.at(-1)?.value ?? 1];
  return Math.round(((high - value) / (high - low)) * TOP);
}

/** What is not known leaves a gap. */
export function linePath(plot: Plot, { tops }: PlotSeries): string {
  const step = (value: number | null, index: number) => {
    if (value === null) return '';
    const isAfterGap = index === 0 || tops[index - 1] === null;
    return `${isAfterGap ? 'M' : 'L'}${middleX(index)},${toY(plot, value)}`;
  };
  return tops.map(step).join('');
}

/** Lines of no length, which round ends turn into dots: circles would be stretched with the plot. */
export const dotPath = (plot: Plot, { tops }: PlotSeries): string =>
  tops.map((value, index) => (value === null ? '' : `M${middleX(index)},${toY(plot, value)}h0`)).join('');

export function areaPath(plot: Plot, { tops, bases }: PlotSeries): string {
  const along = (values: readonly (number | null)[]) =>
    values.map((value, index) => `${middleX(index)},${toY(plot, value ?? 0)}`);
  return tops.length === 0 ? '' : `M${[...along(tops), ...along(bases).toReversed()].join('L')}Z`;
}

export function barPath(plot: Plot, { tops, bases, place: [at, count] }: PlotSeries): string {
  const width = (BAND * BARS_SHARE) / count;
  const round = (x: number) => Number(x.toFixed(3));
  const bar = (top: number | null, index: number) => {
    const base = bases[index] ?? 0;
    if (top === null || top === base) return '';
    const left = bandX(index) + (BAND * (1 - BARS_SHARE)) / 2 + at * width;
    return `M${round(left)},${toY(plot, base)}V${toY(plot, top)}h${round(width)}V${toY(plot, base)}z`;
  };
  return tops.map(bar).join('');
}
