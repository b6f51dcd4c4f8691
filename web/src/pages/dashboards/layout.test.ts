import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tile } from '../../api/use-dashboards.ts';
import { movedTiles, placeTiles } from './layout.ts';

const tile = (id: number, layouts: Tile['layouts'] = {}): Tile =>
  ({ id, layouts, text: null, insight: null }) as unknown as Tile;

test('tiles without a place are put below the others, two beside each other', () => {
  const placed = placeTiles([tile(1, { sm: { x: 0, y: 0, w: 12, h: 4 } }), tile(2), tile(3), tile(4)]);
  assert.deepEqual(
    placed.map(({ i, x, y }) => [i, x, y]),
    [
      ['1', 0, 0],
      ['2', 0, 4],
      ['3', 6, 4],
      ['4', 0, 9],
    ],
  );
});

test('a place that is not made of numbers counts as none', () => {
  const [placed] = placeTiles([tile(1, { sm: { x: 'a', y: null, w: 3 } as never })]);
  assert.deepEqual([placed?.x, placed?.y, placed?.w], [0, 0, 6]);
});

test('only tiles that moved are told to the server', () => {
  const before = placeTiles([tile(1, { sm: { x: 0, y: 0, w: 6, h: 5 } }), tile(2, { sm: { x: 6, y: 0, w: 6, h: 5 } })]);
  const after = before.map((each) => (each.i === '2' ? { ...each, w: 4 } : each));
  assert.deepEqual(movedTiles(before, after), [{ id: 2, layouts: { sm: { x: 6, y: 0, w: 4, h: 5 } } }]);
});
