// Statements about tiles and the texts on them. Whoever changes tiles holds `lockTiles`.
import { sql } from 'kysely';
import type { DashboardTextRow, DashboardTileRow } from '../../metadata/tables.ts';
import { type InsightFacts, placementsFor } from '../insights/sql.ts';
import type { Dict } from '../shapes.ts';
import type { Db, Tx } from '../sql.ts';

interface ShownTile {
  tile_id: number;
  layouts: Dict;
  color: string | null;
}

export interface InsightTile extends ShownTile {
  insight: InsightFacts;
}

export interface TextTile extends ShownTile {
  text: DashboardTextRow;
}

const shown = ['tile.id as tile_id', 'tile.layouts', 'tile.color'] as const;

/** Every tile that a reader sees, in no order: two statements, however many there are. */
export async function listShownTiles(
  db: Db,
  dashboard_id: number,
  user_id: number,
): Promise<(InsightTile | TextTile)[]> {
  const insights = await db
    .selectFrom('dashboard_tile as tile')
    .innerJoin('insight', 'insight.id', 'tile.insight_id')
    .selectAll('insight')
    .select(placementsFor(user_id))
    .select(shown)
    .where('tile.dashboard_id', '=', dashboard_id)
    .where('tile.deleted', '=', false)
    .where('insight.deleted', '=', false)
    .execute();
  const texts = await db
    .selectFrom('dashboard_tile as tile')
    .innerJoin('dashboard_text as text', 'text.id', 'tile.text_id')
    .selectAll('text')
    .select(shown)
    .where('tile.dashboard_id', '=', dashboard_id)
    .where('tile.deleted', '=', false)
    .execute();
  return [
    ...insights.map(({ tile_id, layouts, color, ...insight }) => ({ tile_id, layouts, color, insight })),
    ...texts.map(({ tile_id, layouts, color, ...text }) => ({ tile_id, layouts, color, text })),
  ];
}

/** Every tile of a dashboard, removed ones too. */
export function listTiles(db: Db, dashboard_id: number): Promise<DashboardTileRow[]> {
  return db.selectFrom('dashboard_tile').selectAll().where('dashboard_id', '=', dashboard_id).orderBy('id').execute();
}

/** Those that a reader sees. */
export function listLiveTiles(db: Db, dashboard_id: number): Promise<DashboardTileRow[]> {
  return db
    .selectFrom('dashboard_tile as tile')
    .leftJoin('insight', 'insight.id', 'tile.insight_id')
    .selectAll('tile')
    .where('tile.dashboard_id', '=', dashboard_id)
    .where('tile.deleted', '=', false)
    .where((eb) => eb.or([eb('tile.insight_id', 'is', null), eb('insight.deleted', '=', false)]))
    .orderBy('tile.id')
    .execute();
}

export interface TileColumns {
  layouts?: Dict;
  color?: string | null;
  deleted?: boolean;
  text_id?: number;
  dashboard_id?: number;
}

const toColumns = ({ layouts, ...columns }: TileColumns) => ({
  ...columns,
  ...(layouts && { layouts: JSON.stringify(layouts) }),
});

export async function updateTile(tx: Tx, id: number, change: TileColumns): Promise<void> {
  await tx.updateTable('dashboard_tile').set(toColumns(change)).where('id', '=', id).execute();
}

export async function insertTile(
  tx: Tx,
  { dashboard_id, insight_id, text_id, ...columns }: TileColumns & { dashboard_id: number; insight_id?: number },
): Promise<void> {
  await tx
    .insertInto('dashboard_tile')
    .values({ dashboard_id, insight_id: insight_id ?? null, text_id: text_id ?? null, ...toColumns(columns) })
    .execute();
}

export async function deleteTile(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('dashboard_tile').where('id', '=', id).execute();
}

// Texts

