const MINUTE_MS = 60_000;

/** How far a zone is ahead of UTC then, in milliseconds. */
function offsetAt(ms: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

/** When a day (`2025-02-03`) begins in a time zone; undefined when it is no day. */
export function startOfDay(day: string, timeZone: string): number | undefined {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(midnight)) return undefined;
  const guess = midnight - offsetAt(midnight, timeZone);
  // On the day on which clocks change, the offset of the guess is the right one.
  return midnight - offsetAt(guess, timeZone);
}
