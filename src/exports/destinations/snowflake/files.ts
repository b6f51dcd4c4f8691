// Snowflake's client sends files, so rows become files for a moment: one at a time, and gone once it is sent.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Shipment, Shipped } from '../destination.ts';
import { countLines } from '../lines.ts';

/** Before compression; some 50 MB of the disk after it. */
const FILE_BYTES_MAX = 512 * 1024 * 1024;

export async function writeFiles(
  rows: Readable,
  shipment: Shipment,
  send: (path: string) => Promise<void>,
  fileBytesMax = FILE_BYTES_MAX,
): Promise<Shipped> {
  const folder = await mkdtemp(join(tmpdir(), 'tenrec-snowflake-'));
  const done = { records: 0, bytes: 0 };
  const chunks = new LineChunks(rows);
  try {
    for (let number = 0; !(await chunks.atEnd()); number++) {
      const path = join(folder, `rows-${number}.json.gz`);
      const counted = counting(chunks.upTo(fileBytesMax), done);
      await pipeline(Readable.from(counted), createGzip({ level: 3 }), createWriteStream(path), {
        signal: shipment.signal,
      });
      done.bytes += (await stat(path)).size;
      await send(path);
      await rm(path);
      shipment.progress(done);
    }
    return done;
  } finally {
    rows.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

async function* counting(chunks: AsyncIterable<Buffer>, done: { records: number }): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    done.records += countLines(chunk);
    yield chunk;
  }
}

/** Bytes that can be taken in pieces, each of which ends where a line does. */
class LineChunks {
  readonly #source: AsyncIterator<Buffer>;
  #next: Buffer | undefined;
  #ended = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async atEnd(): Promise<boolean> {
    return (await this.#peek()) === undefined;
  }

  async *upTo(bytesMax: number): AsyncGenerator<Buffer> {
    let bytes = 0;
    for (let chunk = await this.#peek(); chunk; chunk = await this.#peek()) {
      bytes += chunk.length;
      const cut = bytes < bytesMax ? -1 : chunk.lastIndexOf(10);
      this.#next = cut === -1 || cut === chunk.length - 1 ? undefined : chunk.subarray(cut + 1);
      yield cut === -1 ? chunk : chunk.subarray(0, cut + 1);
      if (cut !== -1) return;
    }
  }

  async #peek(): Promise<Buffer | undefined> {
    while (!this.#next && !this.#ended) {
      const { done, value } = await this.#source.next();
      this.#ended = done === true;
      if (!done && value.length > 0) this.#next = value;
    }
    return this.#next;
  }
}
