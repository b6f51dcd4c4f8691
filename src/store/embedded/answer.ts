// Answers: results of any length in bounded memory, and failures in the forms that ClickHouse's clients look for.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createDeflate, createGzip, createZstdCompress } from 'node:zlib';
import { type EngineError, exceptionBlock, httpStatus, refusal, toEngineError } from './engine-error.ts';
import type { PipeReader } from './pipe.ts';
import type { EngineResult } from './session.ts';

/** A failure within this many bytes of result is still answered by an HTTP status, and a result this short is whole. */
const HEAD_BYTES_MAX = 256 * 1024;
/** A client that takes nothing for so long is not coming back; its query would hold a lane for ever. */
const STALL_MS = 600_000;
/** How long a client may take to read about a failure before the connection is cut. */
const PARTING_MS = 1_000;

const ZIP: Record<string, () => Transform> = {
  gzip: () => createGzip({ level: 3 }),
  deflate: () => createDeflate({ level: 3 }),
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  JSON: 'application/json; charset=UTF-8',
  JSONCompact: 'application/json; charset=UTF-8',
  JSONEachRow: 'application/x-ndjson; charset=UTF-8',
  CSV: 'text/csv; charset=UTF-8; header=absent',
  CSVWithNames: 'text/csv; charset=UTF-8; header=present',
  TabSeparated: 'text/tab-separated-values; charset=UTF-8',
};

export interface AnswerOptions {
  format: string;
  acceptEncoding: string;
}

/** Answers with the bytes that come out of the pipe while `running` fills it. Resolves when both have ended. */
export async function answerStream(
  response: ServerResponse,
  pipe: Pick<PipeReader, 'next'>,
  running: Promise<EngineResult>,
  options: AnswerOptions,
): Promise<void> {
  const head = await readHead(pipe);
  if (head.whole) {
    answerWhole(response, head.bytes, await running, options);
    return;
  }
  const tag = randomBytes(8).toString('hex');
  response.setHeader('X-ClickHouse-Exception-Tag', tag);
  const out = openOutput(response, options);
  await out.write(head.bytes);
  for (let chunk = await pipe.next(); chunk; chunk = await pipe.next()) await out.write(chunk);
  try {
    await running;
    out.end();
  } catch (error) {
    await out.breakOff(exceptionBlock(toEngineError(error), tag));
  }
}

export function answerWhole(
  response: ServerResponse,
  bytes: Uint8Array,
  result: EngineResult,
  options: AnswerOptions & { written?: boolean },
): void {
  response.setHeader('X-ClickHouse-Summary', summary(result, options.written ?? false));
  openOutput(response, options).end(bytes);
}

export function answerFailure(response: ServerResponse, error: EngineError): void {
  response.statusCode = httpStatus(error);
  response.setHeader('X-ClickHouse-Exception-Code', String(error.code));
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8');
  // What is left of the body is not read, so the connection cannot carry another request.
  if (!response.req.complete) response.setHeader('Connection', 'close');
  response.end(`${error.message}\n`);
}

async function readHead(pipe: Pick<PipeReader, 'next'>): Promise<{ bytes: Buffer; whole: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  while (bytes < HEAD_BYTES_MAX) {
    const chunk = await pipe.next();
    if (!chunk) return { bytes: Buffer.concat(chunks), whole: true };
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
  }
  return { bytes: Buffer.concat(chunks), whole: false };
}

/** The way out, plain or compressed. */
interface Output {
  /** Resolves when nobody looks at the chunk any more. */
  write(chunk: Buffer): Promise<void>;
  end(last?: Uint8Array): void;
  /** Ends without HTTP's last chunk, so that no client can take what it got for the whole. */
  breakOff(last: Buffer): Promise<void>;
}

function openOutput(response: ServerResponse, { format, acceptEncoding }: AnswerOptions): Output {
  response.setHeader('Content-Type', CONTENT_TYPES[format] ?? 'application/octet-stream');
  response.setHeader('X-ClickHouse-Format', format);
  const coding = acceptEncoding
    .split(',')
    .map((name) => name.split(';')[0]!.trim().toLowerCase())
    .find((name) => Object.hasOwn(ZIP, name));
  if (!coding) {
    return {
      write: (chunk) => writeTo(response, chunk),
      end: (last) => response.end(last),
      breakOff: async (last) => {
        response.write(last);
        await part(response);
      },
    };
  }
  response.setHeader('Content-Encoding', coding);
  const zip = ZIP[coding]!();
  const sent = pipeline(zip, response, { end: false });
  sent.catch(() => {});
  return {
    write: (chunk) => writeTo(zip, chunk),
    end: (last) => {
      zip.end(last);
      sent.then(() => response.end()).catch(() => {});
    },
    breakOff: async (last) => {
      zip.end(last);
      await sent.catch(() => {});
      await part(response);
    },
  };
}

async function writeTo(out: Writable, chunk: Buffer): Promise<void> {
  if (out.destroyed) throw clientLeft();
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      clearTimeout(timer);
      out.off('close', leave);
      if (error) reject(error);
      else resolve();
    };
    const leave = () => settle(clientLeft());
    const timer = setTimeout(leave, STALL_MS);
    out.on('close', leave);
    out.write(chunk, (error) => (error ? leave() : settle()));
  });
}

export function clientLeft(): EngineError {
  return refusal(394, 'QUERY_WAS_CANCELLED', 'The client closed the connection.');
}

/** The client closes the connection when it has understood; cutting it sooner could lose what it has not read yet. */
async function part(response: ServerResponse): Promise<void> {
  const deadline = AbortSignal.timeout(PARTING_MS);
  if (!response.closed) await once(response, 'close', { signal: deadline }).catch(() => {});
  response.destroy();
}

function summary(result: EngineResult, written: boolean): string {
  const text = (value: number) => String(Math.round(value));
  return JSON.stringify({
    read_rows: text(result.rowsRead),
    read_bytes: text(result.bytesRead),
    written_rows: text(written ? result.rowsRead : 0),
    written_bytes: text(written ? result.bytesRead : 0),
    total_rows_to_read: '0',
    result_rows: '0',
    result_bytes: '0',
    elapsed_ns: text(result.elapsedSeconds * 1e9),
  });
}
