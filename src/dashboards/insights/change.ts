// Making and changing insights, and the set of dashboards they stand on.
import type { z } from 'zod';
import { invalid, notFound, permissionDenied } from '../../http/errors.ts';
import type { InsightRow } from '../../metadata/tables.ts';
import { inTransaction } from '../../metadata/transaction.ts';
import { type Change, changesBetween } from '../activity/changes.ts';
import { recordActivity } from '../activity/sql.ts';
import { accessOf, canEdit, type Viewer } from '../levels.ts';
import { type Db, findDashboard, lockTiles, type Tx } from '../sql.ts';
import { normalizeTags } from '../tags.ts';
import { placeInsight, removeInsight } from '../tiles/sql.ts';
import {
  findInsight,
  type InsightChange,
  type InsightFacts,
  insertInsight,
  lockInsight,
  updateInsight,
} from './sql.ts';
import { type InsightDraft, parseQuery } from './wire.ts';

type Draft = z.output<typeof InsightDraft>;

/** Changes of these make a different question of it, or call it something else. */
const MATERIAL_FIELDS = ['name', 'derived_name', 'description', 'query', 'filters'] as const;
const LOGGED_FIELDS = [...MATERIAL_FIELDS, 'deleted', 'saved', 'favorited', 'tags', 'order'] as const;

interface Place {
  team_id: number;
  viewer: Viewer;
}

export async function createInsight(db: Db, place: Place, draft: Draft): Promise<InsightFacts> {
  const { team_id, viewer } = place;
  const change = toChange(draft);
  const dashboards = unique(draft.dashboards ?? []);
  return inTransaction(db, async (tx) => {
    if (dashboards.length > 0) await lockTiles(tx, team_id);
    await requireMayPlace(tx, place, dashboards);
    const insight = await insertInsight(tx, { team_id, created_by_id: viewer.user_id }, change);
    await placeInsight(tx, insight.id, dashboards);
    await record(tx, viewer, 'created', insight, dashboardChange([], dashboards));
    return reload(tx, insight, viewer);
  });
}

/** `found` may be deleted, which only `deleted: false` can see. */
export async function changeInsight(
  db: Db,
  { viewer }: Place,
  found: InsightFacts,
  draft: Draft,
): Promise<InsightFacts> {
  const change = toChange(draft);
  const place = { team_id: found.team_id, viewer };
  return inTransaction(db, async (tx) => {
    if (draft.dashboards || draft.deleted !== undefined) await lockTiles(tx, found.team_id);
    const before = await lockInsight(tx, found.id);
    if (before.deleted && draft.deleted !== false) throw notFound();
    const moved = await changeDashboards(tx, place, before, draft);
    const isMaterial = changesBetween('Insight', before, { ...before, ...change }, MATERIAL_FIELDS).length > 0;
    const touched = { ...change, is_sample: false };
    const after = await updateInsight(tx, found.id, touched, isMaterial ? viewer.user_id : undefined);
    const changes = [...changesBetween('Insight', before, after, LOGGED_FIELDS), ...moved];
    const activity = before.deleted === after.deleted ? 'updated' : after.deleted ? 'deleted' : 'restored';
    if (changes.length > 0) await record(tx, viewer, activity, after, changes);
    return reload(tx, after, viewer);
  });
}

function toChange(draft: Draft): InsightChange {
  const { name, derived_name, description, filters, order, deleted, saved, favorited, tags } = draft;
  const query = parseQuery(draft.query);
  return {
    ...(name !== undefined && { name }),
    ...(derived_name !== undefined && { derived_name }),
    ...(description !== undefined && { description }),
    ...(query !== undefined && { query }),
    ...(filters && { filters }),
    ...(order !== undefined && { order }),
    ...(deleted !== undefined && { deleted }),
    ...(saved !== undefined && { saved }),
    ...(favorited !== undefined && { favorited }),
    ...(tags && { tags: normalizeTags(tags) }),
  };
}

const unique = (ids: readonly number[]) => [...new Set(ids)];

/** The set of dashboards becomes the given one; a deleted insight stands on none, whatever is given. */
async function changeDashboards(tx: Tx, place: Place, { id }: InsightRow, draft: Draft): Promise<Change[]> {
  if (!draft.dashboards && draft.deleted !== true) return [];
  const current = await findInsight(tx, place.team_id, { id }, place.viewer.user_id);
  const before = current?.placements.map(({ dashboard_id }) => dashboard_id) ?? [];
  if (draft.deleted) {
    await removeInsight(tx, id);
    return dashboardChange(before, []);
  }
  const after = unique(draft.dashboards ?? []);
  const [added, removed] = [
    after.filter((each) => !before.includes(each)),
    before.filter((each) => !after.includes(each)),
  ];
  await requireMayPlace(tx, place, [...added, ...removed]);
  await placeInsight(tx, id, added);
  await removeInsight(tx, id, removed);
  return dashboardChange(before, after);
}

/** Putting an insight onto a dashboard, or taking it off, is editing the dashboard. */
async function requireMayPlace(tx: Tx, { team_id, viewer }: Place, dashboard_ids: readonly number[]): Promise<void> {
  for (const id of dashboard_ids) {
    const dashboard = await findDashboard(tx, team_id, id, viewer.user_id);
    if (!dashboard || dashboard.deleted) throw await unknownDashboard(tx, id);
    if (accessOf(dashboard, viewer) !== 'editor' || !canEdit(dashboard, viewer)) {
      throw permissionDenied(`You don't have permission to add insights to dashboard: ${id}`);
    }
  }
}

async function unknownDashboard(tx: Tx, id: number) {
  const row = await tx.selectFrom('dashboard').select('deleted').where('id', '=', id).executeTakeFirst();
  const isElsewhere = row !== undefined && !row.deleted;
  if (isElsewhere) return invalid('Dashboard not found');
  return invalid(`Invalid pk "${id}" - object does not exist.`, 'dashboards', 'does_not_exist');
}

const dashboardChange = (before: readonly number[], after: readonly number[]) =>
  changesBetween('Insight', { dashboards: before.toSorted() }, { dashboards: after.toSorted() }, ['dashboards']);

async function reload(tx: Tx, { id, team_id }: InsightRow, { user_id }: Viewer): Promise<InsightFacts> {
  const insight = await findInsight(tx, team_id, { id }, user_id);
  if (!insight) throw notFound();
  return insight;
}

async function record(
  tx: Tx,
  { user_id }: Viewer,
  activity: 'created' | 'updated' | 'deleted' | 'restored',
  { id: item_id, team_id, name, derived_name, short_id }: InsightRow,
  changes: readonly Change[],
): Promise<void> {
  const about = { scope: 'Insight', item_id, activity, name: name ?? derived_name, short_id } as const;
  await recordActivity(tx, { team_id, user_id, ...about, changes });
}
