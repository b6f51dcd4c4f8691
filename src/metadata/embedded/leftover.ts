// A server that outlived the program that started it is ended before a new one starts on the same cluster.
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/logger.ts';
import { StartError } from '../../platform/start-error.ts';
import { isAlive, pidFileOf, readRecordedServer } from './running.ts';
import { removeSocketFolder } from './socket-folder.ts';

/** Its guardian has asked it to end already, so most often there is only something to wait for. */
const steps = [
  { signal: 'SIGINT', waitMs: 8_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

/** Call it while holding the data folder: then whatever still runs on the cluster belongs to a program that is gone. */
export async function endLeftover(cluster: string, log: Logger): Promise<void> {
  const server = await readRecordedServer(cluster);
  if (!server) return;
  if (server.state === 'running') {
    log.warn({ pid: server.pid }, 'PostgreSQL of an earlier run is still there; ending it');
    await endServer(server.pid);
  }
  // The number belongs to somebody else by now, as it often does after a restart of a container, and PostgreSQL, which
  // cannot tell, would refuse to start.
  if (server.state === 'another process') await rm(pidFileOf(cluster), { force: true });
  await removeSocketFolder(server.socketFolder);
}

async function endServer(pid: number): Promise<void> {
  for (const { signal, waitMs } of steps) {
    sendSignal(pid, signal);
    const until = performance.now() + waitMs;
    while (performance.now() < until) {
      if (!isAlive(pid)) return;
      await delay(20);
    }
  }
  throw new StartError(`PostgreSQL of an earlier run (process ${pid}) does not end: end it, then start again.`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone in this moment, or not ours to end; the wait that follows finds out which.
  }
}
