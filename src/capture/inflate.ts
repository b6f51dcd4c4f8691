// Unpacking with a budget that is watched while bytes come out, so that a bomb costs no more than the budget.
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { tooLarge, undecodable } from './capture-error.ts';

export type Packing = 'gzip' | 'deflate' | 'br' | 'zstd';

/** Packed bodies up to this size are tried at once: handing them to another thread would take longer than the work. */
const AT_ONCE_PACKED_BYTES = 16 * 1024;
/** … unless more than this comes out; then the work moves to another thread after all, and the loop was held 1 ms. */
const AT_ONCE_BYTES = 512 * 1024;

interface Inflater {
  sync(bytes: Buffer, options: { maxOutputLength: number }): Buffer;
  async(bytes: Buffer, options: { maxOutputLength: number; chunkSize: number }): Promise<Buffer>;
}

const inflaters: Record<Packing, Inflater> = {
  gzip: { sync: zlib.gunzipSync, async: promisify(zlib.gunzip) },
  deflate: { sync: zlib.inflateSync, async: promisify(zlib.inflate) },
  br: { sync: zlib.brotliDecompressSync, async: promisify(zlib.brotliDecompress) },
  zstd: { sync: zlib.zstdDecompressSync, async: promisify(zlib.zstdDecompress) },
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
    return await inflater.async(bytes, { maxOutputLength: unpackedBytesMax, chunkSize: 256 * 1024 });
  } catch (error) {
    if (isOverBudget(error)) throw tooLarge(`the request unpacks to more than ${unpackedBytesMax} bytes`);
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
