// Statements about backfills.
import { sql } from 'kysely';
import { makeUuidV7 } from '../../capture/uuid.ts';
import type { BackfillRow, RunStatus } from '../../metadata/tables-exports.ts';
import type { Db } from '../sql.ts';

const ACTIVE: RunStatus[] = ['Starting', 'Running'];

export interface NewBackfill {
  batch_export_id: string;
  team_id: number;
  start_at: string | null;
  end_at: string | null;
  is_retry?: boolean;
}

/** A backfill that does the same and has not ended is as good as another. */
export async function insertBackfill(db: Db, draft: NewBackfill): Promise<BackfillRow> {
  const same = await db
    .selectFrom('batch_export_backfill')
    .selectAll()
    .where('batch_export_id', '=', draft.batch_export_id)
    .where('status', 'in', ACTIVE)
    .where(sql<boolean>`start_at is not distinct from ${draft.start_at}::timestamptz`)
    .where(sql<boolean>`end_at is not distinct from ${draft.end_at}::timestamptz`)
    .executeTakeFirst();
  if (same) return same;
  return db
    .insertInto('batch_export_backfill')
    .values({ id: makeUuidV7(Date.now()), ...draft })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findBackfill(db: Db, batch_export_id: string, id: string): Promise<BackfillRow | undefined> {
  return db
    .selectFrom('batch_export_backfill')
    .selectAll()
    .where('batch_export_id', '=', batch_export_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

const LISTED_MAX = 1_000;

/** The latest first. */
export function listBackfills(db: Db, batch_export_id: string): Promise<BackfillRow[]> {
  return db
    .selectFrom('batch_export_backfill')
    .selectAll()
    .where('batch_export_id', '=', batch_export_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED_MAX)
    .execute();
}

/** Backfills that wait for no run: new ones, and those whose run is over. Nobody else gets them meanwhile. */
export async function lockIdleBackfills(tx: Db, limit: number): Promise<BackfillRow[]> {
  const { rows } = await sql<BackfillRow>`
    select * from batch_export_backfill as backfill
     where status in ('Starting', 'Running')
       and not exists (select from batch_export_run as run
                        where run.id = backfill.current_run_id and run.status in ('Starting', 'Running'))
     order by id
     limit ${limit}
       for update skip locked`.execute(tx);
  return rows;
}

export async function saveStep(db: Db, id: string, done_until: string, current_run_id: string): Promise<void> {
  await db
    .updateTable('batch_export_backfill')
    .set({ status: 'Running', done_until, current_run_id, last_updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/** False when it had ended already. */
export async function endBackfills(
  db: Db,
  which: { id: string } | { batch_export_id: string },
  status: RunStatus,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('batch_export_backfill')
    .set({ status, finished_at: sql`clock_timestamp()`, last_updated_at: sql`clock_timestamp()` })
    .where((eb) => ('id' in which ? eb('id', '=', which.id) : eb('batch_export_id', '=', which.batch_export_id)))
    .where('status', 'in', ACTIVE)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** How many runs of each backfill are over, however they ended. */
export async function countFinished(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ backfill_id: string; finished: number }>`
    select backfill_id, count(*)::int as finished
      from batch_export_run
     where backfill_id = any(${ids}::uuid[]) and status in ('Completed', 'Failed')
     group by backfill_id`.execute(db);
  return new Map(rows.map(({ backfill_id, finished }) => [backfill_id, finished]));
}
