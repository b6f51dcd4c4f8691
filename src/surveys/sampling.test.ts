import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planSampling, shareOf } from './sampling.ts';

const sampling = {
  response_sampling_start_date: '2026-02-27T22:00:00Z',
  response_sampling_interval_type: 'day',
  response_sampling_interval: 4,
  response_sampling_limit: 10,
} as const;

test('a plan lets a greater share of people answer on each day, and in all as many as are wanted', () => {
  assert.deepEqual(planSampling(sampling), [
    { date: '2026-02-27', daily_response_limit: 3, rollout_percentage: 25 },
    { date: '2026-02-28', daily_response_limit: 5, rollout_percentage: 50 },
    { date: '2026-03-01', daily_response_limit: 8, rollout_percentage: 75 },
    { date: '2026-03-02', daily_response_limit: 10, rollout_percentage: 100 },
  ]);
});

test('weeks and months are seven and thirty days; without a type it is weeks', () => {
  const daysOf = (type: 'week' | 'month' | null) =>
    planSampling({ ...sampling, response_sampling_interval: 2, response_sampling_interval_type: type })?.length;
  assert.deepEqual([daysOf('week'), daysOf('month'), daysOf(null)], [14, 60, 14]);
});

for (const missing of ['response_sampling_start_date', 'response_sampling_interval', 'response_sampling_limit']) {
  test(`without ${missing} there is no plan`, () => {
    assert.equal(planSampling({ ...sampling, [missing]: null }), undefined);
  });
}

const shares: [title: string, responses: number, now: string, share: number][] = [
  ['before the first day nobody is asked', 0, '2026-02-26T12:00:00Z', 0],
  ['on the first day a part is', 0, '2026-02-27T00:00:00Z', 25],
  ['with answers enough for the day nobody else is', 3, '2026-02-27T12:00:00Z', 0],
  ['the next day goes on', 3, '2026-02-28T00:00:00Z', 50],
  ['after the last day everybody is, while answers are missing', 9, '2026-05-01T00:00:00Z', 100],
  ['with all answers nobody is', 10, '2026-05-01T00:00:00Z', 0],
];
for (const [title, responses, now, share] of shares) {
  test(title, () => {
    assert.equal(shareOf(planSampling(sampling) ?? [], responses, Date.parse(now)), share);
  });
}
