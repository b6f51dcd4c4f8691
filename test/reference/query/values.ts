// Values of properties, filters and numbers as questions see them, said a second time, without SQL.
import { parseFilters } from '../../../src/filters/parse.ts';
import { holds } from '../property-filter.ts';
import type { Dataset, RawEvent } from './dataset.ts';

/** The plain text of a value; '' when there is none. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The number that a value is, or whose text it is. */
export function numberOf(value: unknown): number | undefined {
  const text = textOf(value);
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

export type PropertyPlace = 'event' | 'person' | 'group';

export function propertyOf(dataset: Dataset, event: RawEvent, place: PropertyPlace, key: string): unknown {
  if (place === 'event') return event.properties[key];
  if (place === 'person') return event.person_properties[key];
  const groupKey = textOf(event.properties.$group_0);
  return dataset.groups.find(({ group_key }) => group_key === groupKey)?.properties[key];
}

/** Whether the event passes filters about itself and its person. */
export function passes(dataset: Dataset, event: RawEvent, filters: unknown): boolean {
  const parsed = parseFilters(filters ?? [], { type: 'event', nowMs: dataset.now });
  return holds(parsed, ({ type, key }) => propertyOf(dataset, event, type as PropertyPlace, key));
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Between two values it lies as far as the level says. Places count from 1, so that fractions round as the engine's do. */
export function quantile(numbers: readonly number[], level: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const place = level * (sorted.length - 1) + 1;
  const low = Math.floor(place);
  const [below, above] = [sorted[low - 1] ?? 0, sorted[Math.min(low, sorted.length - 1)] ?? 0];
  return below + (place - low) * (above - below);
}

export const statistics: Readonly<Record<string, (numbers: readonly number[]) => number>> = {
  avg: (numbers) => sum(numbers) / numbers.length,
  sum,
  min: (numbers) => Math.min(...numbers),
  max: (numbers) => Math.max(...numbers),
  median: (numbers) => quantile(numbers, 0.5),
  p75: (numbers) => quantile(numbers, 0.75),
  p90: (numbers) => quantile(numbers, 0.9),
  p95: (numbers) => quantile(numbers, 0.95),
  p99: (numbers) => quantile(numbers, 0.99),
};
