// A segment is what LMDB stores: consecutive records of the whole log, whatever their partition, that were committed
// together. An fsync then writes a few pages, where an entry per record, or one per partition, would write a page of
// each partition it touches: five times as many bytes with 32 appenders, for a third less throughput.
//
//   0  uint8     form of the segment: 1
//   1  float64   when it was appended, milliseconds since 1970
//   9  uint16    number of partitions of the log
//  11  uint32    number of records
//  15  float64   for each partition, the position that its first record from here on has
//      6 bytes   for each record, its partition (uint16) and its length (uint32)
//      bytes     the records, one after another; all numbers little-endian
import type { LogRecord } from './log.ts';

export interface PlacedValue {
  readonly partition: number;
  readonly value: Uint8Array;
}

/** What a segment says of itself before its records. */
export interface SegmentHead {
  readonly appendedAt: number;
  /** For each partition, the position that its first record in this segment has, or in a later one if this has none. */
  readonly bases: readonly number[];
}

export interface SegmentSize extends SegmentHead {
  /** How many records each partition has here, and what they take of the ceiling. */
  readonly records: readonly number[];
  readonly recordsBytes: readonly number[];
  /** Length of its encoded form. */
  readonly bytes: number;
}

export interface Segment {
  /** The records of each partition, in order. */
  readonly records: readonly (readonly LogRecord[])[];
  /** Length of its encoded form. */
  readonly bytes: number;
}

const FORM = 1;
const HEADER_BYTES = 15;
const POSITION_BYTES = 8;
const ENTRY_BYTES = 6;

const entriesAt = (partitions: number): number => HEADER_BYTES + partitions * POSITION_BYTES;

/** A value's share of a segment's bytes. */
export const recordBytes = (value: Uint8Array): number => value.length + ENTRY_BYTES;

/** Splits values into runs of at most `bytesMax`; a larger value has a run to itself. */
export function* splitIntoRuns(values: readonly PlacedValue[], bytesMax: number): Generator<PlacedValue[]> {
  let from = 0;
  let bytes = 0;
  for (const [index, { value }] of values.entries()) {
    if (index > from && bytes + recordBytes(value) > bytesMax) {
      yield values.slice(from, index);
      from = index;
      bytes = 0;
    }
    bytes += recordBytes(value);
  }
  if (from < values.length) yield values.slice(from);
}

/** `next` holds the next position of each partition before this segment. */
export function encodeSegment(values: readonly PlacedValue[], next: readonly number[], appendedAt: number): Buffer {
  let entryAt = entriesAt(next.length);
  let at = entryAt + values.length * ENTRY_BYTES;
  let bytes = at;
  for (const { value } of values) bytes += value.length;
  const segment = Buffer.allocUnsafe(bytes);
  segment[0] = FORM;
  segment.writeDoubleLE(appendedAt, 1);
  segment.writeUInt16LE(next.length, 9);
  segment.writeUInt32LE(values.length, 11);
  for (const [partition, position] of next.entries()) {
    segment.writeDoubleLE(position, HEADER_BYTES + partition * POSITION_BYTES);
  }
  for (const { partition, value } of values) {
    segment.writeUInt16LE(partition, entryAt);
    segment.writeUInt32LE(value.length, entryAt + 2);
    segment.set(value, at);
    entryAt += ENTRY_BYTES;
    at += value.length;
  }
  return segment;
}

export function readHead(segment: Buffer): SegmentHead {
  if (segment[0] !== FORM) {
    throw new Error(`a segment of the event log has form ${segment[0]}; this version reads form ${FORM}`);
  }
  const partitions = segment.readUInt16LE(9);
  const bases = Array.from({ length: partitions }, (_, partition) =>
    segment.readDoubleLE(HEADER_BYTES + partition * POSITION_BYTES),
  );
  return { appendedAt: segment.readDoubleLE(1), bases };
}

/** What each partition has in the segment, without a look at the records themselves. */
export function measureSegment(segment: Buffer): SegmentSize {
  const { appendedAt, bases } = readHead(segment);
  const records = bases.map(() => 0);
  const recordsBytes = bases.map(() => 0);
  let entryAt = entriesAt(bases.length);
  for (let left = segment.readUInt32LE(11); left > 0; left -= 1) {
    const partition = segment.readUInt16LE(entryAt);
    records[partition]! += 1;
    recordsBytes[partition]! += segment.readUInt32LE(entryAt + 2) + ENTRY_BYTES;
    entryAt += ENTRY_BYTES;
  }
  return { appendedAt, bases, records, recordsBytes, bytes: segment.length };
}

export function decodeSegment(segment: Buffer): Segment {
  const { appendedAt, bases } = readHead(segment);
  const count = segment.readUInt32LE(11);
  const records: LogRecord[][] = bases.map(() => []);
  let entryAt = entriesAt(bases.length);
  let at = entryAt + count * ENTRY_BYTES;
  for (let index = 0; index < count; index += 1) {
    const partition = segment.readUInt16LE(entryAt);
    const end = at + segment.readUInt32LE(entryAt + 2);
    const found = records[partition]!;
    found.push({ position: bases[partition]! + found.length, appendedAt, value: segment.subarray(at, end) });
    entryAt += ENTRY_BYTES;
    at = end;
  }
  return { records, bytes: segment.length };
}
