import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iterationsOf } from './iterations.ts';

const weekly = { start_date: '2026-03-01T10:00:00Z', iteration_count: 3, iteration_frequency_days: 7 };
const cases: [string, string, number][] = [
  ['before the start', '2026-02-01T00:00:00Z', 1],
  ['at the start', '2026-03-01T10:00:00Z', 1],
  ['a moment before the second round', '2026-03-08T09:59:59Z', 1],
  ['at the second round', '2026-03-08T10:00:00Z', 2],
  ['long after the last', '2027-01-01T00:00:00Z', 3],
];

for (const [when, now, expected] of cases) {
  test(`${when}, a survey of three weekly rounds is in round ${expected}`, () => {
    const { current_iteration, current_iteration_start_date, iteration_start_dates } = iterationsOf(
      weekly,
      Date.parse(now),
    );
    assert.equal(current_iteration, expected);
    assert.equal(current_iteration_start_date, iteration_start_dates![expected - 1]);
    assert.equal(iteration_start_dates![1], '2026-03-08T10:00:00.000Z');
  });
}

test('a survey that has not started, or comes once, has no rounds', () => {
  for (const recurrence of [
    { ...weekly, start_date: null },
    { ...weekly, iteration_count: null },
  ]) {
    assert.equal(iterationsOf(recurrence, 0).current_iteration, null);
  }
});
