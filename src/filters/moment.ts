// Moments as people write them in filters: a date, a date with a time, or so long before now.

/** Half open, in microseconds since 1970. A date alone spans its day in UTC; anything else is one moment: `from` = `to`. */
export interface Moment {
  from: number;
  to: number;
}

const DAY_MS = 86_400_000;

const DATE = /^\d{4}-\d\d-\d\d$/;
/** A plus that was not escaped in an address arrives as a space, so `10:00:00 00:00` is understood as well. */
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:(Z)|\s*([+-]|(?<=\d) )(\d\d):?(\d\d))?$/i;
const RELATIVE = /^-(\d{1,6})([sMhdwmqy])(Start)?$/;

/** The moment that the text names; undefined when it names none. Without a zone it is UTC. */
export function parseMoment(text: string, nowMs: number): Moment | undefined {
  const given = text.trim();
  return parseDate(given) ?? parseDateTime(given) ?? parseRelative(given, nowMs);
}

function parseDate(text: string): Moment | undefined {
  const dayMs = DATE.test(text) ? midnight(text) : undefined;
  return dayMs === undefined ? undefined : { from: dayMs * 1_000, to: (dayMs + DAY_MS) * 1_000 };
}

function parseDateTime(text: string): Moment | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  const [, date = '', minutes = '', seconds = '00', fraction = '', , sign, zoneHours, zoneMinutes] = match;
  if (midnight(date) === undefined) return undefined;
  const ms = Date.parse(`${date}T${minutes}:${seconds}Z`);
  if (Number.isNaN(ms)) return undefined;
  const offsetMs = (Number(zoneHours ?? 0) * 60 + Number(zoneMinutes ?? 0)) * (sign === '-' ? -60_000 : 60_000);
  return moment(ms - offsetMs, Number(fraction.slice(0, 6).padEnd(6, '0')));
}

/** Start of a day that exists: the 30th of February does not. */
function midnight(date: string): number | undefined {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date) ? ms : undefined;
}

const UNIT_MS = { s: 1_000, M: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS } as const;
const UNIT_MONTHS = { m: 1, q: 3, y: 12 } as const;

/** `-7d`, `-1m`: that long ago. `-1dStart`: the beginning of that day. */
function parseRelative(text: string, nowMs: number): Moment | undefined {
  const [, digits, unit = '', start] = RELATIVE.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const ago = unit in UNIT_MS ? nowMs - Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS] : undefined;
  const ms = ago ?? monthsBefore(nowMs, Number(digits) * UNIT_MONTHS[unit as keyof typeof UNIT_MONTHS]);
  if (Number.isNaN(ms)) return undefined;
  return moment(start ? Math.floor(ms / DAY_MS) * DAY_MS : ms);
}

/** The same day of an earlier month, or its last one where there is no such day. */
function monthsBefore(ms: number, months: number): number {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, lastDay));
}

function moment(ms: number, micros = 0): Moment {
  const at = ms * 1_000 + micros;
  return { from: at, to: at };
}
