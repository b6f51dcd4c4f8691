// Keeps one child process alive: starts it, restarts it with back-off when it dies, stops it on request.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logger.ts';

export interface ChildSpec {
  /** As people read it in logs and errors: `PostgreSQL`, `ClickHouse`. */
  name: string;
  spawn(): ChildProcess;
  /** Resolves once the child answers. The signal aborts when the child has died, so waiting never outlives it. */
  ready(child: ChildProcess, died: AbortSignal): Promise<void>;
  /** Asks the child to end; after `stopMs` it is killed. */
  stop(child: ChildProcess): void;
  stopMs: number;
}

export interface Supervisor {
  /** True while the child answers; between a crash and the end of its restart, false. */
  readonly up: boolean;
  readonly restarts: number;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

const BACKOFF_MIN_MS = 100;
const BACKOFF_MAX_MS = 5_000;
/** A child that lived this long has recovered; the next crash starts the back-off afresh. */
const RECOVERED_AFTER_MS = 1_000;
const STDERR_LINES_KEPT = 20;

/** Starts the child and resolves when it answers. A failure of this first start is the caller's: nothing is retried. */
export async function supervise(spec: ChildSpec, log: Logger): Promise<Supervisor> {
  let child: ChildProcess | undefined;
  let up = false;
  let restarts = 0;
  let stopping = false;
  let backoffMs = BACKOFF_MIN_MS;
  const stopped = new AbortController();

  const startOnce = async (): Promise<void> => {
    const started = spec.spawn();
    child = started;
    const died = new AbortController();
    const lastLines = keepLastLines(started);
    const startedAt = performance.now();
    started.once('error', (error) => died.abort(error));
    started.once('exit', (code, signal) => {
      up = false;
      const how = signal ? `was killed by ${signal}` : `exited with code ${code}`;
      died.abort(new Error([`${spec.name} ${how}`, ...lastLines()].join('\n')));
      if (stopping) return;
      if (performance.now() - startedAt > RECOVERED_AFTER_MS) backoffMs = BACKOFF_MIN_MS;
      if (wasReady) {
        log.error({ engine: spec.name, pid: started.pid, output: lastLines() }, `${spec.name} ${how}; restarting it`);
        void restart();
      }
    });
    let wasReady = false;
    try {
      await spec.ready(started, died.signal);
      died.signal.throwIfAborted();
    } catch (error) {
      if (!died.signal.aborted) await end(started);
      throw died.signal.aborted ? died.signal.reason : error;
    }
    wasReady = true;
    up = true;
  };

  const restart = async (): Promise<void> => {
    while (!stopping) {
      await delay(backoffMs, undefined, { signal: stopped.signal }).catch(() => {});
      if (stopping) return;
      backoffMs = Math.min(backoffMs * 2, BACKOFF_MAX_MS);
      restarts += 1;
      try {
        await startOnce();
        log.info({ engine: spec.name, pid: child?.pid, restarts }, `${spec.name} is back`);
        return;
      } catch (error) {
        if (!stopping) log.error({ engine: spec.name, err: error }, `${spec.name} did not come back; trying again`);
      }
    }
  };

  const end = async (ending: ChildProcess): Promise<void> => {
    if (ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = new Promise((resolve) => ending.once('exit', resolve));
    spec.stop(ending);
    const timer = setTimeout(() => ending.kill('SIGKILL'), spec.stopMs);
    await exited;
    clearTimeout(timer);
  };

  await startOnce();
  return {
    get up() {
      return up;
    },
    get restarts() {
      return restarts;
    },
    get pid() {
      return child?.pid;
    },
    async stop() {
      stopping = true;
      stopped.abort();
      up = false;
      if (child) await end(child);
    },
  };
}

function keepLastLines(child: ChildProcess): () => string[] {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-8_192);
  });
  return () =>
    tail
      .split('\n')
      .filter((line) => line !== '')
      .slice(-STDERR_LINES_KEPT);
}
