// Texts that clients send as a time. Every form gives an instant on its own: nothing depends on this machine's zone.

/** Microseconds since 1970; exact in the years 1684 to 2255, and to 8 microseconds beyond. */
export type Micros = number;

export const MICROS_PER_MS = 1_000;
const MICROS_PER_SECOND = 1_000_000;
const MICROS_PER_MINUTE = 60 * MICROS_PER_SECOND;

const TIME = String.raw`(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9})\d*)?)?)?`;
const ZONE = String.raw`\s*(Z|UTC?|GMT|[+-]\d{2}(?::?\d{2})?)?`;

const ISO = new RegExp(`^(\\d{4})-(\\d{1,2})-(\\d{1,2})${TIME}${ZONE}$`, 'i');
const SLASHED = new RegExp(`^(\\d{4})/(\\d{1,2})/(\\d{1,2})${TIME}${ZONE}$`, 'i');
const MONTH_FIRST = new RegExp(`^(\\d{1,2})/(\\d{1,2})/(\\d{4})${TIME}${ZONE}$`, 'i');
const MAIL = new RegExp(`^(?:[a-z]{3},?\\s+)?(\\d{1,2})\\s+([a-z]{3})\\s+(\\d{4})${TIME}${ZONE}$`, 'i');
const WEEK = new RegExp(`^(\\d{4})-W(\\d{2})(?:-([1-7]))?${TIME}${ZONE}$`, 'i');
const DAY_OF_YEAR = new RegExp(`^(\\d{4})-(\\d{3})${TIME}${ZONE}$`, 'i');
const EPOCH = /^-?\d{1,16}(?:\.\d+)?$/;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Numbers from here on are milliseconds: as seconds they would lie in the year 5138. */
const SECONDS_BELOW = 100_000_000_000;

type Parts = (string | undefined)[];

/** The instant in this text; undefined when there is none. A text without a zone is in UTC. */
export function parseTimestamp(text: string): Micros | undefined {
  if (isPlainIso(text)) {
    const ms = Date.parse(text);
    if (!Number.isNaN(ms)) return ms * MICROS_PER_MS;
  }
  const trimmed = text.trim();
  if (EPOCH.test(trimmed)) return fromEpoch(Number(trimmed));
  for (const read of [readIso, readSlashed, readMonthFirst, readMail, readWeek, readDayOfYear]) {
    const micros = read(trimmed);
    if (micros !== undefined) return micros;
  }
  return undefined;
}

/** `2025-01-02T03:04:05.678Z`, as nearly every SDK writes it; the last days of months are left to those who count. */
function isPlainIso(text: string): boolean {
  return (
    text.length === 24 &&
    text.charCodeAt(10) === 0x54 &&
    text.charCodeAt(23) === 0x5a &&
    (text.charCodeAt(8) < 0x32 || (text.charCodeAt(8) === 0x32 && text.charCodeAt(9) < 0x39)) &&
    text.charCodeAt(4) === 0x2d &&
    text.charCodeAt(0) >= 0x30
  );
}

function fromEpoch(number: number): Micros {
  return Math.round(number * (Math.abs(number) < SECONDS_BELOW ? MICROS_PER_SECOND : MICROS_PER_MS));
}

function readIso(text: string): Micros | undefined {
  const [whole, year, month, day, ...rest] = ISO.exec(text) ?? [];
  return whole === undefined ? undefined : at(Number(year), Number(month), Number(day), rest);
}

function readSlashed(text: string): Micros | undefined {
  const [whole, year, month, day, ...rest] = SLASHED.exec(text) ?? [];
  return whole === undefined ? undefined : at(Number(year), Number(month), Number(day), rest);
}

function readMonthFirst(text: string): Micros | undefined {
  const [whole, month, day, year, ...rest] = MONTH_FIRST.exec(text) ?? [];
  return whole === undefined ? undefined : at(Number(year), Number(month), Number(day), rest);
}

function readMail(text: string): Micros | undefined {
  const [whole, day, month, year, ...rest] = MAIL.exec(text) ?? [];
  return whole === undefined
    ? undefined
    : at(Number(year), MONTHS.indexOf(month!.toLowerCase()) + 1, Number(day), rest);
}

/** The fourth of January is always in week one. */
function readWeek(text: string): Micros | undefined {
  const [whole, year, week, weekday = '1', ...rest] = WEEK.exec(text) ?? [];
  if (whole === undefined || Number(week) < 1 || Number(week) > 53) return undefined;
  const fourth = new Date(Date.UTC(Number(year), 0, 4));
  const mondayOfWeekOne = 4 - ((fourth.getUTCDay() + 6) % 7);
  return at(Number(year), 1, mondayOfWeekOne + (Number(week) - 1) * 7 + Number(weekday) - 1, rest, true);
}

function readDayOfYear(text: string): Micros | undefined {
  const [whole, year, day, ...rest] = DAY_OF_YEAR.exec(text) ?? [];
  if (whole === undefined || Number(day) < 1 || Number(day) > 366) return undefined;
  return at(Number(year), 1, Number(day), rest, true);
}

/** The time of day and zone on this date. A date that the calendar lacks is none, unless days may be counted on. */
function at(year: number, month: number, day: number, rest: Parts, countsOn = false): Micros | undefined {
  const [hour = '0', minute = '0', second = '0', fraction = '', zone] = rest;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!exists && !countsOn) return undefined;
  // A minute may have a second 60; it is the first of the next minute.
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  if (Number(hour) === 24 && Number(minute) + Number(second) > 0) return undefined;
  const seconds = Number(hour) * 3_600 + Number(minute) * 60 + Number(second);
  const micros = Number(fraction.padEnd(6, '0').slice(0, 6));
  return date.getTime() * MICROS_PER_MS + seconds * MICROS_PER_SECOND + micros - zoneMinutes(zone) * MICROS_PER_MINUTE;
}

function zoneMinutes(zone: string | undefined): number {
  const [whole, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? '') ?? [];
  if (whole === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** `2025-01-02 03:04:05.678901`, in UTC, as the event store reads and shows it. */
export function formatTimestamp(micros: Micros): string {
  const ms = Math.floor(micros / MICROS_PER_MS);
  const rest = String(micros - ms * MICROS_PER_MS).padStart(3, '0');
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', rest);
}
