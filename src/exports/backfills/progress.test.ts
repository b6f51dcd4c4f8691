import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunStatus } from '../../metadata/tables-exports.ts';
import { progressOf } from './progress.ts';

const hourly = { interval: 'hour', timezone: 'UTC', offset_day: null, offset_hour: null };
const NOW = Date.parse('2025-03-04T20:00:00Z');
const backfill = (status: RunStatus, given: object = {}) => ({
  status,
  start_at: '2025-03-04T00:00:00Z' as string | null,
  end_at: '2025-03-04T10:00:00Z' as string | null,
  finished_at: null as string | null,
  is_retry: false,
  ...given,
});

const shown = (total_runs: number, finished_runs: number, progress: number) => ({
  total_runs,
  finished_runs,
  progress,
});

const cases: [
  title: string,
  given: ReturnType<typeof backfill>,
  finished: number,
  expected: ReturnType<typeof shown> | null,
][] = [
  ['at its beginning', backfill('Running'), 0, shown(10, 0, 0)],
  ['to one decimal', backfill('Running', { end_at: '2025-03-04T03:00:00Z' }), 1, shown(3, 1, 0.3)],
  ['with more runs than intervals', backfill('Running', { end_at: '2025-03-04T03:00:00Z' }), 4, shown(3, 4, 1)],
  ['completed', backfill('Completed'), 3, shown(10, 10, 1)],
  ['of everything, under way', backfill('Running', { start_at: null }), 0, null],
  ['of everything, completed', backfill('Completed', { start_at: null }), 1, shown(1, 1, 1)],
  ['without an end, under way', backfill('Running', { end_at: null }), 5, shown(20, 5, 0.3)],
  [
    'without an end, completed',
    backfill('Completed', { end_at: null, finished_at: '2025-03-04T05:00:00Z' }),
    5,
    shown(5, 5, 1),
  ],
  ['of one run again', backfill('Running', { is_retry: true }), 0, shown(1, 0, 0)],
  ['cancelled', backfill('Cancelled'), 5, null],
  ['failed', backfill('Failed'), 5, null],
];

for (const [title, given, finished, expected] of cases) {
  test(`a backfill ${title} is so far`, () => {
    assert.deepEqual(progressOf(given, hourly, finished, NOW), expected);
  });
}
