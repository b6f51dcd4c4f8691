import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMoment } from './moment.ts';

const NOW = Date.UTC(2025, 2, 31, 12, 30, 15);
const micros = (...parts: [number, number, number, number?, number?, number?]) => Date.UTC(...parts) * 1_000;

const moments: [string, number][] = [
  ['2025-02-03T10:11:12Z', micros(2025, 1, 3, 10, 11, 12)],
  ['2025-02-03T10:11:12.5Z', micros(2025, 1, 3, 10, 11, 12) + 500_000],
  ['2025-02-03T10:11:12.345678901Z', micros(2025, 1, 3, 10, 11, 12) + 345_678],
  ['2025-02-03 10:11', micros(2025, 1, 3, 10, 11)],
  ['2025-02-03T10:11:12+02:00', micros(2025, 1, 3, 8, 11, 12)],
  ['2025-02-03T10:11:12-0530', micros(2025, 1, 3, 15, 41, 12)],
  ['2025-02-03T10:11:12 02:00', micros(2025, 1, 3, 8, 11, 12)],
  ['1969-12-31T23:59:59.999999Z', -1],
  ['-90s', micros(2025, 2, 31, 12, 28, 45)],
  ['-5M', micros(2025, 2, 31, 12, 25, 15)],
  ['-2h', micros(2025, 2, 31, 10, 30, 15)],
  ['-7d', micros(2025, 2, 24, 12, 30, 15)],
  ['-1w', micros(2025, 2, 24, 12, 30, 15)],
  ['-1m', micros(2025, 1, 28, 12, 30, 15)],
  ['-1q', micros(2024, 11, 31, 12, 30, 15)],
  ['-1y', micros(2024, 2, 31, 12, 30, 15)],
  ['-1dStart', micros(2025, 2, 30)],
];

for (const [text, expected] of moments) {
  test(`${text} is one moment`, () => assert.deepEqual(parseMoment(text, NOW), { from: expected, to: expected }));
}

test('a date alone is its whole day', () => {
  assert.deepEqual(parseMoment(' 2025-02-03 ', NOW), { from: micros(2025, 1, 3), to: micros(2025, 1, 4) });
});

for (const text of [
  '',
  'yesterday',
  '2025-02-30',
  '2025-13-01T00:00:00Z',
  '2025-02-03T25:00:00Z',
  '7d',
  '-7x',
  '-9999999d',
  '20250203',
]) {
  test(`${JSON.stringify(text)} is no moment`, () => assert.equal(parseMoment(text, NOW), undefined));
}
