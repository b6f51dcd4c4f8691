// When the intervals of an export begin and end. Pure: the clock is an argument, and all times are milliseconds.
import { fromLocal, toLocal } from '../../platform/zone.ts';

export interface Schedule {
  /** `hour`, `day`, `week` or `every 5 minutes`. */
  interval: string;
  timezone: string;
  /** 0 is Sunday; only of a week. */
  offset_day: number | null;
  /** Only of a day or a week. */
  offset_hour: number | null;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

const NAMED_MS: Readonly<Record<string, number>> = { hour: HOUR_MS, day: DAY_MS, week: WEEK_MS };
const EVERY = /^every ([1-9]\d{0,2}) (seconds|minutes)$/;
const EVERY_MS_MAX = DAY_MS;

/** How long an interval is, but for days on which clocks change; undefined when the text names none. */
export function intervalMs(interval: string): number | undefined {
  if (Object.hasOwn(NAMED_MS, interval)) return NAMED_MS[interval];
  const [, count, unit] = EVERY.exec(interval) ?? [];
  if (count === undefined) return undefined;
  const ms = Number(count) * (unit === 'seconds' ? SECOND_MS : MINUTE_MS);
  return ms <= EVERY_MS_MAX ? ms : undefined;
}

/** The last boundary that is not after this moment. */
export function boundaryAtOrBefore(schedule: Schedule, ms: number): number {
  const length = lengthOf(schedule);
  // Counted from 1970, which began on a Thursday: so does a week of which nothing else is said.
  if (!followsLocalTime(schedule)) return Math.floor(ms / length) * length;
  let day = localDay(schedule, ms) + 1;
  while (!isBoundaryDay(schedule, day) || boundaryOn(schedule, day) > ms) day -= 1;
  return boundaryOn(schedule, day);
}

/** The first boundary after this moment. */
export function boundaryAfter(schedule: Schedule, ms: number): number {
  const length = lengthOf(schedule);
  if (!followsLocalTime(schedule)) return (Math.floor(ms / length) + 1) * length;
  let day = localDay(schedule, ms) - 1;
  while (!isBoundaryDay(schedule, day) || boundaryOn(schedule, day) <= ms) day += 1;
  return boundaryOn(schedule, day);
}

/** The boundary before this one: where the interval begins that ends here. */
export function boundaryBefore(schedule: Schedule, boundary: number): number {
  return boundaryAtOrBefore(schedule, boundary - 1);
}

function lengthOf({ interval }: Schedule): number {
  const length = intervalMs(interval);
  if (length === undefined) throw new Error(`there is no interval "${interval}"`);
  return length;
}

/** Only days and weeks do; an hour is the same hour everywhere. */
function followsLocalTime({ interval, timezone, offset_day, offset_hour }: Schedule): boolean {
  if (interval !== 'day' && interval !== 'week') return false;
  return timezone !== 'UTC' || offset_hour !== null || (interval === 'week' && offset_day !== null);
}

/** Days of the calendar, counted from 1970. */
const localDay = ({ timezone }: Schedule, ms: number): number => Math.floor(toLocal(timezone, ms) / DAY_MS);

const THURSDAY = 4;

function isBoundaryDay({ interval, offset_day }: Schedule, day: number): boolean {
  return interval === 'day' || (((day + THURSDAY) % 7) + 7) % 7 === (offset_day ?? 0);
}

const boundaryOn = ({ timezone, offset_hour }: Schedule, day: number): number =>
  fromLocal(timezone, day * DAY_MS + (offset_hour ?? 0) * HOUR_MS);

export interface Bounds {
  /** No scheduled run before, and none after; null: no such bound. */
  startAtMs: number | null;
  endAtMs: number | null;
}

/** Where the first interval ends that is to be run after this moment; null when there is none any more. */
export function nextRunAfter(schedule: Schedule, { startAtMs, endAtMs }: Bounds, ms: number): number | null {
  const next = boundaryAfter(schedule, Math.max(ms, startAtMs === null ? ms : startAtMs - 1));
  return endAtMs !== null && next > endAtMs ? null : next;
}

/** Half open. */
export interface Interval {
  start: number;
  end: number;
}

/** The next interval of a backfill of `[from, until)`; undefined when none fits: a shorter rest is left out. */
export function nextInterval(schedule: Schedule, from: number, until: number): Interval | undefined {
  // A start between two boundaries means the whole interval it lies in, so that a backfill ships the very intervals
  // that scheduled runs ship, and replaces instead of repeating.
  const start = boundaryAtOrBefore(schedule, from);
  const end = boundaryAfter(schedule, start);
  return end <= until ? { start, end } : undefined;
}

/** How many intervals a backfill of `[from, until)` has. */
export function countIntervals(schedule: Schedule, from: number, until: number): number {
  const start = boundaryAtOrBefore(schedule, from);
  const end = boundaryAtOrBefore(schedule, until);
  // Days on which the clocks change are an hour longer or shorter, which rounding takes care of.
  return Math.max(0, Math.round((end - start) / lengthOf(schedule)));
}
