// What became of accepted events, hour by hour, as series to draw. Pure.
import type { Ingestion } from '../../api/use-ingestion.ts';
import type { TrendItem } from '../../query/results.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** With more hours than this, days are easier to read. */
const HOURS_MAX = 72;

interface Bucket {
  stored: number;
  waiting: number;
  dropped: Record<string, number>;
}

const reasonText = (reason: string) => `dropped: ${reason.replaceAll('_', ' ')}`;

/** A series for what was stored, one for what waits, and one for each reason that something was dropped for. */
export function ingestionSeries(
  { from, to, hours }: Pick<Ingestion, 'from' | 'to' | 'hours'>,
  toLabel: (iso: string, isDay: boolean) => string,
): TrendItem[] {
  const isDays = Date.parse(to) - Date.parse(from) > HOURS_MAX * HOUR_MS;
  const stepMs = isDays ? DAY_MS : HOUR_MS;
  const first = Math.floor(Date.parse(from) / stepMs) * stepMs;
  const count = Math.ceil((Date.parse(to) - first) / stepMs);
  const buckets = Array.from({ length: count }, (): Bucket => ({ stored: 0, waiting: 0, dropped: {} }));
  for (const { hour, stored, waiting, dropped } of hours) {
    const bucket = buckets[Math.floor((Date.parse(hour) - first) / stepMs)];
    if (!bucket) continue;
    bucket.stored += stored;
    bucket.waiting += waiting;
    for (const [reason, events] of Object.entries(dropped)) {
      bucket.dropped[reason] = (bucket.dropped[reason] ?? 0) + events;
    }
  }
  const labels = buckets.map((_, index) => toLabel(new Date(first + index * stepMs).toISOString(), isDays));
  const series = (label: string, pick: (bucket: Bucket) => number): TrendItem => {
    const data = buckets.map(pick);
    return { label, labels, days: labels, data, count: data.reduce((sum, value) => sum + value, 0) };
  };
  const reasons = [...new Set(buckets.flatMap(({ dropped }) => Object.keys(dropped)))].sort();
  return [
    series('stored', ({ stored }) => stored),
    series('waiting', ({ waiting }) => waiting),
    ...reasons.map((reason) => series(reasonText(reason), ({ dropped }) => dropped[reason] ?? 0)),
  ].filter(({ label, count }) => label === 'stored' || count > 0);
}
