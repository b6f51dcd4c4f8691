// Local time and UTC, by the zone rules that come with Node. Pure.

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  return format;
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

/** What the clocks on the wall show, as if they were in UTC. */
export function toLocal(zone: string, ms: number): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<string, number>;
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const millisecond = ((ms % 1_000) + 1_000) % 1_000;
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

const DAY_MS = 86_400_000;

/**
 * When the clocks on the wall show this. A time that they show twice means the first one; one that they skip means as
 * long after the change as it is after the last time shown before.
 */
export function fromLocal(zone: string, local: number): number {
  const offsetAt = (ms: number) => toLocal(zone, ms) - ms;
  const [before, after] = [offsetAt(local - DAY_MS), offsetAt(local + DAY_MS)];
  if (offsetAt(local - before) === before) return local - before;
  if (offsetAt(local - after) === after) return local - after;
  return local - before;
}
