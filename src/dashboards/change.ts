// Changing a dashboard: its fields, its tiles, deleting it and bringing it back, all or nothing.
import type { z } from 'zod';
import { notFound, permissionDenied } from '../http/errors.ts';
import type { DashboardRow, DashboardTileRow, ProjectRow } from '../metadata/tables.ts';
import { inTransaction } from '../metadata/transaction.ts';
import { updateProject } from '../projects/sql.ts';
import { type Change, changesBetween } from './activity/changes.ts';
import { recordActivity } from './activity/sql.ts';
import { pickColumns } from './create.ts';
import { canRestrict, type Viewer } from './levels.ts';
import { requireAccess } from './load.ts';
import {
  type DashboardChange,
  type DashboardFacts,
  type Db,
  lockDashboard,
  lockTiles,
  type Tx,
  updateDashboard,
} from './sql.ts';
import { changeTiles, duplicateTiles, type TilePlace } from './tiles/change.ts';
import { deleteTilesOf, listLiveTiles, restoreTilesOf } from './tiles/sql.ts';
import { type DashboardPatch, parseFilters } from './wire.ts';

type Patch = z.output<typeof DashboardPatch>;

export interface Changer {
  project: ProjectRow;
  viewer: Viewer;
}

const LOGGED_FIELDS = [
  'name',
  'description',
  'pinned',
  'deleted',
  'restriction_level',
  'filters',
  'variables',
  'tags',
  'breakdown_colors',
  'data_color_theme_id',
] as const;

/** `found` may be a deleted dashboard, which only `deleted: false` can see. */
export function changeDashboard(
  db: Db,
  changer: Changer,
  found: DashboardFacts,
  patch: Patch,
): Promise<DashboardFacts> {
  const change = toChange(patch);
  return inTransaction(db, async (tx) => {
    if (movesTiles(patch)) await lockTiles(tx, found.team_id);
    const before = await lockDashboard(tx, found.id);
    if (before.deleted && patch.deleted !== false) throw notFound();
    // Rights are judged by what the dashboard is now that nobody else can change it.
    requireAccess({ ...found, ...before }, changer.viewer, 'edit');
    if (patch.restriction_level !== undefined) requireMayRestrict(before, changer.viewer);

    const after = Object.keys(change).length > 0 ? await updateDashboard(tx, found.id, change) : before;
    const tileChanges = movesTiles(patch) ? await moveTiles(tx, changer, before, patch) : [];
    await record(tx, changer, before, after, tileChanges);
    return { ...found, ...after };
  });
}

function toChange(patch: Patch): DashboardChange {
  const [filters, variables] = [parseFilters(patch.filters), parseFilters(patch.variables)];
  return { ...pickColumns(patch), ...(filters && { filters }), ...(variables && { variables }) };
}

const movesTiles = ({ deleted, tiles, duplicate_tiles }: Patch) =>
  deleted !== undefined || Boolean(tiles?.length) || Boolean(duplicate_tiles?.length);

function requireMayRestrict(dashboard: DashboardRow, viewer: Viewer): void {
  if (!canRestrict(dashboard, viewer)) {
    throw permissionDenied(
      "Only the dashboard owner and project admins have the restriction rights required to change the dashboard's restriction level.",
    );
  }
}

async function moveTiles(tx: Tx, changer: Changer, before: DashboardRow, patch: Patch): Promise<Change[]> {
  const { id, team_id } = before;
  const place: TilePlace = { dashboard_id: id, team_id, user_id: changer.viewer.user_id };
  const tilesBefore = await listLiveTiles(tx, id);
  if (before.deleted && patch.deleted === false) await restoreTilesOf(tx, id);
  if (patch.tiles) await changeTiles(tx, place, patch.tiles);
  if (patch.duplicate_tiles) await duplicateTiles(tx, place, patch.duplicate_tiles);
  if (patch.deleted === true) {
    await deleteTilesOf(tx, id, patch.delete_insights ?? false);
    await forgetPrimary(tx, changer.project, id);
  }
  return changesToTiles(tilesBefore, await listLiveTiles(tx, id));
}

export const changesToTiles = (before: readonly DashboardTileRow[], after: readonly DashboardTileRow[]): Change[] =>
  changesBetween('Dashboard', { tiles: before.map(toLogged) }, { tiles: after.map(toLogged) }, ['tiles']);

const toLogged = ({ id, insight_id, text_id, layouts, color }: DashboardTileRow) => ({
  id,
  insight_id,
  text_id,
  layouts,
  color,
});

/** A deleted dashboard is no longer the one that the project opens with. */
async function forgetPrimary(tx: Tx, { id, settings }: ProjectRow, dashboard_id: number): Promise<void> {
  if (settings.primary_dashboard !== dashboard_id) return;
  await updateProject(tx, id, { settings: { primary_dashboard: null } });
}

async function record(
  tx: Tx,
  { viewer: { user_id } }: Changer,
  before: DashboardRow,
  after: DashboardRow,
  tileChanges: readonly Change[],
): Promise<void> {
  const changes = [...changesBetween('Dashboard', before, after, LOGGED_FIELDS), ...tileChanges];
  if (changes.length === 0) return;
  const activity = before.deleted === after.deleted ? 'updated' : after.deleted ? 'deleted' : 'restored';
  const { id: item_id, team_id, name } = after;
  await recordActivity(tx, { team_id, user_id, scope: 'Dashboard', item_id, activity, name, changes });
}
