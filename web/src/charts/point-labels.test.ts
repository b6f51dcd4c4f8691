import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointLabels } from './point-labels.ts';

const labels = ['one', 'two'];

const cases = [
  { name: 'days of one year leave the year out', days: ['2026-11-08', '2026-11-09'], expected: ['8. Nov.', '9. Nov.'] },
  {
    name: 'days of two years tell which',
    days: ['2025-12-31', '2026-01-01'],
    expected: ['31. Dez. 2025', '1. Jan. 2026'],
  },
  {
    name: 'hours come with their day',
    days: ['2026-11-08 00:00:00', '2026-11-08 13:00:00'],
    expected: ['8. Nov., 00:00', '8. Nov., 13:00'],
  },
  { name: 'what is no time keeps its words', days: [1, 2], expected: labels },
  { name: 'an answer without points keeps its words', days: [], expected: labels },
];

for (const { name, days, expected } of cases) {
  test(name, () => assert.deepEqual(pointLabels({ days, labels }, 'de'), expected));
}
