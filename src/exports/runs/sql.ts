// Statements about runs: who works on which, how far it is, and how it ended.
import { sql } from 'kysely';
import type { RunRow } from '../../metadata/tables-exports.ts';
import type { Interval } from '../schedule/schedule.ts';
import type { Db } from '../sql.ts';
import { ACTIVE, after, before, type RunEvent } from './states.ts';

const micros = (value: number) => sql`timestamptz 'epoch' + ${value}::bigint * interval '1 microsecond'`;
const ahead = (ms: number) => sql`clock_timestamp() + ${ms}::double precision * interval '1 millisecond'`;

export interface NewRun {
  id: string;
  batch_export_id: string;
  backfill_id: string | null;
  interval: { start: number | null; end: number };
}

/** Whether it is new: a scheduled run of the same interval that is there already stays the only one. */
export async function insertRun(db: Db, { id, batch_export_id, backfill_id, interval }: NewRun): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('batch_export_run')
    .values({
      id,
      batch_export_id,
      backfill_id,
      data_interval_start: interval.start === null ? null : new Date(interval.start).toISOString(),
      data_interval_end: new Date(interval.end).toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Runs of the same rows to the same place: only one works at a time. */
export function findActiveRun(db: Db, batch_export_id: string, { start, end }: Interval): Promise<RunRow | undefined> {
  return db
    .selectFrom('batch_export_run')
    .selectAll()
    .where('batch_export_id', '=', batch_export_id)
    .where('data_interval_start', '=', new Date(start).toISOString())
    .where('data_interval_end', '=', new Date(end).toISOString())
    .where('status', 'in', ACTIVE)
    .executeTakeFirst();
}

export interface Lease {
  owner: string;
  leaseMs: number;
}

const isFree = sql`not_before <= clock_timestamp() and (lease_until is null or lease_until < clock_timestamp())`;

export interface Work {
  /** Exports whose interval has ended. */
  isDue: boolean;
  /** Backfills that wait for no run. */
  isIdle: boolean;
  /** Runs that nobody works on; whether their intervals are complete is for the watermark to say. */
  isFree: boolean;
}

/** One small question, asked every second: nearly always there is nothing to do. */
export async function findWork(db: Db, now: string): Promise<Work> {
  const { rows } = await sql<Work>`
    select exists (select from batch_export where next_run_at <= ${now}) as "isDue",
           exists (select from batch_export_backfill as backfill
                    where status in ('Starting', 'Running')
                      and not exists (select from batch_export_run as run
                                       where run.id = backfill.current_run_id
                                         and run.status in ('Starting', 'Running'))) as "isIdle",
           exists (select from batch_export_run where status in ('Starting', 'Running') and ${isFree}) as "isFree"`.execute(
    db,
  );
  return rows[0]!;
}

/**
 * The next run that nobody works on, now leased to the owner; undefined when there is none. Only runs of intervals that
 * are complete, which the watermark (in microseconds) tells. Of several processes that ask at once, each gets another.
 */
export async function takeRun(db: Db, { owner, leaseMs }: Lease, watermark: number): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    update batch_export_run
       set status = ${after('taken')}, lease_owner = ${owner}, lease_until = ${ahead(leaseMs)},
           attempts = attempts + 1, started_at = coalesce(started_at, clock_timestamp()),
           last_updated_at = clock_timestamp()
     where id = (
       select id from batch_export_run as free
        where status in ('Starting', 'Running') and ${isFree} and data_interval_end <= ${micros(watermark)}
          and not exists (
            select from batch_export_run as other
             where other.batch_export_id = free.batch_export_id
               and other.data_interval_end = free.data_interval_end
               and other.data_interval_start is not distinct from free.data_interval_start
               and other.status = 'Running' and other.lease_until >= clock_timestamp())
        order by not_before, id
          for update skip locked
        limit 1)
    returning *`.execute(db);
  return rows[0];
}

export interface Progress {
  records: number;
  bytes: number;
}

/** Keeps the lease and shows how far the run is. False: it is somebody else's now, or was cancelled. */
export async function renewLease(db: Db, id: string, { owner, leaseMs }: Lease, done: Progress): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update batch_export_run
       set lease_until = ${ahead(leaseMs)}, records_completed = ${done.records}, bytes_exported = ${done.bytes},
           last_updated_at = clock_timestamp()
     where id = ${id} and lease_owner = ${owner} and status = 'Running'`.execute(db);
  return numAffectedRows === 1n;
}

export async function saveTotal(db: Db, id: string, owner: string, total: number): Promise<void> {
  await sql`
    update batch_export_run set records_total_count = ${total} where id = ${id} and lease_owner = ${owner}`.execute(db);
}

/** The attempt failed and will be repeated, after so long. */
export async function postponeRun(db: Db, id: string, owner: string, error: string, waitMs: number): Promise<boolean> {
  return change(db, id, owner, 'stumbled', {
    latest_error: error,
    not_before: ahead(waitMs),
    records_completed: null,
    bytes_exported: null,
  });
}

/** Gives the run back as if it had not been taken up: this process ends, and another will do it. */
export async function returnRun(db: Db, id: string, owner: string): Promise<boolean> {
  return change(db, id, owner, 'stumbled', { attempts: sql`attempts - 1` });
}

export interface Ending {
  records_completed: number | null;
  bytes_exported: number | null;
  latest_error: string | null;
}

export async function endRun(db: Db, id: string, owner: string, event: RunEvent, ending: Ending): Promise<boolean> {
  return change(db, id, owner, event, { ...ending, finished_at: sql`clock_timestamp()` });
}

/** False when the run is no longer the owner's, or no longer in a status where this could happen. */
async function change(
  db: Db,
  id: string,
  owner: string,
  event: RunEvent,
  values: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('batch_export_run')
    .set({
      status: after(event),
      lease_owner: null,
      lease_until: null,
      last_updated_at: sql`clock_timestamp()`,
      ...values,
    })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('status', 'in', before(event))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** By the API: whoever works on the run notices that its lease is gone. False when the run is over already. */
export async function cancelRuns(db: Db, which: { id: string } | { unstartedOf: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('batch_export_run')
    .set({
      status: after('cancelled'),
      latest_error: 'Cancelled',
      records_completed: null,
      bytes_exported: null,
      finished_at: sql`clock_timestamp()`,
      last_updated_at: sql`clock_timestamp()`,
      lease_owner: null,
      lease_until: null,
    })
    .where((eb) =>
      'id' in which
        ? eb('id', '=', which.id)
        : eb.and([eb('batch_export_id', '=', which.unstartedOf), eb('status', '=', 'Starting')]),
    )
    .where('status', 'in', before('cancelled'))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export function findRun(db: Db, batch_export_id: string, id: string): Promise<RunRow | undefined> {
  return db
    .selectFrom('batch_export_run')
    .selectAll()
    .where('batch_export_id', '=', batch_export_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** How many of the last runs failed for good. */
export async function countFailures(db: Db, batch_export_id: string, among: number): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    select count(*) filter (where status = 'Failed')::int as failures
      from (select status from batch_export_run
             where batch_export_id = ${batch_export_id}
             order by last_updated_at desc
             limit ${among}) as latest`.execute(db);
  return rows[0]!.failures;
}
