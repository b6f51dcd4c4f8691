import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countRuns, describeSchedule } from './schedule-words.ts';

const plain = { timezone: 'UTC', offset_day: null, offset_hour: null };

const cases = [
  { schedule: { ...plain, interval: 'hour' }, says: /^Every hour,/ },
  { schedule: { ...plain, interval: 'every 5 minutes' }, says: /^Every 5 minutes,/ },
  { schedule: { ...plain, interval: 'every 1 seconds' }, says: /^Every second,/ },
  { schedule: { ...plain, interval: 'day' }, says: /^Every day at 00:00 \(UTC\),/ },
  { schedule: { ...plain, interval: 'week' }, says: /^Every Thursday at 00:00 \(UTC\),/ },
  {
    schedule: { interval: 'week', timezone: 'Europe/Berlin', offset_day: 1, offset_hour: 6 },
    says: /^Every Monday at 06:00 \(Europe\/Berlin\),/,
  },
];

for (const { schedule, says } of cases) {
  test(`${schedule.interval} in ${schedule.timezone}: ${says.source}`, () => {
    assert.match(describeSchedule(schedule), says);
  });
}

test('a backfill takes a run for each interval', () => {
  const day = Date.UTC(2025, 0, 2) - Date.UTC(2025, 0, 1);
  assert.equal(countRuns('hour', 0, day), 24);
  assert.equal(countRuns('every 5 minutes', 0, day), 288);
  assert.equal(countRuns('day', day, 0), 0);
});
