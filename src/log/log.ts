// The event log: where accepted events wait, durably and in order, for the pipeline. This file is the contract;
// `conformance.ts` states it as tests, and each form of the log (`lmdb.ts`) passes them.
import { Unavailable } from '../platform/unavailable.ts';

/** One record to append. The key only chooses the partition and is not stored: what a reader needs is in the value. */
export interface LogEntry {
  /** `<team_id>:<distinct_id>`; equal keys share a partition, so their records keep their order. */
  readonly key: string;
  readonly value: Uint8Array;
  /** Not stored, for whoever watches appends: true when the event is known to say nothing about its person or a group. */
  readonly changesNobody?: boolean;
}

/** One record as read. `value` belongs to the reader; neighbours may share its memory, so it is not to be changed. */
export interface LogRecord {
  readonly position: number;
  /** When the log accepted it, in milliseconds since 1970, by the clock of the process that appended it. */
  readonly appendedAt: number;
  readonly value: Buffer;
}

export interface ReadOptions {
  readonly recordsMax?: number;
  /** A first record larger than this is returned all the same, alone: a reader is never stuck behind it. */
  readonly bytesMax?: number;
  /** How long to wait for a record when there is none yet. */
  readonly waitMs?: number;
  /** Ends the waiting early; the read then returns what there is. */
  readonly signal?: AbortSignal;
}

export interface PartitionStats {
  readonly partition: number;
  /** The lowest position that can still be read. */
  readonly first: number;
  /** The position the next record will get. */
  readonly next: number;
  /** Everything below is processed; `next - committed` is the lag in records. */
  readonly committed: number;
  /** When the oldest unprocessed record was accepted; null when all are processed. Its age is the lag in time. */
  readonly oldestAppendedAt: number | null;
  /** What this partition's records take of the ceiling. */
  readonly bytes: number;
}

export interface LogStats {
  readonly partitions: readonly PartitionStats[];
  readonly bytes: number;
  readonly bytesMax: number;
  /** True from the first refusal until the log has drained well below its ceiling. */
  readonly full: boolean;
}

/** Amounts to add to durable counters, by name. */
export type Counts = Readonly<Record<string, number>>;

/**
 * Appended records live in a fixed number of partitions. Within a partition each has a position: 0, 1, 2 … without
 * gaps, never used twice, the same after any crash.
 *
 * What every form guarantees:
 * - `append` resolves only when its records would survive `kill -9` and a power cut; all of them or none. A rejected
 *   append has stored nothing and counted nothing.
 * - Records with equal keys are read in the order their `append` was called, and within one call in array order.
 * - `read` sees every record whose `append` has resolved, while others append, and never one that could still vanish.
 * - `commit` resolves when the position is durable. Committed records may be removed at any later moment; records that
 *   are not committed never are.
 * - When the log cannot take more, `append` rejects with `LogFull`; reading and committing go on. It recovers by itself
 *   as records are committed.
 * - Counts given to `append` are added exactly once, with the records and only with them. A form without one
 *   transaction over both writes the counts as a record beside the others, and sums those records in `counts`.
 *
 * What callers guarantee, and is not checked:
 * - Values are left unchanged until `append` settles.
 * - One reader at a time commits a partition. Any number may read.
 * - A reader asks again after an empty answer; a wait may end early.
 */
export interface EventLog extends AsyncDisposable {
  readonly partitions: number;

  /** No records and some counts is a valid append: a request whose events were all dropped is still accounted for. */
  append(entries: readonly LogEntry[], counts?: Counts): Promise<void>;

  /**
   * The records from `from` on, in order, at least one if there is one. Rejects with `PositionOutOfRange` when `from`
   * was already removed, or lies beyond the end: skipping either silently would lose events.
   */
  read(partition: number, from: number, options?: ReadOptions): Promise<LogRecord[]>;

  /** Marks everything below `position` as processed. Rejects with `PositionOutOfRange` when that would go backwards or beyond the end. */
  commit(partition: number, position: number): Promise<void>;

  /** Where processing goes on: 0 in a new log. */
  committed(partition: number): Promise<number>;

  stats(): Promise<LogStats>;

  /** The durable counters whose names start with `prefix`. */
  counts(prefix?: string): Promise<Map<string, number>>;

  /** Deletes counters, once their amounts are kept elsewhere and nothing adds to them any more. */
  forgetCounts(names: readonly string[]): Promise<void>;

  /** Finishes what was asked for, ends all waiting reads, and refuses anything new. */
  close(): Promise<void>;
}

/** What stands in the way of an append: the log's own ceiling, the disk below it, or too much waiting to be written. */
export type LogLimit = 'size' | 'disk' | 'queue';

/** The log cannot take records just now; nothing of the append was stored. The client should send again shortly. */
export class LogFull extends Unavailable {
  readonly limit: LogLimit;

  constructor(limit: LogLimit, reason: string, options?: ErrorOptions) {
    super('The event log', reason, options);
    this.limit = limit;
  }
}

/** A position that the partition does not hold (any more, or yet). */
export class PositionOutOfRange extends RangeError {
  readonly partition: number;
  readonly position: number;

  constructor(partition: number, position: number, from: number, to: number) {
    super(`partition ${partition} of the event log has no position ${position}; expected one from ${from} to ${to}`);
    this.partition = partition;
    this.position = position;
  }
}
