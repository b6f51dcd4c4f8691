import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SHOWN_MAX, Tally } from './tally.ts';

const id = (n: number) => `0195a1c2-7f00-7000-8000-${n.toString(16).padStart(12, '0')}`;
async function* all(count: number) {
  for (let n = 0; n < count; n += 1) yield id(n);
}

test('what is missing, repeated or unexpected is found, however many there are', async () => {
  const tally = new Tally();
  await tally.expect(all(5_000));
  for (let n = 0; n < 5_000; n += 1) if (n !== 17 && n !== 4_999) tally.find(id(n));
  for (const extra of [id(3), id(3), id(9).toUpperCase(), id(5_000), 'nonsense']) tally.find(extra);
  assert.deepEqual(tally.differences(), {
    expected: 5_000,
    found: 5_003,
    missing_count: 2,
    repeated_count: 3,
    unexpected_count: 2,
    missing: [id(17), id(4_999)],
    repeated: [id(3), id(9)],
    unexpected: [id(5_000), 'nonsense'],
  });
});

test('nothing expected and nothing found is no difference', async () => {
  const tally = new Tally();
  await tally.expect(all(0));
  const { expected, found, missing_count } = tally.differences();
  assert.deepEqual([expected, found, missing_count], [0, 0, 0]);
});

test('only the first of many differences are shown', async () => {
  const tally = new Tally();
  await tally.expect(all(1_000));
  const { missing, missing_count } = tally.differences();
  assert.deepEqual([missing.length, missing_count], [SHOWN_MAX, 1_000]);
});
