// Recording a batch: its people and its record are written in one transaction. From then on the batch is certain, and
// whoever finds the record finishes it.
import type { Pool, PoolClient } from 'pg';
import type { Errand } from '../people/errand.ts';
import { type BatchBefore, decodeBefore, encodeBefore } from './batch-before.ts';
import type { NewDefinitions } from './known-definitions.ts';
import type { Count, ProjectChanges } from './settle-batch.ts';
import { PeopleChanged, writeDefinitions, writePeople } from './write-people.ts';

/** Half-open. */
export interface PositionRange {
  partition: number;
  from: number;
  to: number;
}

export interface BatchRecord {
  id: number;
  /** Microseconds since 1970, unique, and higher than that of every batch before. */
  inserted_at: number;
}

export interface BatchToRecord {
  positions: readonly PositionRange[];
  before: BatchBefore;
  changes: ReadonlyMap<number, ProjectChanges>;
  definitions: NewDefinitions;
  counts: readonly Count[];
  /** Projects that get their first event. */
  firstEvents: readonly number[];
}

/** Another pipeline has started since; this one must stop. */
export class OwnerChanged extends Error {}

/** Who writes, and what he believes nobody else has changed. */
export interface Ownership {
  owner: number;
  people_changes: number;
}

/** Makes whoever asks the only pipeline. */
export async function takeOwnership(pool: Pool): Promise<Ownership> {
  const { rows } = await pool.query<Ownership>(
    'update ingestion_clock set owner = owner + 1 returning owner, people_changes',
  );
  return rows[0]!;
}

export async function readOwnership(pool: Pool): Promise<Ownership> {
  const { rows } = await pool.query<Ownership>('select owner, people_changes from ingestion_clock');
  return rows[0]!;
}

/** Throws `PeopleChanged` or `OwnerChanged`, and then nothing is written. */
export async function recordBatch(pool: Pool, batch: BatchToRecord, ownership: Ownership): Promise<BatchRecord> {
  const before = encodeBefore(batch.before);
  return inTransaction(pool, async (tx) => {
    const inserted_at = await advanceClock(tx, ownership);
    await writePeople(tx, batch.changes, batch.before.projects);
    await writeDefinitions(tx, batch.definitions);
    if (batch.firstEvents.length > 0) {
      await tx.query('update project set ingested_event = true where id = any($1::integer[])', [batch.firstEvents]);
    }
    const { rows } = await tx.query<{ id: number }>(
      'insert into ingestion_batch (inserted_at, positions, before, counts) values ($1, $2, $3, $4) returning id',
      [
        inserted_at,
        JSON.stringify(batch.positions.map(({ partition, from, to }) => [partition, from, to])),
        before,
        JSON.stringify(batch.counts),
      ],
    );
    return { id: rows[0]!.id, inserted_at };
  });
}

/** The clock never stands still between two batches and never goes back, whatever the machine's clock does. */
async function advanceClock(tx: PoolClient, { owner, people_changes }: Ownership): Promise<number> {
  const { rows } = await tx.query<{ inserted_at: number; people_changes: number }>(
    `update ingestion_clock
        set inserted_at = greatest(inserted_at + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
      where owner = $1
  returning inserted_at, people_changes`,
    [owner],
  );
  const [clock] = rows;
  if (!clock) throw new OwnerChanged('another pipeline has taken over');
  if (clock.people_changes !== people_changes) throw new PeopleChanged('people were changed from outside');
  return clock.inserted_at;
}

/** Marks the batch as stored, and counts its events: both once, however often it is called. */
export async function finishBatch(pool: Pool, id: number): Promise<void> {
  await pool.query(
    `with done as (delete from ingestion_batch where id = $1 returning counts)
     insert into ingestion_count (team_id, hour, fate, events)
     select (count->>0)::integer, to_timestamp((count->>1)::bigint / 1000), count->>2, (count->>3)::bigint
       from done, jsonb_array_elements(done.counts) as count
         on conflict (team_id, hour, fate) do update set events = ingestion_count.events + excluded.events`,
    [id],
  );
}

export interface UnfinishedBatch extends BatchRecord {
  positions: PositionRange[];
  before: BatchBefore | undefined;
  errand: Errand | undefined;
}

interface UnfinishedRow extends BatchRecord {
  positions: [number, number, number][];
  before: Buffer | null;
  errand: Errand | null;
}

/** In the order in which they were recorded. */
export async function listUnfinished(pool: Pool, which: 'all' | 'errands'): Promise<UnfinishedBatch[]> {
  const { rows } = await pool.query<UnfinishedRow>(
    `select id, inserted_at, positions, before, errand
       from ingestion_batch ${which === 'errands' ? 'where errand is not null' : ''}
      order by id`,
  );
  return rows.map(({ id, inserted_at, positions, before, errand }) => ({
    id,
    inserted_at,
    positions: positions.map(([partition, from, to]) => ({ partition, from, to })),
    before: before ? decodeBefore(before) : undefined,
    errand: errand ?? undefined,
  }));
}

async function inTransaction<Result>(pool: Pool, run: (tx: PoolClient) => Promise<Result>): Promise<Result> {
  const tx = await pool.connect();
  let failure: unknown;
  try {
    await tx.query('begin');
    const result = await run(tx);
    await tx.query('commit');
    return result;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // A connection in an unknown state is closed, which also ends its transaction.
    if (failure)
      await tx.query('rollback').then(
        () => tx.release(),
        () => tx.release(true),
      );
    else tx.release();
  }
}
