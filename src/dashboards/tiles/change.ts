// Changes to the tiles of a dashboard, as a PATCH lists them. The caller holds `lockTiles`.
import { invalid } from '../../http/errors.ts';
import type { DashboardTileRow } from '../../metadata/tables.ts';
import { newShortId } from '../insights/sql.ts';
import type { Tx } from '../sql.ts';
import {
  copyInsight,
  copyText,
  deleteUnusedText,
  insertText,
  insertTile,
  listLiveTiles,
  listTiles,
  type TileColumns,
  updateText,
  updateTile,
} from './sql.ts';
import type { TileChange, TileCopy } from './wire.ts';

export interface TilePlace {
  dashboard_id: number;
  team_id: number;
  user_id: number;
}

const BODY_LENGTH_MAX = 4000;

const unknownTile = (id: number, attr: string) =>
  invalid(`Invalid pk "${id}" - object does not exist.`, attr, 'does_not_exist');

export async function changeTiles(tx: Tx, place: TilePlace, changes: readonly TileChange[]): Promise<void> {
  for (const [index, change] of changes.entries()) {
    // Read anew each time: an earlier change of the same request may have made or repointed a tile.
    const tiles = await listTiles(tx, place.dashboard_id);
    const columns = toColumns(change);
    if (change.text && Object.keys(change.text).length > 0) {
      await changeTextTile(tx, place, tiles, change, columns, index);
    } else if (Object.keys(columns).length > 0) {
      const tile = tiles.find(({ id }) => id === change.id);
      if (!tile) throw unknownTile(change.id ?? 0, `tiles__${index}__id`);
      await updateTile(tx, tile.id, columns);
    }
  }
}

function toColumns({ layouts, color, deleted }: TileChange): TileColumns {
  return {
    ...(layouts !== undefined && { layouts: layouts ?? {} }),
    ...(color !== undefined && { color }),
    ...(deleted !== undefined && { deleted }),
  };
}

async function changeTextTile(
  tx: Tx,
  place: TilePlace,
  tiles: readonly DashboardTileRow[],
  { id, text }: TileChange,
  columns: TileColumns,
  index: number,
): Promise<void> {
  requireShortBody(text?.body);
  const byText = text?.id ? tiles.find(({ text_id }) => text_id === text.id) : undefined;
  if (text?.id && !byText) throw invalid('Text tile not found.', 'text');
  // A text stands on a dashboard once, so a known text names its tile.
  const tile = byText ?? tiles.find((each) => each.id === id);
  if (tile && tile.text_id === null) {
    throw invalid('This tile shows an insight; it cannot show a text as well.', `tiles__${index}__id`);
  }
  const text_id = byText?.text_id ?? (await insertNewText(tx, place, text?.body ?? null));
  if (byText) await changeText(tx, place, text_id, text);
  if (!tile) return insertTile(tx, { dashboard_id: place.dashboard_id, text_id, ...columns });
  if (tile.text_id !== text_id || Object.keys(columns).length > 0)
    await updateTile(tx, tile.id, { text_id, ...columns });
  if (tile.text_id !== null && tile.text_id !== text_id) await deleteUnusedText(tx, tile.text_id);
}

function requireShortBody(body: string | null | undefined): void {
  if (body && [...body].length > BODY_LENGTH_MAX) {
    throw invalid(`Text body cannot exceed ${BODY_LENGTH_MAX} characters`, 'text__body', 'max_length');
  }
}

const insertNewText = (tx: Tx, { team_id, user_id }: TilePlace, body: string | null) =>
  insertText(tx, { team_id, body, created_by_id: user_id });

function changeText(tx: Tx, { user_id }: TilePlace, text_id: number, text: TileChange['text']): Promise<void> {
  return updateText(tx, text_id, {
    ...(text?.body !== undefined && { body: text.body }),
    ...(text?.created_by !== undefined && { last_modified_by_id: user_id }),
  });
}

/** Copies tiles with all that is on them: onto the same dashboard, or onto one that is being made. */
export async function copyTilesDeep(
  tx: Tx,
  { user_id }: TilePlace,
  tiles: readonly DashboardTileRow[],
  to_id: number,
): Promise<void> {
  for (const { insight_id, text_id, layouts, color } of tiles) {
    const content =
      insight_id === null
        ? { text_id: await copyText(tx, text_id ?? 0, user_id) }
        : { insight_id: await copyInsight(tx, insight_id, user_id, newShortId()) };
    await insertTile(tx, { dashboard_id: to_id, ...content, layouts, color });
  }
}

/** `duplicate_tiles` of a PATCH: each copy may bring its own place. */
export async function duplicateTiles(tx: Tx, place: TilePlace, copies: readonly TileCopy[]): Promise<void> {
  const live = await listLiveTiles(tx, place.dashboard_id);
  const chosen = copies.map(({ id, layouts }, index) => {
    const tile = live.find((each) => each.id === id);
    if (!tile) throw unknownTile(id, `duplicate_tiles__${index}__id`);
    return { ...tile, layouts: layouts ?? tile.layouts };
  });
  await copyTilesDeep(tx, place, chosen, place.dashboard_id);
}
