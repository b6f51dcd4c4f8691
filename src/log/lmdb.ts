// The event log on LMDB: one environment on disk, shared by any number of processes of one machine.
import { statfs } from 'node:fs/promises';
import type { Logger } from '../platform/logger.ts';
import { GroupCommit } from './group-commit.ts';
import { LmdbSegments } from './lmdb-segments.ts';
import { openStores, putState, readState, type Stores } from './lmdb-stores.ts';
import { LmdbTransaction } from './lmdb-transaction.ts';
import {
  type Counts,
  type EventLog,
  type LogEntry,
  LogFull,
  type LogRecord,
  type LogStats,
  PositionOutOfRange,
  type ReadOptions,
} from './log.ts';
import { partitionOf } from './partition.ts';
import { recordBytes } from './segment.ts';
import { WaitingReaders } from './waiting-readers.ts';

export interface LmdbLogOptions {
  readonly path: string;
  readonly partitions?: number;
  /** The ceiling: what the records in the log may take. The file can be somewhat larger, and does not shrink. */
  readonly maxBytes: number;
  /** How long to keep records after they are committed; 0 removes them soon. */
  readonly keepMs?: number;
  /** Appends are refused while the disk has less room than this: the other engines need some to go on. */
  readonly diskReserveBytes?: number;
  readonly now?: () => number;
}

const PARTITIONS_MAX = 256;
/** Once full, the log takes records again only below this share of its ceiling, so that it does not flicker. */
const REOPEN_BELOW = 0.9;
/** Appends that wait to be written hold their records in memory; this much of it and no more. */
const QUEUE_BYTES_MAX = 64 * 1024 * 1024;
/** Committed segments are removed this many at a time, this long after a commit, in between the appends. */
const REMOVE_SEGMENTS_MAX = 128;
const REMOVE_DELAY_MS = 50;
/** What the program keeps of committed records: long enough for whoever follows the log live. */
export const LOG_KEEP_MS = 2_000;
/** With `keepMs`, records become removable without a commit; and readers that died must not hold on to pages. */
const UPKEEP_MS = 10_000;
const DISK_CHECK_MS = 500;

/** Opens the log in the folder `path`, which is made if need be. */
export async function openLmdbLog(options: LmdbLogOptions, log: Logger): Promise<EventLog> {
  const partitions = options.partitions ?? 16;
  if (!Number.isInteger(partitions) || partitions < 1 || partitions > PARTITIONS_MAX) {
    throw new RangeError(`${partitions} partitions; expected a whole number from 1 to ${PARTITIONS_MAX}`);
  }
  const stores = await openStores(options.path, partitions, options.maxBytes);
  return new LmdbLog(stores, await freeBytes(options.path), options, log);
}

class LmdbLog implements EventLog {
  readonly partitions: number;
  readonly #stores: Stores;
  readonly #segments: LmdbSegments;
  readonly #log: Logger;
  readonly #path: string;
  readonly #bytesMax: number;
  readonly #keepMs: number;
  readonly #diskReserveBytes: number;
  readonly #now: () => number;
  readonly #commits = new GroupCommit<LmdbTransaction>((fill) => this.#write(fill));
  readonly #waiting = new WaitingReaders(() => readState(this.#stores.state).partitions.map(({ next }) => next));
  readonly #upkeep: NodeJS.Timeout;
  #removal: NodeJS.Timeout | undefined;
  #full = false;
  #writeFailed = false;
  #diskFreeBytes: number;
  #diskCheckedAt = performance.now();
  #closing: Promise<void> | undefined;

