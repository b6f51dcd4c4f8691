// The pipeline's running half: reads the log, settles batches, records them, brings them to the event store.
//
//   read ─ settle ─ record (PostgreSQL: people, definitions, the batch) ─ store (ClickHouse) ─ commit (log) ─ finish
//
// While one batch is stored, the next is settled and recorded. Whatever fails, everything in memory is thrown away and
// the recorded batches are finished first: a failure and a crash are mended the same way.
import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Pool } from 'pg';
import type { EventLog } from '../log/log.ts';
import type { Logger } from '../platform/logger.ts';
import { moveAccepted } from './accounting.ts';
import { BatchMaker, BatchRefused, type RecordedBatch } from './make-batch.ts';
import type { FindPlace } from './prepare-event.ts';
import { BatchReader } from './read-batch.ts';
import {
  finishBatch,
  listUnfinished,
  OwnerChanged,
  type Ownership,
  readOwnership,
  takeOwnership,
} from './record-batch.ts';
import type { SeenEvents } from './seen-events.ts';
import { runErrand, storeBatch, storeBatchAgain } from './store-batch.ts';

export interface PipelineParts {
  eventLog: EventLog;
  pool: Pool;
  client: ClickHouseClient;
  /** The name of the ClickHouse cluster; empty for one machine. */
  cluster?: string;
  seen: SeenEvents;
  findPlace: FindPlace | undefined;
  log: Logger;
}

export interface PipelineStats {
  /** Since the start. */
  batches: number;
  records: number;
  failures: number;
  /** How long the last batch took from its reading to its end, in milliseconds. */
  lastBatchMs: number;
  /** What went wrong last, until something goes right. */
  failing: string | null;
}

export interface Pipeline {
  stats(): PipelineStats;
  /** Resolves when the pipeline has ended by itself, which it does when another takes over. */
  readonly ended: Promise<void>;
  /** Finishes what is on its way if the services answer; what is not finished is so at the next start. */
  close(): Promise<void>;
}

/** As large as the engine's memory for an insert allows: each batch has a price of its own, which its rows share. */
const RECORDS_MAX = 20_000;
const BYTES_MAX = 12 * 1024 * 1024;
/**
 * When a batch was all there was, the next one waits for company. Each costs the engines tens of milliseconds of processor
 * time beside its rows, so a trickle of events would otherwise be as dear as a flood.
 */
const REST_MS_MIN = 300;
/** On a busy machine a batch takes long; then the next ones wait longer, are fewer and larger, and leave room for others. */
const REST_MS_MAX = 600;
const IDLE_MS = 1_000;
const ACCOUNTING_EVERY_MS = 10 * 60_000;
const BACKOFF_MIN_MS = 100;
const BACKOFF_MAX_MS = 5_000;

export function startPipeline(parts: PipelineParts): Pipeline {
  const pipeline = new RunningPipeline(parts);
  const ended = pipeline.live();
  return {
    stats: () => ({ ...pipeline.stats }),
    ended,
    async close() {
      pipeline.stop();
      await ended;
    },
  };
}

class RunningPipeline {
  readonly stats: PipelineStats = { batches: 0, records: 0, failures: 0, lastBatchMs: 0, failing: null };
  readonly #parts: PipelineParts;
  readonly #stopping = new AbortController();
  #recordsMax = RECORDS_MAX;
  #accountedAt = Number.NEGATIVE_INFINITY;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #storing: Promise<void> = Promise.resolve();

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Runs until stopped; after a failure, from the beginning. */
  async live(): Promise<void> {
    let backoffMs = BACKOFF_MIN_MS;
    while (!this.#stopping.signal.aborted) {
      const { batches } = this.stats;
      try {
        await this.#run();
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        if (error instanceof OwnerChanged) {
          this.#parts.log.warn('another pipeline has taken over; this one ends');
          return;
        }
        if (this.stats.batches > batches) backoffMs = BACKOFF_MIN_MS;
        this.#reportFailure(error, 'the pipeline begins again');
        // A smaller batch is tried at once: nothing else would become different by waiting.
        if (error instanceof BatchRefused && error.records > 1) continue;
        await this.#pause(backoffMs);
        backoffMs = Math.min(backoffMs * 2, BACKOFF_MAX_MS);
      }
    }
  }

