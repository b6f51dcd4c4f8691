// When an export runs, in words. Pure.
import type { Schedule } from '../../api/use-exports.ts';

export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

export const intervals = [
  { value: 'every 5 minutes', label: 'Every 5 minutes' },
  { value: 'every 15 minutes', label: 'Every 15 minutes' },
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
  { value: 'week', label: 'Every week' },
] as const;

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

/** A week of which nothing else is said begins as weeks are counted from 1970, which began on a Thursday. */
const dayOf = ({ offset_day, offset_hour, timezone }: Schedule) =>
  DAYS[offset_day ?? (timezone === 'UTC' && offset_hour === null ? 4 : 0)];

export function describeSchedule(schedule: Schedule): string {
  const { interval, timezone, offset_hour } = schedule;
  const at = `${clock(offset_hour ?? 0)} (${timezone})`;
  switch (interval) {
    case 'hour':
      return 'Every hour, what arrived in the hour before';
    case 'day':
      return `Every day at ${at}, what arrived in the day before`;
    case 'week':
      return `Every ${dayOf(schedule)} at ${at}, what arrived in the week before`;
    default:
      return `${interval.replace(/^every 1 (\w+)s$/, 'every $1').replace('every', 'Every')}, what arrived since the last time`;
  }
}

const HOUR_MS = 3_600_000;
const LENGTHS: Readonly<Record<string, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS };

/** Roughly: days on which clocks change are taken as any other. */
export function intervalMs(interval: string): number {
  const [, count = '60', unit] = /^every (\d+) (seconds|minutes)$/.exec(interval) ?? [];
  return LENGTHS[interval] ?? Number(count) * (unit === 'seconds' ? 1_000 : 60_000);
}

/** How many runs a backfill of these times takes. */
export const countRuns = (interval: string, fromMs: number, toMs: number): number =>
  Math.max(0, Math.round((toMs - fromMs) / intervalMs(interval)));
