// Tiles that change their dashboard or their order.
import { invalid, notFound, permissionDenied } from '../../http/errors.ts';
import type { DashboardTileRow } from '../../metadata/tables.ts';
import { inTransaction } from '../../metadata/transaction.ts';
import { type ActivityScope, recordActivity } from '../activity/sql.ts';
import { changesToTiles } from '../change.ts';
import { accessOf, canEdit, type Viewer } from '../levels.ts';
import { requireAccess } from '../load.ts';
import { type DashboardFacts, type Db, findDashboard, lockTiles, type Tx } from '../sql.ts';
import { layoutAt } from './order.ts';
import { deleteTile, insertTile, listLiveTiles, listTiles, updateTile } from './sql.ts';

/** Moves one tile. Of two moves of the same tile at the same time, the second finds it gone. */
export function moveTile(
  db: Db,
  viewer: Viewer,
  source: DashboardFacts,
  { tile_id, to_id }: { tile_id: number; to_id: number },
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockTiles(tx, source.team_id);
    await reload(tx, viewer, source);
    const tile = (await listLiveTiles(tx, source.id)).find(({ id }) => id === tile_id);
    const destination = await findDashboard(tx, source.team_id, to_id, viewer.user_id);
    if (!tile || !destination || destination.deleted) throw notFound();
    requireDestination(destination, viewer);
    const twin = await findTwin(tx, tile, destination.id);
    if (twin && !twin.deleted) throw invalid('Invalid request data for moving tile.');
    await recordTiles(tx, viewer, [source, destination], async () => {
      // One that was removed there earlier makes room.
      if (twin) await deleteTile(tx, twin.id);
      await updateTile(tx, tile.id, { dashboard_id: destination.id });
    });
  });
}

/** Shows what is on a tile of one dashboard on another one too. */
export function copyTile(
  db: Db,
  viewer: Viewer,
  destination: DashboardFacts,
  { from_id, tile_id }: { from_id: number; tile_id: number },
): Promise<void> {
  if (from_id === destination.id) throw invalid('Destination must be a different dashboard than the source.');
  return inTransaction(db, async (tx) => {
    await lockTiles(tx, destination.team_id);
    await reload(tx, viewer, destination);
    const source = await findDashboard(tx, destination.team_id, from_id, viewer.user_id);
    if (!source || source.deleted) throw notFound();
    requireAccess(source, viewer, 'view');
    const tile = (await listLiveTiles(tx, source.id)).find(({ id }) => id === tile_id);
    if (!tile) throw notFound();
    const { insight_id, text_id, layouts, color } = tile;
    const twin = await findTwin(tx, tile, destination.id);
    if (twin && !twin.deleted) {
      throw invalid(`This ${insight_id === null ? 'text card' : 'insight'} is already on the destination dashboard.`);
    }
    await recordTiles(tx, viewer, [destination], async () => {
      if (twin) await deleteTile(tx, twin.id);
      const content = insight_id === null ? { text_id: text_id ?? 0 } : { insight_id };
      await insertTile(tx, { dashboard_id: destination.id, ...content, layouts, color });
    });
  });
}

/** Lays tiles out anew in the given order; tiles that are not named stay where they are. */
export function reorderTiles(
  db: Db,
  viewer: Viewer,
  dashboard: DashboardFacts,
  tile_order: readonly number[],
): Promise<void> {
  if (tile_order.length === 0) throw invalid('This list may not be empty.', 'tile_order', 'empty');
  if (new Set(tile_order).size < tile_order.length) throw invalid('tile_order must contain unique tile IDs');
  return inTransaction(db, async (tx) => {
    await lockTiles(tx, dashboard.team_id);
    await reload(tx, viewer, dashboard);
    const live = new Set((await listLiveTiles(tx, dashboard.id)).map(({ id }) => id));
    const foreign = tile_order.filter((id) => !live.has(id));
    if (foreign.length > 0) throw notFound(`Tile IDs not found on this dashboard: [${foreign.join(', ')}]`);
    await recordTiles(tx, viewer, [dashboard], async () => {
      for (const [index, id] of tile_order.entries()) await updateTile(tx, id, { layouts: layoutAt(index) });
    });
  });
}

/** Judges the dashboard as it is now that no one else moves tiles. */
async function reload(tx: Tx, viewer: Viewer, { id, team_id }: DashboardFacts): Promise<void> {
  const fresh = await findDashboard(tx, team_id, id, viewer.user_id);
  if (!fresh || fresh.deleted) throw notFound();
  requireAccess(fresh, viewer, 'edit');
}

function requireDestination(destination: DashboardFacts, viewer: Viewer): void {
  if (accessOf(destination, viewer) !== 'editor' || !canEdit(destination, viewer)) {
    throw permissionDenied("You don't have edit permissions for the destination dashboard.");
  }
}

/** The tile on another dashboard that shows the same. */
async function findTwin(tx: Tx, tile: DashboardTileRow, dashboard_id: number): Promise<DashboardTileRow | undefined> {
  const tiles = await listTiles(tx, dashboard_id);
  return tiles.find(({ insight_id, text_id }) => insight_id === tile.insight_id && text_id === tile.text_id);
}

async function recordTiles(
  tx: Tx,
  { user_id }: Viewer,
  dashboards: readonly DashboardFacts[],
  change: () => Promise<void>,
): Promise<void> {
  const before = [];
  for (const { id } of dashboards) before.push(await listLiveTiles(tx, id));
  await change();
  for (const [index, { id: item_id, team_id, name }] of dashboards.entries()) {
    const changes = changesToTiles(before[index] ?? [], await listLiveTiles(tx, item_id));
    const about = { scope: 'Dashboard' satisfies ActivityScope, item_id, activity: 'updated', name } as const;
    await recordActivity(tx, { team_id, user_id, ...about, changes });
  }
}
