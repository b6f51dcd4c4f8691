// What is asked, and how long an answer may take.
import type { peers } from './peers.ts';

export interface Question {
  readonly name: keyof typeof peers;
  readonly query: Record<string, unknown>;
  /** From the request to the answer, of a million events. */
  readonly maxMs?: number;
}

const series = (...events: string[]) => events.map((event) => ({ kind: 'EventsNode', event }));
const dateRange = { date_from: '2025-06-01', date_to: '2025-06-30' };

export const questions: readonly Question[] = [
  {
    name: 'daily trend with uniques',
    query: { kind: 'TrendsQuery', dateRange, series: [{ ...series('$pageview')[0], math: 'dau' }] },
    maxMs: 200,
  },
  {
    name: 'breakdown by a property',
    query: {
      kind: 'TrendsQuery',
      dateRange,
      series: series('$pageview'),
      breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' },
    },
  },
  {
    name: '3-step funnel',
    query: { kind: 'FunnelsQuery', dateRange, series: series('$pageview', 'added to cart', 'purchased') },
    maxMs: 150,
  },
  {
    name: 'day retention 30 × 30',
    query: {
      kind: 'RetentionQuery',
      dateRange,
      retentionFilter: {
        period: 'Day',
        totalIntervals: 30,
        retentionType: 'retention_recurring',
        targetEntity: { id: '$pageview', type: 'events' },
        returningEntity: { id: '$pageview', type: 'events' },
      },
    },
    maxMs: 400,
  },
  { name: 'lifecycle', query: { kind: 'LifecycleQuery', dateRange, series: series('$pageview') } },
  {
    name: 'paths',
    query: { kind: 'PathsQuery', dateRange, pathsFilter: { includeEventTypes: ['$pageview'] } },
  },
  {
    name: 'a person-property filter',
    query: {
      kind: 'TrendsQuery',
      dateRange,
      series: series('$pageview'),
      properties: [{ key: 'plan', value: 'pro', type: 'person' }],
    },
  },
];
