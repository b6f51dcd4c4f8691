// Points of time in SQL.
import type { BoundValues } from '../../filters/bound-values.ts';

/**
 * Int64, seconds since 1970: the beginning of the interval that the time is in. `points` are all the beginnings
 * (`listPoints`); what is earlier than the first counts as the first, so the range is a condition of its own. The bounds
 * are the same ones that the answer is shaped by, so no clock of the engine can disagree.
 */
export function bucketSql(timestamp: string, points: readonly number[], bound: BoundValues): string {
  return `roundDown(toUnixTimestamp64Second(${timestamp}), ${bound.bind('Array(Int64)', points)})`;
}

/** The time as the project's clocks show it, for what is not reckoned in points. */
export function zonedSql(timestamp: string, timezone: string, bound: BoundValues): string {
  return `toTimeZone(${timestamp}, ${bound.text(timezone)})`;
}
