// Statements about the activity log.
import { type SqlBool, sql } from 'kysely';
import type { ActivityLogRow } from '../../metadata/tables.ts';
import type { Viewer } from '../levels.ts';
import { type Db, hiddenFrom } from '../sql.ts';
import type { Change } from './changes.ts';

export type ActivityScope = 'Dashboard' | 'Insight' | 'DashboardTemplate';

export interface Activity {
  team_id: number;
  user_id: number | null;
  scope: ActivityScope;
  item_id: number | string;
  activity: 'created' | 'updated' | 'deleted' | 'restored';
  name: string | null;
  short_id?: string;
  changes?: readonly Change[];
}

/** Belongs into the transaction of the change itself, so that neither exists without the other. */
export async function recordActivity(db: Db, ...entries: readonly Activity[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ name, short_id = null, changes = [], item_id, ...entry }) => ({
    ...entry,
    item_id: String(item_id),
    detail: JSON.stringify({ name, short_id, type: null, changes }),
  }));
  await db.insertInto('activity_log').values(rows).execute();
}

export interface ActivityQuestion {
  team_id: number;
  viewer: Viewer;
  scope?: string;
  item_id?: string;
  user_id?: number;
}

/** Newest first, without what concerns dashboards that are hidden from the person. */
export async function listActivity(
  db: Db,
  { team_id, viewer, scope, item_id, user_id }: ActivityQuestion,
  { limit, page }: { limit: number; page: number },
): Promise<{ total: number; entries: ActivityLogRow[] }> {
  const visible = hiddenFrom(viewer, team_id).map(
    (isVisible) => sql<SqlBool>`(scope <> 'Dashboard' or exists (
      select from dashboard where dashboard.id::text = activity_log.item_id and ${isVisible}))`,
  );
  const matching = db
    .selectFrom('activity_log')
    .where('team_id', '=', team_id)
    .$if(scope !== undefined, (query) => query.where('scope', '=', scope ?? ''))
    .$if(item_id !== undefined, (query) => query.where('item_id', '=', item_id ?? ''))
    .$if(user_id !== undefined, (query) => query.where('user_id', '=', user_id ?? 0))
    .where((eb) => eb.and(visible));
  const { total } = await matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  const entries = await matching
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { total, entries };
}
