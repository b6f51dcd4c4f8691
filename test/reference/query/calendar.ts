// Days as calendars have them, said a second time: dates are texts, and only `Intl` knows about clocks.
import type { Dataset } from './dataset.ts';

export type ReferenceInterval = 'hour' | 'day' | 'week' | 'month';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2025-03-30 02:15:00` by the clocks of the zone. */
function wallText(ms: number, timeZone: string): string {
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' });
  formats.set(timeZone, known);
  return known.format(ms);
}

/** `2025-03-30`: the date there. */
export const dateAt = (ms: number, timezone: string): string => wallText(ms, timezone).slice(0, 10);

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);

export function startOfInterval(date: string, interval: ReferenceInterval, weekStartDay: 0 | 1): string {
  if (interval === 'month') return `${date.slice(0, 7)}-01`;
  if (interval !== 'week') return date;
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, -((weekday - weekStartDay + 7) % 7));
}

export function nextInterval(date: string, interval: ReferenceInterval): string {
  if (interval === 'week') return addDays(date, 7);
  if (interval !== 'month') return addDays(date, 1);
  return `${addDays(`${date.slice(0, 7)}-28`, 4).slice(0, 7)}-01`;
}

/** A range of time with its points. Both `from` and `to` are included. */
export interface ReferenceRange {
  /** What the answer calls the points. */
  days: string[];
  /** Which point a moment belongs to; undefined when it is outside. */
  pointOf(ms: number): number | undefined;
  from: string;
  to: string;
}

/** Whole days, cut into intervals; the first point may begin before the range does. */
export function dayRange(
  { timezone, weekStartDay }: Pick<Dataset, 'timezone' | 'weekStartDay'>,
  interval: ReferenceInterval,
  from: string,
  to: string,
): ReferenceRange {
  const days: string[] = [];
  for (let at = startOfInterval(from, interval, weekStartDay); at <= to; at = nextInterval(at, interval)) days.push(at);
  return {
    days,
    from,
    to,
    pointOf(ms) {
      const date = dateAt(ms, timezone);
      if (date < from || date > to) return undefined;
      return days.indexOf(startOfInterval(date, interval, weekStartDay));
    },
  };
}

/** Hours up to the one that is now; only for zones whose clocks change by whole hours. */
export function hourRange({ timezone, now }: Dataset, hours: number): ReferenceRange {
  const minutes = Number(wallText(now, timezone).slice(14, 16));
  const seconds = Number(wallText(now, timezone).slice(17, 19));
  const thisHour = now - (now % 1_000) - seconds * 1_000 - minutes * 60_000;
  const first = thisHour - hours * HOUR_MS;
  const days = Array.from({ length: hours + 1 }, (_, n) => wallText(first + n * HOUR_MS, timezone));
  return {
    days,
    from: '',
    to: '',
    pointOf(ms) {
      const point = Math.floor((ms - first) / HOUR_MS);
      return point >= 0 && point <= hours ? point : undefined;
    },
  };
}
