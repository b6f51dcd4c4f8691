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

export interface Segment {
  readonly appendedAt: number;
  /** The records of each partition, in order. */
  readonly records: readonly (readonly LogRecord[])[];
  /** Length of its encoded form. */
  readonly bytes: number;
}

const FORM = 1;
const HEADER_BYTES = 15;
const POSITION_BYTES = 8;
const ENTRY_BYTES = 6;

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
  let entryAt = HEADER_BYTES + next.length * POSITION_BYTES;
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

/** The position that the partition's first record in this segment has, or in a later one if this has none. */
export function readBase(segment: Buffer, partition: number): number {
  return segment.readDoubleLE(HEADER_BYTES + partition * POSITION_BYTES);
}

export function decodeSegment(segment: Buffer): Segment {
  if (segment[0] !== FORM) {
    throw new Error(`a segment of the event log has form ${segment[0]}; this version reads form ${FORM}`);
  }
  const appendedAt = segment.readDoubleLE(1);
  const partitions = segment.readUInt16LE(9);
  const count = segment.readUInt32LE(11);
  const bases = Array.from({ length: partitions }, (_, partition) => readBase(segment, partition));
  const records: LogRecord[][] = bases.map(() => []);
  let entryAt = HEADER_BYTES + partitions * POSITION_BYTES;
  let at = entryAt + count * ENTRY_BYTES;
  for (let index = 0; index < count; index += 1) {
    const partition = segment.readUInt16LE(entryAt);
    const end = at + segment.readUInt32LE(entryAt + 2);
    const found = records[partition]!;
    found.push({ position: bases[partition]! + found.length, appendedAt, value: segment.subarray(at, end) });
    entryAt += ENTRY_BYTES;
    at = end;
  }
  return { appendedAt, records, bytes: segment.length };
}
