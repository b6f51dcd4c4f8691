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

export interface PipeReader {
  stream: Socket;
  /** Tells the reader that nothing more will be written; it ends once it has read what is there. */
  finish(): void;
}

export function openPipe(path: string): PipeReader {
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  // Holding the other end too keeps the reader from seeing an end before the engine has opened the pipe.
  const writeEnd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  let finished = false;
  return {
    stream: new Socket({ fd: readEnd, readable: true, writable: false }),
    finish() {
      if (finished) return;
      finished = true;
      closeSync(writeEnd);
    },
  };
}
