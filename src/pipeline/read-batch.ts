// Takes records off the log: a bounded number, over all partitions that have some, each in its order.
import { decodeRecord, type LogRecord, salvageRecord } from '../capture/record.ts';
import type { EventLog } from '../log/log.ts';
import type { Logger } from '../platform/logger.ts';
import type { PositionRange } from './record-batch.ts';
import type { BatchItem } from './settle-batch.ts';

export interface ReadBatch {
  positions: PositionRange[];
  items: BatchItem[];
  /** Nothing was left in the log when it was read; otherwise a limit was reached. */
  isAll: boolean;
}

export interface BatchLimits {
  records: number;
  bytes: number;
}

export class BatchReader {
  readonly #eventLog: EventLog;
  readonly #log: Logger;
  readonly #next: number[];
  #turn = 0;

  /** `next` is where each partition goes on. */
  constructor(eventLog: EventLog, next: readonly number[], log: Logger) {
    this.#eventLog = eventLog;
    this.#next = [...next];
    this.#log = log;
  }

  /** Resolves when there is something to read, when the time is up, or when aborted. */
  async wait(waitMs: number, signal: AbortSignal): Promise<void> {
    const found = new AbortController();
    const either = AbortSignal.any([signal, found.signal]);
    const waits = this.#next.map((from, partition) =>
      this.#eventLog.read(partition, from, { recordsMax: 1, waitMs, signal: either }),
    );
    await Promise.race(waits).finally(() => found.abort());
    await Promise.all(waits);
  }

  /** What there is, up to the limits; empty when there is nothing. */
  async read(limits: BatchLimits): Promise<ReadBatch> {
    const { partitions } = this.#eventLog;
    // Equal turns: none waits behind another's long queue, and all read about the same stretch of the log.
    const turnRecords = Math.ceil(limits.records / partitions);
    const from = [...this.#next];
    const read: BatchItem[][] = from.map(() => []);
    let count = 0;
    let bytes = 0;
    for (let empty = 0; empty < partitions && count < limits.records && bytes < limits.bytes; ) {
      const partition = this.#turn;
      this.#turn = (this.#turn + 1) % partitions;
      const records = await this.#eventLog.read(partition, this.#next[partition]!, {
        recordsMax: Math.min(turnRecords, limits.records - count),
        bytesMax: limits.bytes - bytes,
      });
      empty = records.length === 0 ? empty + 1 : 0;
      for (const { position, value } of records) {
        bytes += value.length;
        this.#decode(partition, position, value, read[partition]!);
      }
      count += records.length;
      this.#next[partition]! += records.length;
    }
    const positions = from
      .map((start, partition) => ({ partition, from: start, to: this.#next[partition]! }))
      .filter(({ from: start, to }) => to > start);
    return { positions, items: inOrderOfArrival(read), isAll: count < limits.records && bytes < limits.bytes };
  }

  /** The records of a batch that was recorded before, in the order they had then. */
  async readAgain(positions: readonly PositionRange[]): Promise<BatchItem[]> {
    const read: BatchItem[][] = [];
    for (const { partition, from, to } of positions) {
      const items: BatchItem[] = [];
      read.push(items);
      for (let position = from; position < to; ) {
        const records = await this.#eventLog.read(partition, position, { recordsMax: to - position });
        for (const record of records) this.#decode(partition, record.position, record.value, items);
        position += records.length;
      }
    }
    return inOrderOfArrival(read);
  }

  #decode(partition: number, position: number, value: Buffer, items: BatchItem[]): void {
    const record = this.#read(partition, position, value);
    if (record) items.push({ partition, position, record });
  }

  /** A record that cannot be read is left out as others are, counted and told, as long as it tells whose it is. */
  #read(partition: number, position: number, value: Buffer): LogRecord | undefined {
    try {
      return decodeRecord(value);
    } catch (error) {
      this.#log.error({ err: error, partition, position }, 'a record of the event log cannot be read; it is left out');
      return salvageRecord(value);
    }
  }
}

/**
 * Somebody with two ids, or a group, may be met in two partitions, and then the order counts: by arrival, and within a
 * partition as the log has it. The same records always come in the same order, also when they are read again.
 */
export function inOrderOfArrival(partitions: readonly BatchItem[][]): BatchItem[] {
  const timed = partitions.flatMap((items) => {
    let latest = 0;
    return items.map((item) => {
      latest = Math.max(latest, item.record.now);
      return { item, at: latest };
    });
  });
  return timed.sort((one, other) => one.at - other.at).map(({ item }) => item);
}
