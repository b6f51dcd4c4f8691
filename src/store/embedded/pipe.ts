// Named pipes between the engine and the HTTP response. A query writes its result into one as into any file, and the
// kernel makes it wait whenever nobody reads: results of any size pass through in 64 KB, in every output format.
// chDB's own streaming formats each block as a result of its own, which only suits formats without head and foot.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';

/** Makes `count` pipes in a folder of their own and returns their paths; whatever was in the folder is gone. */
export function makePipes(folder: string, count: number): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const paths = Array.from({ length: count }, (_, at) => join(folder, String(at)));
  // Node cannot make a named pipe; POSIX has had a command for it since 1992.
  execFileSync('mkfifo', ['-m', '600', ...paths]);
  return paths;
}

/** As much as a pipe of the kernel holds. */
const BUFFER_BYTES = 64 * 1024;

export interface PipeReader {
  /**
   * What was written next, or undefined when that was all. Every answer is read into the same buffer: its bytes are good
   * until the next ones are asked for. New buffers, of which a long result fills thousands a second, would pile up until
   * they are collected.
   */
  next(): Promise<Buffer | undefined>;
  /** Reads on, for nobody. */
  drop(): void;
  /** Tells the reader that nothing more will be written; it ends once it has read what is there. */
  finish(): void;
}

export function openPipe(path: string): PipeReader {
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  // Holding the other end too keeps the reader from seeing an end before the engine has opened the pipe.
  const writeEnd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  let state: 'reading' | 'read' | 'taken' | 'dropping' | 'over' = 'reading';
  let length = 0;
  let wake = () => {};
  let finished = false;

  /** Answers whether to read on at once. */
  function keep(bytes: number): boolean {
    if (state === 'dropping') return true;
    state = 'read';
    length = bytes;
    wake();
    return false;
  }

  const socket = new Socket({ fd: readEnd, readable: true, writable: false, onread: { buffer, callback: keep } });
  const end = () => {
    state = 'over';
    wake();
  };
  socket.once('end', end).once('close', end);

  return {
    async next() {
      if (state === 'taken') {
        state = 'reading';
        socket.resume();
      }
      if (state === 'reading') {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (state !== 'read') return undefined;
      state = 'taken';
      return buffer.subarray(0, length);
    },
    drop() {
      if (state === 'over') return;
      state = 'dropping';
      socket.resume();
    },
    finish() {
      if (finished) return;
      finished = true;
      closeSync(writeEnd);
    },
  };
}
