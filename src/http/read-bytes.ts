// Reads request bodies with a limit on each and on all that are large together.
import type { IncomingMessage } from 'node:http';
import { Unavailable } from '../platform/unavailable.ts';

export class BodyTooLarge extends Error {
  constructor(bytesMax: number) {
    super(`The request body is larger than ${bytesMax} bytes.`);
  }
}

/** The connection ended before the body did; there is nobody left to answer. */
export class SenderGone extends Error {}

/** Above this, a body counts as large. */
const LARGE_BYTES = 1024 * 1024;
/** Memory that all large bodies may hold at once, unpacking included; more wait for their sender to come again. */
const LARGE_BYTES_TOGETHER_MAX = 256 * 1024 * 1024;

export class BodyReader {
  readonly #bytesMax: number;
  #largeBytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Calls one of the two, once. By callback, because nearly all bodies are here as soon as they are asked for. */
  read(request: IncomingMessage, onBody: (body: Buffer) => void, onFailure: (error: Error) => void): void {
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > this.#bytesMax) {
      onFailure(new BodyTooLarge(this.#bytesMax));
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    let large = 0;
    let isOver = false;
    const giveBack = () => {
      this.#largeBytes -= large;
      large = 0;
    };
    const fail = (error: Error) => {
      if (isOver) return;
      isOver = true;
      onFailure(error);
    };
    const stop = (error: Error) => {
      request.removeAllListeners('data');
      request.pause();
      giveBack();
      fail(error);
    };
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > this.#bytesMax) return stop(new BodyTooLarge(this.#bytesMax));
      if (bytes > LARGE_BYTES) {
        // The memory is the body's until its answer is sent.
        if (large === 0) request.once('close', giveBack);
        this.#largeBytes += bytes - large;
        large = bytes;
        if (this.#largeBytes > LARGE_BYTES_TOGETHER_MAX) {
          return stop(new Unavailable('The server', 'too many large requests at once'));
        }
      }
      chunks.push(chunk);
    });
    request.on('end', () => {
      if (isOver) return;
      isOver = true;
      onBody(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes));
    });
    // A connection that breaks says so until its answer is sent, also when the body was whole.
    request.on('error', () => fail(new SenderGone()));
  }
}
