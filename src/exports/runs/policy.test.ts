import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runMsMax, waitAfter } from './policy.ts';

const MINUTE_MS = 60_000;

test('each attempt waits twice as long as the one before, and no longer than two minutes', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 100, 10_000].map((attempt) => waitAfter(attempt)),
    [30_000, 60_000, 120_000, 120_000, 120_000, 120_000],
  );
});

const limits: [interval: string, minutes: number][] = [
  ['every 10 seconds', 20],
  ['every 5 minutes', 20],
  ['every 15 minutes', 60],
  ['hour', 6 * 60],
  ['day', 24 * 60],
  ['week', 3 * 24 * 60],
];

for (const [interval, minutes] of limits) {
  test(`a run of ${interval} may take ${minutes} minutes`, () => {
    assert.equal(runMsMax(interval), minutes * MINUTE_MS);
  });
}
