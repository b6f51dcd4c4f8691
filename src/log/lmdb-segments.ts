// Finding and decoding segments. All partitions of a process read the same segments, mostly at about the same time, so
// the latest ones are kept decoded: each is then copied out of LMDB once instead of once per partition.
import type { LogState, Stores } from './lmdb-stores.ts';
import type { LogRecord, ReadOptions } from './log.ts';
import {
  decodeSegment,
  measureSegment,
  readHead,
  type Segment,
  type SegmentHead,
  type SegmentSize,
} from './segment.ts';

const CACHE_BYTES_MAX = 8 * 1024 * 1024;
const RECORDS_MAX = 10_000;
const READ_BYTES_MAX = 4 * 1024 * 1024;
/** A read looks through this many segments at most, so that it never holds up the event loop for long. */
const SEGMENTS_READ_MAX = 64;

export class LmdbSegments {
  readonly #stores: Stores;
  /** By number, oldest use first. A segment never changes, and no number is used twice. */
  readonly #cache = new Map<number, Segment>();
  #cacheBytes = 0;
  /** Of every segment that was looked at and is still there: finding a position looks at many, each time mostly the same. */
  readonly #heads = new Map<number, SegmentHead>();
  #headsFrom = 0;
  /** Where the last read of each partition ended: most often, where the next one starts. */
  readonly #ends = new Map<number, { position: number; segment: number }>();

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** Records of the partition from `from` on, which must be there. */
  read(state: LogState, partition: number, from: number, options: ReadOptions = {}): LogRecord[] {
    const { recordsMax = RECORDS_MAX, bytesMax = READ_BYTES_MAX } = options;
    const records: LogRecord[] = [];
    let number = this.find(state, partition, from);
    const stopAt = Math.min(state.nextSegment, number + SEGMENTS_READ_MAX);
    let bytes = 0;
    let room = true;
    for (; room && number < stopAt; number += 1) {
      for (const record of this.get(number).records[partition]!) {
        if (record.position < from) continue;
        bytes += record.value.length;
        room = records.length === 0 || (records.length < recordsMax && bytes <= bytesMax);
        if (!room) break;
        records.push(record);
      }
    }
    this.#ends.set(partition, { position: from + records.length, segment: room ? number : number - 1 });
    return records;
  }

  /** The number of the segment that holds this position, which must be there. */
  find(state: LogState, partition: number, position: number): number {
    const end = this.#ends.get(partition);
    if (end?.position === position && this.#holds(state, end.segment, partition, position)) return end.segment;
    // The last segment whose first position is not beyond the one wanted.
    let low = state.firstSegment;
    let high = state.nextSegment - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#headOf(state, middle).bases[partition]! <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** When the record at this position, which must be there, was appended. */
  appendedAt(state: LogState, partition: number, position: number): number {
    return this.#headOf(state, this.find(state, partition, position)).appendedAt;
  }

  /** What the segment holds of each partition: for whoever removes it, who has no use for its records. */
  measure(number: number): SegmentSize {
    return measureSegment(this.#getBytes(number));
  }

  get(number: number): Segment {
    const known = this.#cache.get(number);
    const segment = known ?? decodeSegment(this.#getBytes(number));
    this.#cache.delete(number);
    this.#cache.set(number, segment);
    if (!known) this.#cacheBytes += segment.bytes;
    for (const [oldest, { bytes }] of this.#cache) {
      if (this.#cacheBytes <= CACHE_BYTES_MAX || oldest === number) break;
      this.#cache.delete(oldest);
      this.#cacheBytes -= bytes;
    }
    return segment;
  }

  #headOf(state: LogState, number: number): SegmentHead {
    for (; this.#headsFrom < state.firstSegment; this.#headsFrom += 1) this.#heads.delete(this.#headsFrom);
    let head = this.#heads.get(number);
    if (!head) {
      head = readHead(this.#getBytes(number));
      this.#heads.set(number, head);
    }
    return head;
  }

  #holds(state: LogState, number: number, partition: number, position: number): boolean {
    if (number < state.firstSegment || number >= state.nextSegment) return false;
    const last = this.get(number).records[partition]!.at(-1);
    return last !== undefined && last.position >= position;
  }

  /** A segment as memory of its own: LMDB hands out large values as a buffer that only looks like an ordinary one. */
  #getBytes(number: number): Buffer {
    const bytes = this.#stores.segments.getBinary(number);
    if (!bytes) throw new Error(`the event log has lost its segment ${number}`);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}