export async function insertText(
  tx: Tx,
  text: { team_id: number; body: string | null; created_by_id: number | null },
): Promise<number> {
  const { id } = await tx.insertInto('dashboard_text').values(text).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateText(
  tx: Tx,
  id: number,
  change: { body?: string | null; last_modified_by_id?: number },
): Promise<void> {
  await tx
    .updateTable('dashboard_text')
    .set({ ...change, last_modified_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/** A text that no tile shows any more, not even a removed one, is gone for good. */
export async function deleteUnusedText(tx: Tx, id: number): Promise<void> {
  await sql`
    delete from dashboard_text
     where id = ${id} and not exists (select from dashboard_tile where text_id = ${id})`.execute(tx);
}

// Whole dashboards

/** The same insights and texts, on new tiles. */
export async function copyTilesShallow(tx: Tx, from_id: number, to_id: number): Promise<void> {
  await sql`
    insert into dashboard_tile (dashboard_id, insight_id, text_id, layouts, color)
    select ${to_id}, tile.insight_id, tile.text_id, tile.layouts, tile.color
      from dashboard_tile tile
      left join insight on insight.id = tile.insight_id
     where tile.dashboard_id = ${from_id} and not tile.deleted and insight.deleted is not true
     order by tile.id`.execute(tx);
}

const COPY_SUFFIX = ' (Copy)';
const NAME_LENGTH_MAX = 400;

/** A new insight that asks the same; a nameless one stays nameless. */
export async function copyInsight(tx: Tx, id: number, user_id: number, short_id: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into insight (team_id, short_id, name, derived_name, description, query, filters, saved, is_sample, tags,
                         created_by_id, last_modified_by_id)
    select team_id, ${short_id}, left(name, ${NAME_LENGTH_MAX - COPY_SUFFIX.length}::int) || ${COPY_SUFFIX}::text,
           derived_name, description, query, filters, saved, is_sample, tags, ${user_id}::int, ${user_id}::int
      from insight where id = ${id}
    returning id`.execute(tx);
  return rows[0]!.id;
}

export async function copyText(tx: Tx, id: number, user_id: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into dashboard_text (team_id, body, created_by_id)
    select team_id, body, ${user_id}::int from dashboard_text where id = ${id}
    returning id`.execute(tx);
  return rows[0]!.id;
}

/** Marks every tile as removed. `withInsights`: also insights that stand on no other live dashboard. */
export async function deleteTilesOf(tx: Tx, dashboard_id: number, withInsights: boolean): Promise<void> {
  if (withInsights) {
    await sql`
      update insight set deleted = true, updated_at = clock_timestamp()
       where id in (select insight_id from dashboard_tile where dashboard_id = ${dashboard_id} and not deleted)
         and not exists (select from dashboard_tile other
                           join dashboard on dashboard.id = other.dashboard_id
                          where other.insight_id = insight.id and other.dashboard_id <> ${dashboard_id}
                            and not other.deleted and not dashboard.deleted)`.execute(tx);
  }
  await tx.updateTable('dashboard_tile').set({ deleted: true }).where('dashboard_id', '=', dashboard_id).execute();
}

/** Brings back every tile that ever stood there, and the insights on them. */
export async function restoreTilesOf(tx: Tx, dashboard_id: number): Promise<void> {
  await sql`
    update insight set deleted = false, updated_at = clock_timestamp()
     where deleted and id in (select insight_id from dashboard_tile where dashboard_id = ${dashboard_id})`.execute(tx);
  await tx.updateTable('dashboard_tile').set({ deleted: false }).where('dashboard_id', '=', dashboard_id).execute();
}

// Insights on dashboards

/** Puts an insight onto dashboards; a tile that was there before comes back as it was. */
export async function placeInsight(tx: Tx, insight_id: number, dashboard_ids: readonly number[]): Promise<void> {
  if (dashboard_ids.length === 0) return;
  await tx
    .insertInto('dashboard_tile')
    .values(dashboard_ids.map((dashboard_id) => ({ dashboard_id, insight_id })))
    .onConflict((conflict) => conflict.columns(['dashboard_id', 'insight_id']).doUpdateSet({ deleted: false }))
    .execute();
}

/** Takes an insight off dashboards; off all of them when none is named. */
export async function removeInsight(tx: Tx, insight_id: number, dashboard_ids?: readonly number[]): Promise<void> {
  if (dashboard_ids?.length === 0) return;
  await tx
    .updateTable('dashboard_tile')
    .set({ deleted: true })
    .where('insight_id', '=', insight_id)
    .$if(dashboard_ids !== undefined, (query) => query.where('dashboard_id', 'in', dashboard_ids ?? []))
    .execute();
}
