// Opens a data folder. The engine locks it, so two never work on one folder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineSession } from './session.ts';

const WAIT_MS = 3_000;
const POLL_MS = 50;

/** A program that was killed may leave its engine running for a moment: that one is waited for. */
export async function openFolder(folder: string, engineArgs: readonly string[]): Promise<EngineSession> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    try {
      return new EngineSession(folder, engineArgs);
    } catch (error) {
      const owner = findOwner(folder);
      if (owner === undefined) throw error;
      if (performance.now() > deadline) {
        throw new Error(`The data folder ${folder} is in use by another program (process ${owner}).`, { cause: error });
      }
    }
    await delay(POLL_MS);
  }
}

/** The living process that wrote the file which the engine keeps locked while it runs. */
function findOwner(folder: string): number | undefined {
  let status: string;
  try {
    status = readFileSync(join(folder, 'status'), 'utf8');
  } catch {
    return undefined;
  }
  const pid = Number(/^PID: (\d+)/m.exec(status)?.[1]);
  return pid && pid !== process.pid && isAlive(pid) ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
