// Ends of a date range as people and SDKs write them, in the project's time zone.
import { momentOf, type WallTime, wallTimeAt } from '../../platform/zone.ts';

export interface ReadMoment {
  /** Microseconds since 1970. */
  micros: number;
  /** Reckoned from now; the unit says how exactly it was meant. */
  relative?: Unit;
  /** A date without a time: all of its day. */
  isDate: boolean;
  /** `Start` or `End` was said, so nothing is to be rounded any more. */
  isSnapped: boolean;
}

const RELATIVE = /^(-?)(\d{1,6})?([hdwmqyMs])(Start|End)?$/;
const ABSOLUTE =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

export type Unit = 's' | 'M' | 'h' | 'd' | 'w' | 'm' | 'q' | 'y';

/** Undefined when the text names no moment. */
export function readMoment(text: string, nowMs: number, zone: string): ReadMoment | undefined {
  const given = text.trim();
  return readAbsolute(given, zone) ?? readRelative(given, nowMs, zone);
}

function readAbsolute(text: string, zone: string): ReadMoment | undefined {
  const match = ABSOLUTE.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '', offset] = match;
  const wall = { year: Number(year), month: Number(month), day: Number(day) };
  if (!isRealDay(wall)) return undefined;
  if (hour === undefined) return { micros: momentOf(zone, wall) * 1_000, isDate: true, isSnapped: false };
  const clock = { hour: Number(hour), minute: Number(minute), second: Number(second) };
  if (clock.hour > 23 || clock.minute > 59 || clock.second > 59) return undefined;
  const ms = offset ? momentOf('UTC', { ...wall, ...clock }) - offsetMs(offset) : momentOf(zone, { ...wall, ...clock });
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  return { micros: ms * 1_000 + micros, isDate: false, isSnapped: false };
}

function isRealDay({ year, month, day }: WallTime): boolean {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && month >= 1 && month <= 12 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function offsetMs(offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0;
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset)!;
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
}

const FIXED_MS = { s: 1_000, M: 60_000, h: 3_600_000 } as const;
const DAYS = { d: 1, w: 7, q: 91 } as const;
const MONTHS = { m: 1, y: 12 } as const;

/** `-7d`, `7d`: that long ago by the wall clock. `mStart`, `-1mEnd`: the beginning or the end of that month. */
function readRelative(text: string, nowMs: number, zone: string): ReadMoment | undefined {
  const match = RELATIVE.exec(text);
  if (!match) return undefined;
  const [, , digits = '0', letter, edge] = match;
  if (match[2] === undefined && !edge) return undefined;
  const unit = letter as Unit;
  const ms = ago(Number(digits), unit, nowMs, zone);
  if (Number.isNaN(ms)) return undefined;
  const micros = edge ? snap(edge as 'Start' | 'End', unit, ms, zone) : ms * 1_000;
  return { micros, relative: unit, isDate: false, isSnapped: edge !== undefined };
}

function ago(count: number, unit: Unit, nowMs: number, zone: string): number {
  if (unit === 's' || unit === 'M' || unit === 'h') return nowMs - count * FIXED_MS[unit];
  const wall = wallTimeAt(zone, nowMs);
  if (unit === 'd' || unit === 'w' || unit === 'q') {
    return momentOf(zone, { ...wall, day: wall.day - count * DAYS[unit] });
  }
  return momentOf(zone, monthsBefore(wall, count * MONTHS[unit]));
}

/** The same day of an earlier month, or its last one where there is no such day. */
function monthsBefore(wall: Required<WallTime>, months: number): WallTime {
  const lastDay = new Date(Date.UTC(wall.year, wall.month - months, 0)).getUTCDate();
  return { ...wall, month: wall.month - months, day: Math.min(wall.day, lastDay) };
}

/** Microseconds. The end is the last microsecond before the next beginning. */
function snap(edge: 'Start' | 'End', unit: Unit, ms: number, zone: string): number {
  const { year, month, day, hour, minute } = wallTimeAt(zone, ms);
  const next = edge === 'End' ? 1 : 0;
  const at = (wall: WallTime) => momentOf(zone, wall) * 1_000 - next;
  switch (unit) {
    case 's':
      return (Math.floor(ms / 1_000) + next) * 1_000_000 - next;
    case 'M':
      return at({ year, month, day, hour, minute: minute + next });
    case 'h':
      return at({ year, month, day, hour: hour + next });
    case 'm':
      return at({ year, month: month + next, day: 1 });
    case 'y':
      return at({ year: year + next, month: 1, day: 1 });
    default:
      return at({ year, month, day: day + next });
  }
}
