// Statements about exports themselves.

import type { Insertable } from 'kysely';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../metadata/tables.ts';
import type { BatchExportRow, BatchExportTable, BatchExportUpdate, RunRow } from '../metadata/tables-exports.ts';

export type Db = Kysely<Database>;
export type NewBatchExport = Insertable<BatchExportTable>;

/** Whose exports: those of a project, or of all projects of an organization. */
export type Owner = { team_id: number } | { organization_id: string };

const owned = (db: Db, owner: Owner) =>
  db
    .selectFrom('batch_export')
    .where('deleted', '=', false)
    .where((eb) =>
      'team_id' in owner
        ? eb('team_id', '=', owner.team_id)
        : eb(
            'team_id',
            'in',
            eb.selectFrom('project').select('project.id').where('organization_id', '=', owner.organization_id),
          ),
    );

export function findExport(db: Db, owner: Owner, id: string): Promise<BatchExportRow | undefined> {
  return owned(db, owner).selectAll().where('id', '=', id).executeTakeFirst();
}

/** Newest first. */
export async function listExports(
  db: Db,
  owner: Owner,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ count: number; exports: BatchExportRow[] }> {
  const { count } = await owned(db, owner).select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  const exports = await owned(db, owner)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { count, exports };
}

/** The export whatever became of it, and nobody else changes it until the transaction ends. */
export function lockExport(tx: Db, id: string): Promise<BatchExportRow | undefined> {
  return tx.selectFrom('batch_export').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function insertExport(db: Db, row: NewBatchExport): Promise<BatchExportRow> {
  return db.insertInto('batch_export').values(row).returningAll().executeTakeFirstOrThrow();
}

export function updateExport(db: Db, id: string, changes: BatchExportUpdate): Promise<BatchExportRow> {
  return db
    .updateTable('batch_export')
    .set({ last_updated_at: sql`clock_timestamp()`, ...changes })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const LATEST_RUNS_MAX = 10;

/** The latest runs of each export, newest first. */
export async function listLatestRuns(db: Db, ids: readonly string[]): Promise<Map<string, RunRow[]>> {
  const { rows } = await sql<RunRow>`
    select run.*
      from unnest(${ids}::uuid[]) as wanted (id),
           lateral (select * from batch_export_run
                     where batch_export_id = wanted.id
                     order by created_at desc, id desc
                     limit ${LATEST_RUNS_MAX}) as run`.execute(db);
  return Map.groupBy(rows, ({ batch_export_id }) => batch_export_id);
}
