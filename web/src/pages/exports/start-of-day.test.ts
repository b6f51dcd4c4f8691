import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOfDay } from './start-of-day.ts';

const cases = [
  { day: '2025-02-03', zone: 'UTC', begins: '2025-02-03T00:00:00.000Z' },
  { day: '2025-02-03', zone: 'Europe/Berlin', begins: '2025-02-02T23:00:00.000Z' },
  { day: '2025-07-03', zone: 'Europe/Berlin', begins: '2025-07-02T22:00:00.000Z' },
  { day: '2025-03-30', zone: 'Europe/Berlin', begins: '2025-03-29T23:00:00.000Z' },
  { day: '2025-10-26', zone: 'America/New_York', begins: '2025-10-26T04:00:00.000Z' },
  { day: '2025-10-26', zone: 'Asia/Kolkata', begins: '2025-10-25T18:30:00.000Z' },
];

for (const { day, zone, begins } of cases) {
  test(`${day} in ${zone} begins at ${begins}`, () => {
    assert.equal(new Date(startOfDay(day, zone) ?? 0).toISOString(), begins);
  });
}

test('what is no day begins never', () => {
  assert.equal(startOfDay('', 'UTC'), undefined);
  assert.equal(startOfDay('2025-13-40', 'UTC'), undefined);
});
