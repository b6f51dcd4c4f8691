// One write transaction on the log. Changes are collected first and written at the end, so that appends that share a
// transaction share segments too, and a change that is refused leaves nothing behind.
import type { LmdbSegments } from './lmdb-segments.ts';
import { type LogState, putState, readState, type Stores, storedBytes } from './lmdb-stores.ts';
import { type Counts, PositionOutOfRange } from './log.ts';
import { encodeSegment, type PlacedValue, recordBytes, splitIntoRuns } from './segment.ts';

/** Small enough that removed segments leave room that fits the next ones, large enough to make their number small. */
const SEGMENT_BYTES_MAX = 64 * 1024;

/** Makes of one LMDB transaction what the log needs; valid only inside its callback. */
export class LmdbTransaction {
  /** As stored; appended records count only once written. */
  readonly state: LogState;
  readonly #stores: Stores;
  readonly #segments: LmdbSegments;
  readonly #appended: PlacedValue[] = [];
  readonly #counts = new Map<string, number>();
  readonly #forgotten: string[] = [];
  readonly #removed: number[] = [];
  #appendedBytes = 0;
  #changed = false;

  constructor(stores: Stores, segments: LmdbSegments) {
    this.#stores = stores;
    this.#segments = segments;
    this.state = readState(stores.state);
  }

  /** What the log will take of its ceiling once this transaction is written. */
  get bytes(): number {
    return this.state.bytes + this.#appendedBytes;
  }

  append(values: readonly PlacedValue[], bytes: number): void {
    for (const value of values) this.#appended.push(value);
    this.#appendedBytes += bytes;
    this.#changed = true;
  }

  count(counts: Counts): void {
    for (const [name, amount] of Object.entries(counts)) {
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + amount);
    }
  }

  forgetCounts(names: readonly string[]): void {
    this.#forgotten.push(...names);
  }

  commit(partition: number, position: number): void {
    const { committed, next } = this.state.partitions[partition]!;
    if (!(position >= committed && position <= next)) {
      throw new PositionOutOfRange(partition, position, committed, next);
    }
    if (position === committed) return;
    this.state.partitions[partition]!.committed = position;
    this.#changed = true;
  }

  /**
   * Removes the oldest segments, at most `segmentsMax`, while all their records are committed and were appended before
   * `appendedBefore`. Returns how many.
   */
  removeCommitted(appendedBefore: number, segmentsMax: number): number {
    const { state } = this;
    const stopAt = Math.min(state.nextSegment, state.firstSegment + segmentsMax);
    const from = state.firstSegment;
    for (let number = from; number < stopAt && this.#removeSegment(number, appendedBefore); number += 1);
    return state.firstSegment - from;
  }

  #removeSegment(number: number, appendedBefore: number): boolean {
    const { state } = this;
    const { appendedAt, bases, records, recordsBytes, bytes } = this.#segments.measure(number);
    if (appendedAt >= appendedBefore) return false;
    const isCommitted = state.partitions.every(
      ({ committed }, partition) => records[partition] === 0 || bases[partition]! + records[partition]! <= committed,
    );
    if (!isCommitted) return false;
    for (const [partition, standing] of state.partitions.entries()) {
      standing.bytes -= recordsBytes[partition]!;
      standing.first += records[partition]!;
    }
    state.firstSegment = number + 1;
    state.bytes -= storedBytes(bytes);
    this.#removed.push(number);
    this.#changed = true;
    return true;
  }

  write(now: number): void {
    for (const number of this.#removed) this.#stores.segments.remove(number);
    for (const run of splitIntoRuns(this.#appended, SEGMENT_BYTES_MAX)) this.#writeSegment(run, now);
    this.#writeCounts();
    if (this.#changed) putState(this.#stores.state, this.state);
  }

  #writeSegment(values: readonly PlacedValue[], now: number): void {
    const { state } = this;
    const next = state.partitions.map((partition) => partition.next);
    const segment = encodeSegment(values, next, now);
    // Appending fills pages instead of splitting them in halves. It writes nothing when a later segment is there
    // already, which only a damaged log can have.
    const written: unknown = this.#stores.segments.putSync(state.nextSegment, segment, { append: true });
    if (written === false) throw new Error(`it has segments after its end, ${state.nextSegment}`);
    state.nextSegment += 1;
    state.bytes += storedBytes(segment.length);
    for (const { partition, value } of values) {
      const standing = state.partitions[partition]!;
      standing.next += 1;
      standing.bytes += recordBytes(value);
    }
  }

  #writeCounts(): void {
    const { counts } = this.#stores;
    for (const name of this.#forgotten) counts.remove(name);
    for (const [name, amount] of this.#counts) {
      const row = Buffer.alloc(8);
      row.writeDoubleLE((counts.get(name)?.readDoubleLE() ?? 0) + amount);
      counts.put(name, row);
    }
  }
}
