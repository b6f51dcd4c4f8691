// The embedded PostgreSQL: a supervised child process on a unix socket.
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../../platform/logger.ts';
import { StartError } from '../../platform/start-error.ts';
import { type Supervisor, supervise } from '../../platform/supervisor.ts';
import { openBinaries } from './binaries.ts';
import { openCluster } from './cluster.ts';
import { guard } from './guardian.ts';
import { endLeftover } from './leftover.ts';
import { forwardLog } from './log-lines.ts';
import { findRunAs, spawnAs } from './run-as.ts';
import { serverSettings } from './settings.ts';
import { openSocketFolder, removeSocketFolder, urlOfSocket } from './socket-folder.ts';

export interface EmbeddedPostgres {
  readonly engine: Supervisor;
  /** For any PostgreSQL client of this user on this machine. */
  readonly url: string;
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The program that makes user namespaces; a test names one that fails. */
  unshare?: string;
  /** Over ours; tests that never outlive a power cut turn fsync off. */
  settings?: Readonly<Record<string, string>>;
}

/** After a crash the server replays its log first; it says that it is starting up, and we keep asking. */
const READY_MS = 120_000;
const STOP_MS = 5_000;
/** Fast shutdown has had its time; the rest until STOP_MS is for the immediate one. */
const STOP_NOW_MS = 3_500;

/** Starts the server on the cluster below the data folder, which the caller holds. */
export async function openEmbeddedPostgres(
  dataFolder: string,
  log: Logger,
  { unshare, settings = {} }: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const cluster = join(dataFolder, 'postgres');
  const binaries = await openBinaries(dataFolder);
  const runAs = await findRunAs(binaries, dataFolder, cluster, unshare);
  log.debug({ runs_as: runAs.description }, 'PostgreSQL can run');
  await endLeftover(cluster, log);
  await openCluster(cluster, binaries, runAs, log);
  const socketFolder = await openSocketFolder(cluster, runAs);
  const args = Object.entries({ ...serverSettings(socketFolder), ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const url = urlOfSocket(socketFolder);

  const spawnServer = (): ChildProcess => {
    const child = spawnAs(runAs, [binaries.postgres, '-D', cluster, ...args], {
      env: binaries.env,
      cwd: '/',
      // In a session of its own: Ctrl-C in the terminal is for us, and we end the server after the last request.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    guard(child);
    forwardLog(child.stderr!, log);
    return child;
  };

  try {
    const engine = await supervise(
      {
        name: 'PostgreSQL',
        spawn: spawnServer,
        ready: (_child, died) => waitUntilAnswering(url, died),
        stop: stopServer,
        stopMs: STOP_MS,
      },
      log,
    );
    return {
      engine,
      url,
      async close() {
        await engine.stop();
        await removeSocketFolder(socketFolder);
      },
    };
  } catch (error) {
    await removeSocketFolder(socketFolder);
    const reason = (error as Error).message.split('\n').join('; ');
    throw new StartError(`The embedded PostgreSQL in ${cluster} did not start: ${reason}`, {
      cause: error,
    });
  }
}

async function waitUntilAnswering(url: string, died: AbortSignal): Promise<void> {
  const until = performance.now() + READY_MS;
  for (;;) {
    const client = new Client({ connectionString: url, ssl: false, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      died.throwIfAborted();
      if (performance.now() > until) throw error;
      await delay(20, undefined, { signal: died });
    } finally {
      await client.end().catch(() => {});
    }
  }
}

function stopServer(child: ChildProcess): void {
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_NOW_MS);
  child.once('exit', () => clearTimeout(timer));
}
