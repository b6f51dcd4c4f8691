// Unpacking with a budget that is watched while bytes come out, so that a bomb costs no more than the budget.
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { tooLarge, undecodable } from './capture-error.ts';

export type Packing = 'gzip' | 'deflate' | 'br' | 'zstd';

/** Packed bodies up to this size are tried at once: handing them to another thread would take longer than the work. */
const AT_ONCE_PACKED_BYTES = 16 * 1024;
/** … unless more than this comes out; then the work moves to another thread after all, and others waited a few milliseconds. */
const AT_ONCE_BYTES = 512 * 1024;

/** Bytes handed over by the other thread at a time. */
const CHUNK_BYTES = 256 * 1024;

interface Inflater {
  sync(bytes: Buffer, options: { maxOutputLength: number }): Buffer;
  stream(options: { chunkSize: number }): Transform;
}

const inflaters: Record<Packing, Inflater> = {
  gzip: { sync: zlib.gunzipSync, stream: zlib.createGunzip },
  deflate: { sync: zlib.inflateSync, stream: zlib.createInflate },
  br: { sync: zlib.brotliDecompressSync, stream: zlib.createBrotliDecompress },
  zstd: { sync: zlib.zstdDecompressSync, stream: zlib.createZstdDecompress },
};

/** What is wrong with packed bytes that do not unpack; `gzip` as the original words it. */
const damage: Record<Packing, string> = {
  gzip: 'invalid GZIP data',
  deflate: 'invalid deflate data',
  br: 'invalid brotli data',
  zstd: 'invalid zstd data',
};

export async function inflate(packing: Packing, bytes: Buffer, unpackedBytesMax: number): Promise<Buffer> {
  const inflater = inflaters[packing];
  try {
    if (bytes.length <= AT_ONCE_PACKED_BYTES) {
      const unpacked = inflateAtOnce(inflater, bytes, Math.min(unpackedBytesMax, AT_ONCE_BYTES));
      if (unpacked) return unpacked;
    }
    const unpacked = new GrowingBuffer(
      Math.min(unpackedBytesMax, guessUnpackedBytes(packing, bytes)),
      unpackedBytesMax,
    );
    await pipeline([bytes], inflater.stream({ chunkSize: CHUNK_BYTES }), (chunks: AsyncIterable<Buffer>) =>
      unpacked.fill(chunks),
    );
    return unpacked.bytes();
  } catch (error) {
    if (error instanceof OverBudget) throw tooLarge(`the request unpacks to more than ${unpackedBytesMax} bytes`);
    throw undecodable(damage[packing]);
  }
}

function inflateAtOnce(inflater: Inflater, bytes: Buffer, maxOutputLength: number): Buffer | undefined {
  try {
    return inflater.sync(bytes, { maxOutputLength });
  } catch (error) {
    if (isOverBudget(error)) return undefined;
    throw error;
  }
}

function isOverBudget(error: unknown): boolean {
  return error instanceof RangeError && (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
}

/** Gzip ends with the size of what it packed; the others are asked for little and given more. It is only a guess. */
function guessUnpackedBytes(packing: Packing, bytes: Buffer): number {
  return packing === 'gzip' && bytes.length >= 18 ? bytes.readUInt32LE(bytes.length - 4) : 4 * bytes.length;
}

class OverBudget extends Error {}

/** Takes chunks one by one, so that no moment is spent on copying all of them. */
class GrowingBuffer {
  #buffer: Buffer;
  #length = 0;
  readonly #max: number;

  constructor(guess: number, max: number) {
    this.#buffer = Buffer.allocUnsafeSlow(guess);
    this.#max = max;
  }

  async fill(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) {
      const needed = this.#length + chunk.length;
      if (needed > this.#max) throw new OverBudget();
      if (needed > this.#buffer.length) this.#grow(needed);
      this.#buffer.set(chunk, this.#length);
      this.#length = needed;
    }
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.min(this.#max, Math.max(needed, 2 * this.#buffer.length)));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}
