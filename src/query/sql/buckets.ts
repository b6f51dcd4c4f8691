// Points of time in SQL.
import type { BoundValues } from '../../filters/bound-values.ts';

/**
 * Int64, seconds since 1970: the beginning of the interval that the time is in. `points` are all the beginnings
 * (`listPoints`); what is earlier than the first counts as the first, so the range is a condition of its own. The bounds
 * are the same ones that the answer is shaped by, so no clock of the engine can disagree.
 */
export function bucketSql(timestamp: string, points: readonly number[], bound: BoundValues): string {
  const seconds = `toUnixTimestamp64Second(${timestamp})`;
  const even = findSteps(points);
  if (!even) return `roundDown(${seconds}, ${bound.bind('Array(Int64)', points)})`;
  const { first, length } = even;
  const place = `least(greatest(intDiv(${seconds} - ${first}, ${length}), 0), ${points.length - 1})`;
  return `toInt64(${first} + ${place} * ${length})`;
}

/** Int32: in which of the intervals that begin with these points the second is, counted from 0. */
export function placeSql(seconds: string, points: readonly number[], bound: BoundValues): string {
  const even = findSteps(points);
  if (even) return `toInt32(intDiv(${seconds} - ${even.first}, ${even.length}))`;
  const all = bound.bind('Array(Int64)', points);
  return `toInt32(indexOf(${all}, roundDown(${seconds}, ${all})) - 1)`;
}

/** Unless clocks change, or months differ, intervals are of one length, and a division tells in half the time of a search. */
function findSteps(points: readonly number[]): { first: number; length: number } | undefined {
  const [first = 0, second = first + 1] = points;
  const length = second - first;
  return points.every((point, at) => point === first + at * length) ? { first, length } : undefined;
}

/** The time as the project's clocks show it, for what is not reckoned in points. */
export function zonedSql(timestamp: string, timezone: string, bound: BoundValues): string {
  return `toTimeZone(${timestamp}, ${bound.text(timezone)})`;
}
