// Bodies on their way in: unzipped, read whole when they are statements, laid down in a file when they are data.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline, type Readable, Transform } from 'node:stream';
import { pipeline as pipelineDone } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { refusal } from './engine-error.ts';

/** More than anyone sends at once: a body this long is a mistake that would fill the disk. */
const SPOOL_BYTES_MAX = 4 * 1024 ** 3;

const UNZIP = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** The body in plain bytes. It fails when the sender leaves before the end. */
export function unzipped(request: IncomingMessage): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return request;
  const unzip = UNZIP[encoding as keyof typeof UNZIP];
  if (!unzip) {
    const known = Object.keys(UNZIP).join(', ');
    throw refusal(48, 'NOT_IMPLEMENTED', `Content-Encoding ${encoding} is not known; send one of ${known}.`);
  }
  // The callback is there to take the failure, which the reader of the result sees as well.
  return pipeline(request, unzip(), () => {});
}

export async function readAll(body: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw refusal(177, 'QUERY_IS_TOO_LARGE', `The statement is longer than ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export interface Spooled extends AsyncDisposable {
  path: string;
  bytes: number;
}

/**
 * Lays the data of an insert down in a file. The engine sees it only when it is whole, so that a sender who leaves in
 * the middle has inserted nothing, and a slow one keeps no lane from others.
 */
export async function spool(data: Readable, folder: string): Promise<Spooled> {
  const path = join(folder, randomUUID());
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > SPOOL_BYTES_MAX) {
        done(refusal(177, 'QUERY_IS_TOO_LARGE', `The data is longer than ${SPOOL_BYTES_MAX} bytes.`));
      } else done(null, chunk);
    },
  });
  const remove = () => rm(path, { force: true });
  try {
    await pipelineDone(
      data,
      measure,
      createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: 1024 * 1024 }),
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, bytes, [Symbol.asyncDispose]: remove };
}

/** The named parts of a `multipart/form-data` body whose parts are all texts. */
export function parseMultipart(body: Buffer, boundary: string): [name: string, value: string][] {
  const text = body.toString();
  const parts = `\r\n${text}`.split(`\r\n--${boundary}`).slice(1, -1);
  return parts.map((part) => {
    const headEnd = part.indexOf('\r\n\r\n');
    const name = /;\s*name="([^"]*)"/i.exec(part.slice(0, headEnd))?.[1];
    if (headEnd === -1 || name === undefined) {
      throw refusal(36, 'BAD_ARGUMENTS', 'The multipart body has a part without a name.');
    }
    return [name, part.slice(headEnd + 4)];
  });
}
