// Where tiles stand on a grid of twelve columns. What has no place yet is put below the rest, two beside each other.
import type { Tile, TileLayout } from '../../api/use-dashboards.ts';

export const COLUMNS = 12;
export const ROW_PX = 64;

export interface Placed extends TileLayout {
  /** The tile's id, as the grid wants it. */
  i: string;
  minW: number;
  minH: number;
}

const TILE_SIZE = { w: 6, h: 5 };
const TEXT_SIZE = { w: 6, h: 2 };

const isPlaced = (layout: Partial<TileLayout> | undefined): layout is TileLayout =>
  layout !== undefined && [layout.x, layout.y, layout.w, layout.h].every((value) => Number.isFinite(value));

export function placeTiles(tiles: readonly Tile[]): Placed[] {
  const placed = tiles.filter(({ layouts }) => isPlaced(layouts.sm));
  const bottom = Math.max(0, ...placed.map(({ layouts }) => (layouts.sm?.y ?? 0) + (layouts.sm?.h ?? 0)));
  let unplaced = 0;
  return tiles.map(({ id, layouts, text }) => {
    const least = text ? { minW: 1, minH: 1 } : { minW: 3, minH: 3 };
    if (isPlaced(layouts.sm)) {
      const { x, y, w, h } = layouts.sm;
      return { i: String(id), x, y, w: Math.max(w, least.minW), h: Math.max(h, least.minH), ...least };
    }
    const at = unplaced++;
    const { w, h } = text ? TEXT_SIZE : TILE_SIZE;
    return { i: String(id), x: (at % 2) * 6, y: bottom + Math.floor(at / 2) * TILE_SIZE.h, w, h, ...least };
  });
}

/** Those that stand elsewhere than before, as the API wants to be told. */
export function movedTiles(before: readonly Placed[], after: readonly (TileLayout & { i: string })[]) {
  return after.flatMap(({ i, x, y, w, h }) => {
    const was = before.find((each) => each.i === i);
    const isSame = was && was.x === x && was.y === y && was.w === w && was.h === h;
    return isSame ? [] : [{ id: Number(i), layouts: { sm: { x, y, w, h } } }];
  });
}
