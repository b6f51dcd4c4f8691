// Where tiles stand: the order in which they are listed, and the grid that a new order is laid out on.
import { isDict } from '../../http/fields.ts';
import type { Dict } from '../shapes.ts';

/** Tiles that were never placed come after those that were. */
const UNPLACED = 100;

const coordinate = (layouts: Dict, name: 'x' | 'y'): number => {
  const value = isDict(layouts.sm) ? layouts.sm[name] : undefined;
  return typeof value === 'number' ? value : UNPLACED;
};

/** From top to bottom, then from left to right, on a wide screen; those that tie in the order they were made. */
export function inReadingOrder<T extends { tile_id: number; layouts: Dict }>(tiles: readonly T[]): T[] {
  return tiles.toSorted(
    (a, b) =>
      coordinate(a.layouts, 'y') - coordinate(b.layouts, 'y') ||
      coordinate(a.layouts, 'x') - coordinate(b.layouts, 'x') ||
      a.tile_id - b.tile_id,
  );
}

const COLUMNS = 2;
const WIDTH = 6;
const HEIGHT = 5;

/** The place of the tile at `index`, two beside each other. */
export const layoutAt = (index: number) => ({
  sm: { x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
  xs: { x: 0, y: index * HEIGHT, w: WIDTH, h: HEIGHT },
});
