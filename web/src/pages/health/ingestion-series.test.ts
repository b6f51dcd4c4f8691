import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ingestionSeries } from './ingestion-series.ts';

const hour = (at: string, stored: number, dropped: Record<string, number> = {}) => ({
  hour: at,
  accepted: stored,
  stored,
  dropped,
  waiting: 0,
});

test('every hour has a place, also those in which nothing happened', () => {
  const series = ingestionSeries(
    {
      from: '2025-01-01T00:00:00.000Z',
      to: '2025-01-01T04:00:00.000Z',
      hours: [hour('2025-01-01T01:00:00.000Z', 5, { duplicate: 2 }), hour('2025-01-01T03:00:00.000Z', 7)],
    },
    (iso) => iso.slice(11, 13),
  );

  assert.deepEqual(
    series.map(({ label, labels, data }) => ({ label, labels, data })),
    [
      { label: 'stored', labels: ['00', '01', '02', '03'], data: [0, 5, 0, 7] },
      { label: 'dropped: duplicate', labels: ['00', '01', '02', '03'], data: [0, 2, 0, 0] },
    ],
  );
});

test('a long time is told by days', () => {
  const [stored] = ingestionSeries(
    {
      from: '2025-01-01T00:00:00.000Z',
      to: '2025-01-08T00:00:00.000Z',
      hours: [hour('2025-01-02T01:00:00.000Z', 5), hour('2025-01-02T23:00:00.000Z', 7)],
    },
    (iso) => iso.slice(0, 10),
  );

  assert.equal(stored?.labels?.length, 7);
  assert.deepEqual(stored?.data?.slice(0, 3), [0, 12, 0]);
});
