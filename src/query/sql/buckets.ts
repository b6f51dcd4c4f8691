// Points of time in SQL. The bounds are the same ones that the answer is shaped by, so no clock of the engine can disagree.
import type { BoundValues } from '../../filters/bound-values.ts';

/**
 * A whole number for each time: in which of the intervals it is that begin with these points (`listPoints`), as
 * `bucketKeys` numbers them. The range is a condition of its own.
 */
export function bucketSql(timestamp: string, points: readonly number[], bound: BoundValues): string {
  if (points.length === 1) return 'toUInt16(0)';
  const even = findSteps(points);
  if (!even) return roundedSql(timestamp, bound.bind('Array(Int64)', points));
  // The last interval may be longer than the others: a month, or a day on which clocks go back.
  return `least(toUInt16(${stepSql(timestamp, even)}), ${points.length - 1})`;
}

/**
 * What `bucketSql` gives for each of the points: their places, for small numbers are quicker to group by; or themselves where
 * intervals differ in length, for there a search finds the point, and one more would be needed for its place.
 */
export function bucketKeys(points: readonly number[]): readonly number[] {
  return findSteps(points) ? points.map((_, at) => at) : points;
}

/** Int32: in which of the intervals that begin with these points the time is, counted from 0; beyond them where it is. */
export function placeSql(timestamp: string, points: readonly number[], bound: BoundValues): string {
  const even = findSteps(points);
  if (even) return `toInt32(${stepSql(timestamp, even)})`;
  const all = bound.bind('Array(Int64)', points);
  return `toInt32(indexOf(${all}, ${roundedSql(timestamp, all)}) - 1)`;
}

interface Steps {
  readonly first: number;
  readonly length: number;
}

/** Unless clocks change, or months differ, intervals are of one length, and a division tells in half the time of a search. */
function findSteps(points: readonly number[]): Steps | undefined {
  const [first = 0, second = first + 1] = points;
  const length = second - first;
  return points.every((point, at) => point === first + at * length) ? { first, length } : undefined;
}

/** In microseconds, as the store has its times: one division is enough. */
const stepSql = (timestamp: string, { first, length }: Steps): string =>
  `intDiv(toUnixTimestamp64Micro(${timestamp}) - ${first * 1_000_000}, ${length * 1_000_000})`;

const roundedSql = (timestamp: string, points: string): string =>
  `roundDown(toUnixTimestamp64Second(${timestamp}), ${points})`;

/** The time as the project's clocks show it, for what is not reckoned in points. */
export function zonedSql(timestamp: string, timezone: string, bound: BoundValues): string {
  return `toTimeZone(${timestamp}, ${bound.text(timezone)})`;
}
