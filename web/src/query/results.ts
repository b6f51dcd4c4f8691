// Answers as the API gives them, by the kind of the question.

export interface TrendItem {
  label: string;
  count: number;
  data: number[] | null;
  labels?: string[];
  days?: (string | number)[];
  breakdown_value?: unknown;
  compare_label?: 'current' | 'previous';
  aggregated_value?: number;
  /** Lifecycle: new, returning, resurrecting or dormant. */
  status?: string;
  action?: { order?: number; name?: string | null } | null;
}

export interface FunnelStep {
  name: string;
  custom_name?: string | null;
  order: number;
  count: number;
  average_conversion_time: number | null;
  median_conversion_time: number | null;
  breakdown?: unknown;
  breakdown_value?: unknown;
}

export interface RetentionRow {
  date: string;
  label: string;
  /** An amount stands beside the number of people when one was asked for. */
  values: { count: number; aggregation_value?: number; label?: string }[];
  breakdown_value?: unknown;
}

export interface PathEdge {
  source: string;
  target: string;
  value: number;
  average_conversion_time: number;
}

export interface QueryAnswer {
  results: unknown;
  columns?: string[] | null;
  types?: unknown[] | null;
  hasMore?: boolean | null;
  hogql?: string | null;
  is_cached?: boolean;
  last_refresh?: string | null;
  timezone?: string | null;
}

const BREAKDOWN_OTHER = '$$_posthog_breakdown_other_$$';
const BREAKDOWN_NONE = '$$_posthog_breakdown_null_$$';

/** Breakdown values in words. */
export function breakdownText(value: unknown): string {
  if (Array.isArray(value)) return value.map(breakdownText).join(' · ');
  if (value === BREAKDOWN_OTHER) return 'Other';
  if (value === BREAKDOWN_NONE || value === null || value === '') return 'None';
  return String(value);
}

/** What a series is called: labels hold the breakdown's special values as they are. */
export function seriesLabel({ label, breakdown_value, compare_label }: TrendItem): string {
  const text = label.replaceAll(BREAKDOWN_OTHER, 'Other').replaceAll(BREAKDOWN_NONE, 'None');
  const named = text === '' ? breakdownText(breakdown_value) : text;
  return compare_label === 'previous' ? `${named} (before)` : named;
}

export const totalOf = ({ aggregated_value, count }: TrendItem) => aggregated_value ?? count;

/** Several funnels side by side when the question has a breakdown. */
export function toFunnels(results: unknown): FunnelStep[][] {
  const list = results as FunnelStep[] | FunnelStep[][];
  if (list.length === 0) return [];
  return Array.isArray(list[0]) ? (list as FunnelStep[][]) : [list as FunnelStep[]];
}
