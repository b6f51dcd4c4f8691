// Statements about insights. Each read brings the places where an insight stands, with what is needed to judge rights.
import { sql } from 'kysely';
import type { InsightRow } from '../../metadata/tables.ts';
import { randomText } from '../../platform/random.ts';
import type { Guarded } from '../levels.ts';
import type { Db, Tx } from '../sql.ts';

/** A live tile of an insight on a live dashboard. */
export interface Placement extends Guarded {
  tile_id: number;
  dashboard_id: number;
}

export interface InsightFacts extends InsightRow {
  placements: Placement[];
}

/** For statements in which `insight` is in scope. */
export const placementsFor = (user_id: number) =>
  sql<Placement[]>`(
    select coalesce(json_agg(json_build_object(
             'tile_id', tile.id,
             'dashboard_id', tile.dashboard_id,
             'created_by_id', dashboard.created_by_id,
             'restriction_level', dashboard.restriction_level,
             'collaborator_level', (select level from dashboard_collaborator c
                                     where c.dashboard_id = dashboard.id and c.user_id = ${user_id}))
             order by tile.id), '[]')
      from dashboard_tile tile
      join dashboard on dashboard.id = tile.dashboard_id
     where tile.insight_id = insight.id and not tile.deleted and not dashboard.deleted)`.as('placements');

const selectInsights = (db: Db, team_id: number, user_id: number) =>
  db.selectFrom('insight').selectAll().select(placementsFor(user_id)).where('team_id', '=', team_id);

/** The insight with this id, deleted or not. */
export function findInsight(
  db: Db,
  team_id: number,
  which: { id: number } | { short_id: string },
  user_id: number,
): Promise<InsightFacts | undefined> {
  const query = selectInsights(db, team_id, user_id);
  return ('id' in which ? query.where('id', '=', which.id) : query.where('short_id', '=', which.short_id)) //
    .executeTakeFirst();
}

export interface InsightChange {
  name?: string | null;
  derived_name?: string | null;
  description?: string | null;
  query?: Record<string, unknown> | null;
  filters?: Record<string, unknown>;
  order?: number | null;
  deleted?: boolean;
  saved?: boolean;
  favorited?: boolean;
  is_sample?: boolean;
  tags?: string[];
}

function toColumns({ query, filters, ...columns }: InsightChange) {
  return {
    ...columns,
    ...(query !== undefined && { query: query === null ? sql<string>`null` : JSON.stringify(query) }),
    ...(filters && { filters: JSON.stringify(filters) }),
  };
}

const SHORT_ID_LENGTH = 8;

/** Eight letters and digits, never digits alone: in a path those would be an id. */
export function newShortId(): string {
  const text = randomText(SHORT_ID_LENGTH).slice(-SHORT_ID_LENGTH);
  return text.length === SHORT_ID_LENGTH && /\D/.test(text) ? text : newShortId();
}

export function insertInsight(
  db: Db,
  place: { team_id: number; created_by_id: number | null },
  draft: InsightChange,
): Promise<InsightRow> {
  const { team_id, created_by_id } = place;
  return db
    .insertInto('insight')
    .values({
      team_id,
      created_by_id,
      last_modified_by_id: created_by_id,
      short_id: newShortId(),
      ...toColumns(draft),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** `modified_by_id`: the change is one of substance, and this is who made it. */
export function updateInsight(
  tx: Tx,
  id: number,
  change: InsightChange,
  modified_by_id?: number | undefined,
): Promise<InsightRow> {
  return tx
    .updateTable('insight')
    .set({
      ...toColumns(change),
      updated_at: sql`clock_timestamp()`,
      ...(modified_by_id !== undefined && {
        last_modified_at: sql`clock_timestamp()`,
        last_modified_by_id: modified_by_id,
      }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The insight as it is now, which nobody else changes before this transaction ends. */
export function lockInsight(tx: Tx, id: number): Promise<InsightRow> {
  return tx.selectFrom('insight').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

// Who looked at what

export async function noteViewed(db: Db, insight_id: number, user_id: number): Promise<void> {
  await db
    .insertInto('insight_viewed')
    .values({ insight_id, user_id })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'insight_id']).doUpdateSet({ last_viewed_at: sql`clock_timestamp()` }),
    )
    .execute();
}

export function listLastViewed(db: Db, team_id: number, user_id: number, limit: number): Promise<InsightFacts[]> {
  return selectInsights(db, team_id, user_id)
    .innerJoin('insight_viewed', (join) =>
      join.onRef('insight_viewed.insight_id', '=', 'insight.id').on('insight_viewed.user_id', '=', user_id),
    )
    .clearSelect()
    .selectAll('insight')
    .select(placementsFor(user_id))
    .where('insight.deleted', '=', false)
    .orderBy('insight_viewed.last_viewed_at', 'desc')
    .limit(limit)
    .execute();
}
