import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inReadingOrder, layoutAt } from './order.ts';

const at = (tile_id: number, x?: unknown, y?: unknown) => ({ tile_id, layouts: { sm: { x, y } } });
const idsOf = (tiles: readonly { tile_id: number }[]) => tiles.map(({ tile_id }) => tile_id);

test('tiles are read from top to bottom, then from left to right', () => {
  assert.deepEqual(idsOf(inReadingOrder([at(1, 6, 5), at(2, 0, 5), at(3, 6, 0), at(4, 0, 0)])), [4, 3, 2, 1]);
});

test('tiles without a place come last, in the order they were made', () => {
  const unplaced = [{ tile_id: 9, layouts: {} }, { tile_id: 8, layouts: { sm: 'nonsense' } }, at(7)];
  assert.deepEqual(idsOf(inReadingOrder([...unplaced, at(1, 0, 99), at(2, 0, 101)])), [1, 7, 8, 9, 2]);
});

test('a new order is laid out two tiles beside each other', () => {
  assert.deepEqual(layoutAt(0), { sm: { x: 0, y: 0, w: 6, h: 5 }, xs: { x: 0, y: 0, w: 6, h: 5 } });
  assert.deepEqual(layoutAt(3), { sm: { x: 6, y: 5, w: 6, h: 5 }, xs: { x: 0, y: 15, w: 6, h: 5 } });
  assert.deepEqual(
    idsOf(inReadingOrder([3, 1, 2, 0].map((index) => ({ tile_id: index, layouts: layoutAt(index) })))),
    [0, 1, 2, 3],
  );
});
