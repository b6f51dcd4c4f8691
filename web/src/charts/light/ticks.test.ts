import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticksOf } from './ticks.ts';

const cases: { values: number[]; isWhole?: boolean; expected: number[] }[] = [
  { values: [0, 8], expected: [0, 2, 4, 6, 8] },
  { values: [13], expected: [0, 3, 6, 9, 12, 15] },
  { values: [0, 0.7], expected: [0, 0.2, 0.4, 0.6, 0.8] },
  { values: [2], isWhole: true, expected: [0, 1, 2] },
  { values: [-3, 10], expected: [-3, 0, 3, 6, 9, 12] },
  { values: [1_234_567], expected: [0, 300_000, 600_000, 900_000, 1_200_000, 1_500_000] },
  { values: [], expected: [0, 0.2, 0.4, 0.6, 0.8, 1] },
];

for (const { values, isWhole, expected } of cases) {
  test(`marks of an axis for ${values.join(', ') || 'nothing'}${isWhole ? ', whole' : ''}: ${expected.join(' ')}`, () => {
    assert.deepEqual(ticksOf(values, isWhole), expected);
  });
}