  async #run(): Promise<void> {
    const { eventLog, pool, log } = this.#parts;
    const { signal } = this.#stopping;
    const maker = new BatchMaker(this.#parts, await takeOwnership(pool));
    await this.#finishRecorded(maker);
    const next = await Promise.all(Array.from({ length: eventLog.partitions }, (_, each) => eventLog.committed(each)));
    const reader = new BatchReader(eventLog, next, log);
    try {
      while (!signal.aborted) {
        const startedAt = performance.now();
        const batch = await reader.read({ records: this.#recordsMax, bytes: BYTES_MAX });
        if (batch.positions.length === 0) {
          await this.#idle(maker, reader);
          continue;
        }
        const recorded = await maker.make(batch, () => this.#catchUp(maker));
        await this.#storing;
        this.#storing = this.#store(recorded, startedAt);
        // Its failure is found when it is waited for.
        this.#storing.catch(() => {});
        this.#recordsMax = Math.min(this.#recordsMax * 2, RECORDS_MAX);
        if (batch.isAll) await this.#pause(startedAt + this.#restMs() - performance.now());
      }
    } catch (error) {
      if (error instanceof BatchRefused) this.#recordsMax = Math.max(1, Math.floor(error.records / 2));
      throw error;
    } finally {
      const storing = this.#storing;
      this.#storing = Promise.resolve();
      await storing;
    }
  }

  /** From the beginning of a batch to that of the next: twice what the last one took, within bounds. */
  #restMs(): number {
    return Math.min(Math.max(REST_MS_MIN, 2 * this.stats.lastBatchMs), REST_MS_MAX);
  }

  /** Finishes the batches that a pipeline before this one has recorded. */
  async #finishRecorded(maker: BatchMaker): Promise<void> {
    const { eventLog, pool, client, cluster, log } = this.#parts;
    for (const batch of await listUnfinished(pool, 'all')) {
      if (batch.errand) {
        await runErrand(client, batch, batch.errand, cluster);
      } else {
        const committed = await Promise.all(batch.positions.map(({ partition }) => eventLog.committed(partition)));
        // Positions are committed after all rows are stored; one that is vouches for the others.
        const isStored = batch.positions.some(({ from }, index) => committed[index]! > from);
        log.info({ batch: batch.id, stored: isStored }, 'finishing a batch that was recorded before');
        if (!isStored) await storeBatchAgain(client, batch, await maker.makeAgain(batch));
        for (const { partition, to } of batch.positions) {
          if ((await eventLog.committed(partition)) < to) await eventLog.commit(partition, to);
        }
      }
      await finishBatch(pool, batch.id);
    }
  }

  async #store({ record, rows, positions, records }: RecordedBatch, startedAt: number): Promise<void> {
    const { eventLog, pool, client } = this.#parts;
    let again = false;
    await this.#persist('ClickHouse does not take a batch', async () => {
      const store = again ? storeBatchAgain : storeBatch;
      again = true;
      await store(client, record, rows);
    });
    await Promise.all(positions.map(({ partition, to }) => eventLog.commit(partition, to)));
    await this.#persist('PostgreSQL does not finish a batch', () => finishBatch(pool, record.id));
    this.stats.batches += 1;
    this.stats.records += records;
    this.stats.lastBatchMs = performance.now() - startedAt;
    this.stats.failing = null;
  }

  /** Tries until it works or the pipeline is stopped. */
  async #persist(failure: string, act: () => Promise<void>): Promise<void> {
    for (let backoffMs = BACKOFF_MIN_MS; ; backoffMs = Math.min(backoffMs * 2, BACKOFF_MAX_MS)) {
      try {
        await act();
        return;
      } catch (error) {
        if (this.#stopping.signal.aborted) throw error;
        this.#reportFailure(error, failure);
        await this.#pause(backoffMs);
      }
    }
  }

  async #idle(maker: BatchMaker, reader: BatchReader): Promise<void> {
    const now = performance.now();
    if (now - this.#checkedAt >= IDLE_MS) {
      this.#checkedAt = now;
      const { people_changes, owner } = await readOwnership(this.#parts.pool);
      if (owner !== maker.ownership.owner) throw new OwnerChanged('another pipeline has taken over');
      if (people_changes !== maker.ownership.people_changes) await this.#catchUp(maker);
    }
    if (now - this.#accountedAt >= ACCOUNTING_EVERY_MS) {
      this.#accountedAt = now;
      await moveAccepted(this.#parts.eventLog, this.#parts.pool, Date.now());
    }
    await reader.wait(IDLE_MS, this.#stopping.signal);
  }

  /** Somebody else has changed people: forget what was remembered, and do what he left to be done in the event store. */
  async #catchUp(maker: BatchMaker): Promise<Ownership> {
    const { pool, client, cluster } = this.#parts;
    await this.#storing;
    const ownership = await readOwnership(pool);
    if (ownership.owner !== maker.ownership.owner) throw new OwnerChanged('another pipeline has taken over');
    for (const batch of await listUnfinished(pool, 'errands')) {
      await this.#persist('ClickHouse does not take a change of people', () =>
        runErrand(client, batch, batch.errand!, cluster),
      );
      await finishBatch(pool, batch.id);
    }
    maker.forget(ownership);
    return ownership;
  }

  #reportFailure(error: unknown, what: string): void {
    this.stats.failures += 1;
    this.stats.failing = (error as Error).message;
    this.#parts.log.error({ err: error }, what);
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}
