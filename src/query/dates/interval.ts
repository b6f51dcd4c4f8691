// Buckets of time as a project's clocks have them. The bounds are computed here, once, and handed to the engine.
import { momentOf, offsetAt, wallTimeAt } from '../../platform/zone.ts';

export const INTERVALS = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

export interface Calendar {
  readonly timezone: string;
  readonly weekStartDay: 0 | 1;
}

const FIXED_MS = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const;

/** The beginning of the interval that the moment is in. */
export function startOf(interval: Interval, ms: number, { timezone, weekStartDay }: Calendar): number {
  if (interval === 'second' || interval === 'minute' || interval === 'hour') {
    const length = FIXED_MS[interval];
    return ms - modulo(ms + offsetAt(timezone, ms), length);
  }
  const { year, month, day } = wallTimeAt(timezone, ms);
  if (interval === 'month') return momentOf(timezone, { year, month, day: 1 });
  if (interval === 'day') return momentOf(timezone, { year, month, day });
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return momentOf(timezone, { year, month, day: day - modulo(weekday - weekStartDay, 7) });
}

/** The beginning of the interval `count` later, or earlier; `start` is the beginning of one. */
export function shift(interval: Interval, start: number, count: number, calendar: Calendar): number {
  if (interval === 'second' || interval === 'minute' || interval === 'hour') {
    return startOf(interval, start + count * FIXED_MS[interval], calendar);
  }
  const { year, month, day } = wallTimeAt(calendar.timezone, start);
  if (interval === 'month') return momentOf(calendar.timezone, { year, month: month + count, day: 1 });
  return momentOf(calendar.timezone, { year, month, day: day + count * (interval === 'week' ? 7 : 1) });
}

/** The beginnings of all intervals that `[fromMs, toMs)` touches, in order. */
export function listStarts(interval: Interval, fromMs: number, toMs: number, calendar: Calendar, max: number) {
  const starts: number[] = [];
  for (let at = startOf(interval, fromMs, calendar); at < toMs; ) {
    if (starts.length === max) return undefined;
    starts.push(at);
    const next = shift(interval, at, 1, calendar);
    // Clocks that go back within an hour would otherwise be waited for.
    at = next > at ? next : at + FIXED_MS.hour;
  }
  return starts;
}

const modulo = (value: number, by: number) => ((value % by) + by) % by;
