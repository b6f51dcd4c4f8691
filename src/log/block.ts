// A block is what LMDB stores: consecutive records of one partition that were committed together. One entry per block
// instead of one per record makes appending, reading and removing several times cheaper.
//
//   0  uint8     form of the block: 1
//   1  float64   when it was appended, milliseconds since 1970
//   9  uint32    number of records
//  13  uint32    length of each record, one after another
//      bytes     the records, one after another; all numbers little-endian
import type { LogRecord } from './log.ts';

const FORM = 1;
const HEADER_BYTES = 13;
const LENGTH_BYTES = 4;

/** A value's share of a block's bytes, its length field included. */
export const recordBytes = (value: Uint8Array): number => value.length + LENGTH_BYTES;

/** Splits values into blocks of at most `blockBytesMax`; a larger value has a block to itself. */
export function* splitIntoBlocks(values: readonly Uint8Array[], blockBytesMax: number): Generator<Uint8Array[]> {
  let from = 0;
  let bytes = HEADER_BYTES;
  for (const [index, value] of values.entries()) {
    if (index > from && bytes + recordBytes(value) > blockBytesMax) {
      yield values.slice(from, index);
      from = index;
      bytes = HEADER_BYTES;
    }
    bytes += recordBytes(value);
  }
  if (from < values.length) yield values.slice(from);
}

export function encodeBlock(values: readonly Uint8Array[], appendedAt: number): Buffer {
  let at = HEADER_BYTES + values.length * LENGTH_BYTES;
  const block = Buffer.allocUnsafe(values.reduce((bytes, value) => bytes + value.length, at));
  block[0] = FORM;
  block.writeDoubleLE(appendedAt, 1);
  block.writeUInt32LE(values.length, 9);
  for (const [index, value] of values.entries()) {
    block.writeUInt32LE(value.length, HEADER_BYTES + index * LENGTH_BYTES);
    block.set(value, at);
    at += value.length;
  }
  return block;
}

export interface BlockHeader {
  readonly appendedAt: number;
  readonly count: number;
}

export function readBlockHeader(block: Buffer): BlockHeader {
  if (block[0] !== FORM)
    throw new Error(`a block of the event log has form ${block[0]}; this version reads form ${FORM}`);
  return { appendedAt: block.readDoubleLE(1), count: block.readUInt32LE(9) };
}

/** The records of the block from position `from` on; the block itself starts at `firstPosition`. */
export function* decodeBlock(block: Buffer, firstPosition: number, from = firstPosition): Generator<LogRecord> {
  const { appendedAt, count } = readBlockHeader(block);
  let at = HEADER_BYTES + count * LENGTH_BYTES;
  for (let index = 0; index < count; index += 1) {
    const end = at + block.readUInt32LE(HEADER_BYTES + index * LENGTH_BYTES);
    const position = firstPosition + index;
    if (position >= from) yield { position, appendedAt, value: block.subarray(at, end) };
    at = end;
  }
}
