// Answers as comma-separated values, for spreadsheets.
import type { InsightQuery } from './nodes.ts';
import {
  breakdownText,
  type PathEdge,
  type QueryAnswer,
  type RetentionRow,
  seriesLabel,
  type TrendItem,
  toFunnels,
  totalOf,
} from './results.ts';

type Cell = string | number | null | undefined;

/** A cell that begins like a formula would be run by a spreadsheet; a quote before it makes it a text. */
const FORMULA = /^[=+\-@\t\r]/;

function toCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const toCsv = (rows: readonly (readonly Cell[])[]) =>
  `${rows.map((row) => row.map(toCell).join(',')).join('\r\n')}\r\n`;

const plain = (value: unknown): Cell =>
  typeof value === 'number' || value === null || value === undefined
    ? value
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

export function toRows(query: InsightQuery, { results, columns }: QueryAnswer): Cell[][] {
  switch (query.kind) {
    case 'TrendsQuery':
    case 'StickinessQuery':
    case 'LifecycleQuery':
      return seriesRows(results as TrendItem[]);
    case 'FunnelsQuery':
      return Array.isArray(results) ? funnelRows(results) : [];
    case 'RetentionQuery':
      return (results as RetentionRow[]).map(({ date, values }) => [
        date,
        ...values.map(({ count, aggregation_value }) => aggregation_value ?? count),
      ]);
    case 'PathsQuery':
      return [
        ['from', 'to', 'people'],
        ...(results as PathEdge[]).map(({ source, target, value }) => [source, target, value]),
      ];
    case 'HogQLQuery':
      return [columns ?? [], ...(results as unknown[][]).map((row) => row.map(plain))];
  }
}

function seriesRows(items: readonly TrendItem[]): Cell[][] {
  const days = items.find(({ data }) => data && data.length > 0)?.days ?? [];
  if (days.length === 0) return [['series', 'total'], ...items.map((item) => [seriesLabel(item), totalOf(item)])];
  return [['series', ...days], ...items.map((item) => [seriesLabel(item), ...(item.data ?? [])])];
}

function funnelRows(results: unknown[]): Cell[][] {
  const rows = toFunnels(results).flatMap((funnel) =>
    funnel.map(({ order, name, custom_name, count, breakdown_value, median_conversion_time }) => [
      order + 1,
      custom_name || name,
      breakdown_value === undefined ? '' : breakdownText(breakdown_value),
      count,
      median_conversion_time,
    ]),
  );
  return [['step', 'name', 'breakdown', 'people', 'median seconds'], ...rows];
}
