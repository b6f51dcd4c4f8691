// Windows of days that slide along the points of a chart, for those who were active in the last 7 or 30 days.
import { momentOf, wallTimeAt } from '../../../platform/zone.ts';
import { endOfPoint, type Period } from '../periods.ts';
import type { TrendsPlan } from './plan.ts';

export interface Windows {
  /** Seconds at which any window begins or ends, in order; between two of them the same windows are open. */
  readonly cuts: readonly number[];
  /** For the time that begins with each cut: the number of the first open window, from 1, and how many are open. */
  readonly firstOpen: readonly number[];
  readonly openCount: readonly number[];
  /** Seconds; when the first window begins. */
  readonly from: number;
}

/** Each window ends with its interval; the one of a whole period ends with the period. Days are those of the wall clock. */
export function planWindows(
  { interval, around, isTotal }: TrendsPlan,
  { points, range }: Period,
  days: number,
): Windows {
  const ends = isTotal
    ? [Math.ceil(range.toMicros / 1_000_000)]
    : points.map((_, at) => endOfPoint(at, interval, points, around));
  const starts = ends.map((end) => {
    const wall = wallTimeAt(around.timezone, end * 1_000);
    return momentOf(around.timezone, { ...wall, day: wall.day - days }) / 1_000;
  });
  const cuts = [...new Set([...starts, ...ends])].sort((one, other) => one - other);
  // Windows begin and end in order, so those that are open at a cut stand in a row.
  let [firstOpen, opened] = [0, 0];
  const open = cuts.map((cut) => {
    while (firstOpen < ends.length && ends[firstOpen]! <= cut) firstOpen += 1;
    while (opened < starts.length && starts[opened]! <= cut) opened += 1;
    return { first: firstOpen + 1, count: Math.max(opened - firstOpen, 0) };
  });
  return {
    cuts,
    firstOpen: open.map(({ first }) => first),
    openCount: open.map(({ count }) => count),
    from: cuts[0]!,
  };
}
