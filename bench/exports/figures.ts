import { type Figure, median } from '../measure/figure.ts';
import type { Shipping } from './shipping.ts';

/** The share of the bare way's speed that has to be reached, as how many times as long it may take. */
const TIMES_AS_LONG_MAX = 1 / 0.6;
const ABOVE_IDLE_MB_MAX = 300;
/** However many rows there are, no more memory is needed, but for what happens to be collected when. */
const MORE_MB_MAX = 60;

/** What the bare way took for so many rows, in each turn. */
export interface Bare {
  name: string;
  rows: number;
  seconds: number[];
}

export const speed = (name: string, { rows, seconds }: Shipping): Figure => ({
  name,
  value: rows / seconds,
  unit: 'rows/s',
});

export function beside(name: string, bare: Bare, shippings: readonly Shipping[]): Figure {
  const secondsPerRow = median(shippings.map(({ rows, seconds }) => seconds / rows));
  const value = secondsPerRow / (median(bare.seconds) / bare.rows);
  return { name: `${name}: times as long as ${bare.name}`, value, unit: '', max: TIMES_AS_LONG_MAX };
}

/** @param fifth the run just before, so that both find the processes as warm: what they once needed they keep for a while */
export const memory = (name: string, fifth: Shipping, all: Shipping): Figure[] => [
  { name: `${name}: memory above idle, a fifth`, value: fifth.grownMb, unit: 'MB', max: ABOVE_IDLE_MB_MAX },
  { name: `${name}: memory above idle, all rows`, value: all.grownMb, unit: 'MB', max: ABOVE_IDLE_MB_MAX },
  { name: `${name}: more than for a fifth`, value: all.grownMb - fifth.grownMb, unit: 'MB', max: MORE_MB_MAX },
];
