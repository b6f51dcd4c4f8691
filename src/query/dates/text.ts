// Moments as the answers of queries write them, by the project's clocks.

import { offsetAt, wallTimeAt } from '../../platform/zone.ts';
import type { Interval } from './interval.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (number: number) => String(number).padStart(2, '0');

const showsTime = (interval: Interval) => interval === 'hour' || interval === 'minute' || interval === 'second';

/** `2025-03-01`, with ` 13:00:00` for hours and shorter. */
export function toDay(seconds: number, interval: Interval, zone: string): string {
  const { year, month, day, hour, minute, second } = wallTimeAt(zone, seconds * 1_000);
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return showsTime(interval) ? `${date} ${two(hour)}:${two(minute)}:${two(second)}` : date;
}

/** `1-Mar-2025`, with ` 13:00` for hours and shorter. */
export function toLabel(seconds: number, interval: Interval, zone: string): string {
  const { year, month, day, hour, minute } = wallTimeAt(zone, seconds * 1_000);
  const date = `${day}-${MONTHS[month - 1]}-${year}`;
  return showsTime(interval) ? `${date} ${two(hour)}:${two(minute)}` : date;
}

/** `2025-03-01T00:00:00Z`, or with the zone's own offset; microseconds where there are any. */
export function toIso(micros: number, zone: string): string {
  const ms = Math.floor(micros / 1_000);
  const offset = offsetAt(zone, ms);
  const { year, month, day, hour, minute, second } = wallTimeAt(zone, ms);
  const fraction = ((micros % 1_000_000) + 1_000_000) % 1_000_000;
  const time = `${two(hour)}:${two(minute)}:${two(second)}${fraction ? `.${String(fraction).padStart(6, '0')}` : ''}`;
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${time}${toOffset(offset)}`;
}

function toOffset(ms: number): string {
  if (ms === 0) return 'Z';
  const minutes = Math.round(Math.abs(ms) / 60_000);
  return `${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
