import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInt8, parseTimestamp } from './value-types.ts';

const timestamps = [
  ['2025-02-03 10:11:12.345678+00', '2025-02-03T10:11:12.345678Z'],
  ['2025-02-03 10:11:12+00', '2025-02-03T10:11:12Z'],
  ['2025-02-03 10:11:12.5+00', '2025-02-03T10:11:12.500000Z'],
  ['2025-02-03 10:11:12.000001+00', '2025-02-03T10:11:12.000001Z'],
  ['2025-01-01 00:30:00.25+01', '2024-12-31T23:30:00.250000Z'],
  ['2024-12-31 20:00:00-04:30', '2025-01-01T00:30:00Z'],
  ['1890-01-01 00:00:00+00:53:28', '1889-12-31T23:06:32Z'],
  ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00Z'],
  ['9999-12-31 23:59:59.999999+00', '9999-12-31T23:59:59.999999Z'],
  ['10000-01-01 00:00:00.5+00', '+010000-01-01T00:00:00.500000Z'],
  ['infinity', 'infinity'],
  ['-infinity', '-infinity'],
  ['0044-03-15 12:00:00+00 BC', '0044-03-15 12:00:00+00 BC'],
] as const;

for (const [text, expected] of timestamps) {
  test(`the timestamp ${text} is ${expected} on the wire`, () => {
    assert.equal(parseTimestamp(text), expected);
  });
}

test('a bigint is a number as long as a number can hold it', () => {
  assert.equal(parseInt8('9007199254740991'), 9_007_199_254_740_991);
  assert.equal(parseInt8('-1'), -1);
  assert.equal(parseInt8('9007199254740993'), '9007199254740993');
});
