// Wall clocks: what a moment is called in a time zone, and which moment a name there means, by the rules that come with
// Node. Moments are milliseconds.

/** What a wall clock shows; months count from 1. Parts may overflow (day 0, month 13) and mean what they would. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour?: number;
  minute?: number;
  second?: number;
  ms?: number;
}

const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}

/** Whether the zone is known: `Europe/Berlin`. */
export function isZone(zone: string): boolean {
  try {
    // Offsets such as +02:00 are understood as well, but they are no zones: they know no summer.
    return /^[A-Za-z]/.test(zone) && formatOf(zone) !== undefined;
  } catch {
    return false;
  }
}

/** How far the zone's clocks are ahead of UTC at that moment. */
export function offsetAt(zone: string, ms: number): number {
  if (zone === 'UTC') return 0;
  const found: Record<string, string> = {};
  for (const { type, value } of formatOf(zone).formatToParts(ms)) found[type] = value;
  const year = found.era === 'BC' ? 1 - Number(found.year) : Number(found.year);
  const shown = utc({
    year,
    month: Number(found.month),
    day: Number(found.day),
    hour: Number(found.hour),
    minute: Number(found.minute),
    second: Number(found.second),
  });
  return shown - Math.floor(ms / 1_000) * 1_000;
}

function utc({ year, month, day, hour = 0, minute = 0, second = 0, ms = 0 }: WallTime): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second, ms);
}

export function wallTimeAt(zone: string, ms: number): Required<WallTime> {
  const shown = new Date(toLocal(zone, ms));
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
    second: shown.getUTCSeconds(),
    ms: shown.getUTCMilliseconds(),
  };
}

/** What the clocks there show, as if they were in UTC. */
export const toLocal = (zone: string, ms: number): number => ms + offsetAt(zone, ms);

/** The moment at which clocks there show this. */
export const momentOf = (zone: string, wall: WallTime): number => fromLocal(zone, utc(wall));

/**
 * The moment at which clocks there show what clocks in UTC show at `local`. A time that clocks show twice means the first;
 * one that they skip means as long after the gap began, so that a day whose midnight is skipped begins with the first
 * moment there is.
 */
export function fromLocal(zone: string, local: number): number {
  const before = offsetAt(zone, local - DAY_MS);
  const after = offsetAt(zone, local + DAY_MS);
  if (before === after) return local - before;
  const early = local - before;
  if (offsetAt(zone, early) === before) return early;
  const late = local - after;
  // Skipped: neither reading is shown. The offset from before the gap lands just as far after it.
  return offsetAt(zone, late) === after ? late : early;
}
