// Moments in filters and properties: absolute, or so long ago.

/** What is needed to read a moment: what time it is, and where a date without an offset begins. */
export interface Clock {
  readonly nowMs: number;
  /** A name of the IANA time zone database. */
  readonly timezone: string;
}

const RELATIVE = /^-?(\d+)([hdwmy])$/;
const RELATIVE_COUNT_MAX = 10_000;
const HOUR_MS = 3_600_000;
const ABSOLUTE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Milliseconds since 1970; undefined when the text is no date. */
export function parseMoment(text: string, clock: Clock): number | undefined {
  return parseRelative(text, clock.nowMs) ?? parseAbsolute(text, clock.timezone);
}

export const isRelative = (text: string): boolean => RELATIVE.test(text);

/** `7d` and `-7d` are both a week ago. A month ago is the same day of the last month, or that month's last day. */
function parseRelative(text: string, nowMs: number): number | undefined {
  const match = RELATIVE.exec(text);
  const count = Number(match?.[1]);
  if (!match || count >= RELATIVE_COUNT_MAX) return undefined;
  switch (match[2]) {
    case 'h':
      return nowMs - count * HOUR_MS;
    case 'd':
      return nowMs - count * 24 * HOUR_MS;
    case 'w':
      return nowMs - count * 7 * 24 * HOUR_MS;
    case 'm':
      return minusMonths(nowMs, count);
    default:
      return minusMonths(nowMs, count * 12);
  }
}

function minusMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}

function parseAbsolute(text: string, timezone: string): number | undefined {
  const match = ABSOLUTE.exec(text.trim());
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as number[];
  const fractionMs = Number(`0.${match[7] ?? 0}`) * 1000;
  if (!isRealDay(year!, month!, day!) || hour! > 23 || minute! > 59 || second! > 59) return undefined;
  const local = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) + fractionMs;
  const offset = match[8];
  if (offset) return local - offsetMs(offset);
  return timezone === 'UTC' ? local : local - zoneOffsetMs(timezone, local);
}

function isRealDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function offsetMs(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', '') || 0);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** How far the zone's clocks are ahead of UTC when they show `local`. */
function zoneOffsetMs(timezone: string, local: number): number {
  // The offset at the same reading of UTC's clock is right but near a change of the clocks; one more look settles it.
  const guess = offsetAt(timezone, local);
  return offsetAt(timezone, local - guess);
}

const formats = new Map<string, Intl.DateTimeFormat | undefined>();

function offsetAt(timezone: string, ms: number): number {
  if (!formats.has(timezone)) formats.set(timezone, openFormat(timezone));
  const name =
    formats
      .get(timezone)
      ?.formatToParts(ms)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.length > 3 ? offsetMs(name.slice(3)) : 0;
}

/** A zone that this machine does not know counts as UTC. */
function openFormat(timezone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}
