import { Transform, type TransformCallback } from 'node:stream';
import { countLines } from './lines.ts';

const REPORT_BYTES = 1024 * 1024;

/** Passes bytes on, and reports every megabyte how many there were and how many lines they make. */
export class ByteCount extends Transform {
  readonly #report: (bytes: number, lines: number) => void;
  #reported = 0;
  bytes = 0;
  lines = 0;

  constructor(report: (bytes: number, lines: number) => void) {
    super();
    this.#report = report;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    this.lines += countLines(chunk);
    if (this.bytes - this.#reported >= REPORT_BYTES) {
      this.#reported = this.bytes;
      this.#report(this.bytes, this.lines);
    }
    done(null, chunk);
  }
}
