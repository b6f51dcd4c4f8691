import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBlock, encodeBlock, splitIntoBlocks } from './block.ts';

const values = ['one', '', 'three', '\u0000', 'five'].map((text) => Buffer.from(text));

test('a block gives back its records, byte for byte, with their positions and time', () => {
  const records = [...decodeBlock(encodeBlock(values, 1234.5), 40)];

  assert.deepEqual(
    records.map(({ value }) => value),
    values,
  );
  assert.deepEqual(
    records.map(({ position }) => position),
    [40, 41, 42, 43, 44],
  );
  assert.ok(records.every(({ appendedAt }) => appendedAt === 1234.5));
});

test('a read may start inside a block', () => {
  const records = [...decodeBlock(encodeBlock(values, 0), 40, 43)];

  assert.deepEqual(
    records.map(({ position }) => position),
    [43, 44],
  );
});

test('a block of another form is refused, not misread', () => {
  const block = encodeBlock(values, 0);
  block[0] = 9;

  assert.throws(() => [...decodeBlock(block, 0)], /form 9; this version reads form 1/);
});

test('blocks stay below their size, keep the order, and a large value stands alone', () => {
  const sizes = [10, 10, 90, 10, 500, 10];
  const blocks = [
    ...splitIntoBlocks(
      sizes.map((size) => Buffer.alloc(size)),
      100,
    ),
  ];

  assert.deepEqual(
    blocks.map((block) => block.map(({ length }) => length)),
    [[10, 10], [90], [10], [500], [10]],
  );
  assert.deepEqual([...splitIntoBlocks([], 100)], []);
});
