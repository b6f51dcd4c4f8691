import type { DateRange } from '../query/nodes.ts';

export const presets: readonly { label: string; range: DateRange }[] = [
  { label: 'Today', range: { date_from: 'dStart', date_to: null } },
  { label: 'Last 24 hours', range: { date_from: '-24h', date_to: null } },
  { label: 'Last 7 days', range: { date_from: '-7d', date_to: null } },
  { label: 'Last 14 days', range: { date_from: '-14d', date_to: null } },
  { label: 'Last 30 days', range: { date_from: '-30d', date_to: null } },
  { label: 'Last 90 days', range: { date_from: '-90d', date_to: null } },
  { label: 'Last 180 days', range: { date_from: '-180d', date_to: null } },
  { label: 'This month', range: { date_from: 'mStart', date_to: null } },
  { label: 'Last month', range: { date_from: '-1mStart', date_to: '-1mEnd' } },
  { label: 'This year', range: { date_from: 'yStart', date_to: null } },
  { label: 'All time', range: { date_from: 'all', date_to: null } },
];

/** A range in words; undefined when there is none. */
export function rangeText({ date_from, date_to }: DateRange): string | undefined {
  if (!date_from && !date_to) return undefined;
  const preset = presets.find(
    ({ range }) => range.date_from === date_from && (range.date_to ?? null) === (date_to ?? null),
  );
  if (preset) return preset.label;
  return `${date_from ?? '…'} – ${date_to ?? 'now'}`;
}