  constructor(stores: Stores, diskFreeBytes: number, options: LmdbLogOptions, log: Logger) {
    this.#stores = stores;
    this.#segments = new LmdbSegments(stores);
    this.#diskFreeBytes = diskFreeBytes;
    this.#log = log;
    this.partitions = readState(stores.state).partitions.length;
    this.#path = options.path;
    this.#bytesMax = options.maxBytes;
    this.#keepMs = options.keepMs ?? 0;
    this.#diskReserveBytes = options.diskReserveBytes ?? 64 * 1024 * 1024;
    this.#now = options.now ?? Date.now;
    this.#upkeep = setInterval(() => this.#keepUp(), UPKEEP_MS).unref();
    this.#scheduleRemoval();
  }

  async append(entries: readonly LogEntry[], counts: Counts = {}): Promise<void> {
    this.#checkOpen();
    const bytes = entries.reduce((sum, { value }) => sum + recordBytes(value), 0);
    if (bytes > this.#bytesMax * REOPEN_BELOW) {
      throw new RangeError(`an append of ${bytes} bytes can never fit into an event log of ${this.#bytesMax} bytes`);
    }
    if (this.#commits.bytesWaiting + bytes > QUEUE_BYTES_MAX && this.#commits.bytesWaiting > 0) {
      throw new LogFull('queue', `${this.#commits.bytesWaiting} bytes wait to be written`);
    }
    this.#checkDisk();
    const placed = entries.map(({ key, value }) => ({ partition: partitionOf(key, this.partitions), value }));
    await this.#commits.run(bytes, (transaction) => {
      this.#checkRoom(transaction.bytes, bytes);
      transaction.append(placed, bytes);
      transaction.count(counts);
    });
  }

  async read(partition: number, from: number, options: ReadOptions = {}): Promise<LogRecord[]> {
    this.#checkOpen();
    this.#checkPartition(partition);
    const records = this.#readNow(partition, from, options);
    if (records.length > 0 || !options.waitMs) return records;
    await this.#waiting.until(partition, from, options.waitMs, options.signal);
    return this.#closing ? [] : this.#readNow(partition, from, options);
  }

  async commit(partition: number, position: number): Promise<void> {
    this.#checkOpen();
    this.#checkPartition(partition);
    await this.#commits.run(0, (transaction) => transaction.commit(partition, position));
    this.#scheduleRemoval();
  }

  async committed(partition: number): Promise<number> {
    this.#checkOpen();
    this.#checkPartition(partition);
    return readState(this.#stores.state).partitions[partition]!.committed;
  }

  async stats(): Promise<LogStats> {
    this.#checkOpen();
    const state = readState(this.#stores.state);
    return {
      partitions: state.partitions.map((standing, partition) => ({
        partition,
        ...standing,
        oldestAppendedAt:
          standing.committed < standing.next ? this.#segments.appendedAt(state, partition, standing.committed) : null,
      })),
      bytes: state.bytes,
      bytesMax: this.#bytesMax,
      full: this.#full && state.bytes > this.#bytesMax * REOPEN_BELOW,
    };
  }

  async counts(prefix = ''): Promise<Map<string, number>> {
    this.#checkOpen();
    const found = new Map<string, number>();
    for (const { key, value } of this.#stores.counts.getRange({ start: prefix })) {
      if (!key.startsWith(prefix)) break;
      found.set(key, value.readDoubleLE());
    }
    return found;
  }

  async forgetCounts(names: readonly string[]): Promise<void> {
    this.#checkOpen();
    await this.#commits.run(0, (transaction) => transaction.forgetCounts(names));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    clearInterval(this.#upkeep);
    clearTimeout(this.#removal);
    this.#waiting.close();
    await this.#commits.idle();
    await this.#stores.root.close();
  }

  /** Everything is decided inside the transaction, from what it reads there: other processes may write in between. */
  async #write(fill: (transaction: LmdbTransaction) => void): Promise<void> {
    const { root, state } = this.#stores;
    try {
      // LMDB reuses the pages that a transaction freed only after one more has committed. When there is no room for
      // anything else, this one, which needs next to none, is what frees them.
      if (this.#writeFailed) await root.childTransaction(() => putState(state, readState(state)));
      const next = await root.childTransaction(() => {
        const transaction = new LmdbTransaction(this.#stores, this.#segments);
        fill(transaction);
        transaction.write(this.#now());
        return transaction.state.partitions.map((partition) => partition.next);
      });
      this.#writeFailed = false;
      this.#waiting.wake(next);
    } catch (error) {
      this.#writeFailed = true;
      const cause = await commitError(error);
      this.#log.error({ err: cause, path: this.#path }, 'the event log could not be written');
      throw new LogFull('disk', `it could not be written: ${cause.message}`, { cause });
    }
  }

  #readNow(partition: number, from: number, options: ReadOptions): LogRecord[] {
    const state = readState(this.#stores.state);
    const { first, next } = state.partitions[partition]!;
    if (!(from >= first && from <= next)) throw new PositionOutOfRange(partition, from, first, next);
    return from === next ? [] : this.#segments.read(state, partition, from, options);
  }

  #checkRoom(used: number, wanted: number): void {
    if (this.#full && used <= this.#bytesMax * REOPEN_BELOW) {
      this.#full = false;
      this.#log.info({ bytes: used, bytesMax: this.#bytesMax }, 'the event log accepts records again');
    }
    if (this.#full || used + wanted > this.#bytesMax) {
      if (!this.#full) this.#log.warn({ bytes: used, bytesMax: this.#bytesMax }, 'the event log is full');
      this.#full = true;
      throw new LogFull('size', `it holds ${used} bytes of at most ${this.#bytesMax}`);
    }
  }

  /** Judges by the last look at the disk, and has another taken: waiting for it here would change the order of appends. */
  #checkDisk(): void {
    if (performance.now() - this.#diskCheckedAt >= DISK_CHECK_MS) void this.#lookAtDisk();
    if (this.#diskFreeBytes < this.#diskReserveBytes) {
      throw new LogFull('disk', `its disk has ${this.#diskFreeBytes} bytes left, fewer than ${this.#diskReserveBytes}`);
    }
  }

  async #lookAtDisk(): Promise<void> {
    this.#diskCheckedAt = performance.now();
    try {
      this.#diskFreeBytes = await freeBytes(this.#path);
    } catch (error) {
      this.#log.error({ err: error, path: this.#path }, 'the room on the disk of the event log is not known');
    }
  }

  #scheduleRemoval(): void {
    if (this.#closing) return;
    this.#removal ??= setTimeout(() => {
      this.#removal = undefined;
      this.#removeCommitted().catch((error) =>
        this.#log.error({ err: error }, 'committed records could not be removed'),
      );
    }, REMOVE_DELAY_MS).unref();
  }

  /** Removes what may go, a bounded number of segments a transaction, so that appends are never held up for long. */
  async #removeCommitted(): Promise<void> {
    const appendedBefore = this.#keepMs === 0 ? Number.POSITIVE_INFINITY : this.#now() - this.#keepMs;
    let removed: number;
    do {
      if (this.#closing) return;
      removed = await this.#commits.run(0, (transaction) =>
        transaction.removeCommitted(appendedBefore, REMOVE_SEGMENTS_MAX),
      );
    } while (removed === REMOVE_SEGMENTS_MAX);
  }

  #keepUp(): void {
    this.#stores.root.readerCheck();
    this.#scheduleRemoval();
  }

  #checkOpen(): void {
    if (this.#closing) throw new Error('the event log is closed');
  }

  #checkPartition(partition: number): void {
    if (!(Number.isInteger(partition) && partition >= 0 && partition < this.partitions)) {
      throw new RangeError(`no partition ${partition} in the event log; expected one from 0 to ${this.partitions - 1}`);
    }
  }
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** LMDB hides the reason of a failed commit behind a second promise, which must be caught in any case. */
async function commitError(error: unknown): Promise<Error> {
  try {
    await (error as { commitError?: Promise<never> }).commitError;
  } catch (reason) {
    return reason as Error;
  }
  return error as Error;
}
