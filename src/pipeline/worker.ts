// Runs the pipeline in a thread, and starts it again, after a while, when it ends by itself.
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { Logger } from '../platform/logger.ts';
import { StartError } from '../platform/start-error.ts';
import { openThread } from '../platform/thread.ts';
import type { EventStore } from '../store/open.ts';
import type { CityDatabase } from './geoip.ts';
import type { PipelineStats } from './run.ts';
import type { FromWorker, ToWorker, WorkerConfig, WorkerStart } from './worker-messages.ts';

export interface PipelineWorkerParts {
  config: WorkerConfig;
  databaseUrl: string;
  /** Undefined: events get no places. */
  cities?: CityDatabase | undefined;
  store: Pick<EventStore, 'address' | 'onMove'>;
  log: Logger;
}

export interface PipelineWorker {
  /** False between a crash of the thread and the end of its restart, and after another has taken over. */
  readonly up: boolean;
  /** Another program on the same database has the pipeline now: two of them would take it from each other for ever. */
  readonly takenOver: boolean;
  readonly restarts: number;
  /** Undefined while the thread does not answer. */
  stats(): Promise<PipelineStats | undefined>;
  /** Resolves when the thread has ended: by itself within a few seconds, else by force. */
  close(): Promise<void>;
}

const THREAD = new URL('worker-thread.ts', import.meta.url);
const STOP_MS = 5_000;
const STATS_MS = 1_000;
const BACKOFF_MIN_MS = 100;
const BACKOFF_MAX_MS = 5_000;
/** A thread that ran this long has recovered; the next crash starts the back-off afresh. */
const RECOVERED_AFTER_MS = 10_000;

/** A thread that loads the pipeline and waits to be told to begin, so that loading costs no time of its own. */
export function loadPipelineThread(): Worker {
  return openThread(THREAD);
}

/**
 * Resolves when the pipeline runs, in the thread that was loaded for it if there is one. A failure of this first start is
 * the caller's: nothing is retried.
 */
export async function startPipelineWorker(parts: PipelineWorkerParts, loaded?: Worker): Promise<PipelineWorker> {
  const running = new SupervisedThread(parts);
  await running.start(loaded);
  return running;
}

class SupervisedThread implements PipelineWorker {
  up = false;
  takenOver = false;
  restarts = 0;
  readonly #parts: PipelineWorkerParts;
  readonly #stopping = new AbortController();
  #thread: Worker | undefined;
  #startedAt = 0;
  #backoffMs = BACKOFF_MIN_MS;

  constructor(parts: PipelineWorkerParts) {
    this.#parts = parts;
    parts.store.onMove((store) => this.#tell({ type: 'store_moved', store }));
  }

  async start(thread = loadPipelineThread()): Promise<void> {
    const { config, databaseUrl, cities, store, log } = this.#parts;
    const start: WorkerStart = { config: pickConfig(config), databaseUrl, cities, store: store.address };
    this.#thread = thread;
    this.#startedAt = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    thread.on('message', (message: FromWorker) => {
      if (message.type === 'running') {
        this.up = true;
        resolve();
      } else if (message.type === 'taken_over') {
        this.takenOver = true;
      } else if (message.type === 'refused') {
        reject(new StartError(message.message));
      }
    });
    thread.on('error', (error) => {
      log.error({ err: error }, "the pipeline's thread has failed");
      reject(error);
    });
    thread.on('exit', () => {
      const wasUp = this.up;
      this.up = false;
      reject(new Error("the pipeline's thread has ended"));
      if (wasUp && !this.takenOver && !this.#stopping.signal.aborted) void this.#restart();
    });
    this.#tell({ type: 'begin', start });
    await promise;
  }

  async stats(): Promise<PipelineStats | undefined> {
    const thread = this.#thread;
    if (!this.up || !thread) return undefined;
    const { promise, resolve } = Promise.withResolvers<PipelineStats | undefined>();
    const take = (message: FromWorker) => {
      if (message.type === 'stats') resolve(message.stats);
    };
    const timer = setTimeout(() => resolve(undefined), STATS_MS);
    thread.on('message', take);
    this.#tell({ type: 'stats' });
    const stats = await promise;
    clearTimeout(timer);
    thread.off('message', take);
    return stats;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    const thread = this.#thread;
    if (!thread) return;
    const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
    if (thread.threadId === -1) return;
    this.#tell({ type: 'stop' });
    const timer = setTimeout(() => void thread.terminate(), STOP_MS);
    await ended;
    clearTimeout(timer);
  }

  async #restart(): Promise<void> {
    const { log } = this.#parts;
    if (performance.now() - this.#startedAt > RECOVERED_AFTER_MS) this.#backoffMs = BACKOFF_MIN_MS;
    while (!this.#stopping.signal.aborted) {
      log.error("the pipeline's thread has ended; starting another");
      await delay(this.#backoffMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
      if (this.#stopping.signal.aborted) return;
      this.#backoffMs = Math.min(this.#backoffMs * 2, BACKOFF_MAX_MS);
      this.restarts += 1;
      try {
        await this.start();
        return;
      } catch (error) {
        log.error({ err: error }, "the pipeline's thread did not start");
      }
    }
  }

  #tell(message: ToWorker): void {
    this.#thread?.postMessage(message);
  }
}

/** Only what the thread may know: the whole configuration has secrets in it. */
function pickConfig({
  TENREC_DATA,
  TENREC_LOG_MAX_MB,
  TENREC_QUERY_SECONDS,
  TENREC_CLICKHOUSE_CLUSTER,
  TENREC_LOG_LEVEL,
  TENREC_LOG_FORMAT,
}: WorkerConfig): WorkerConfig {
  const engines = { TENREC_DATA, TENREC_LOG_MAX_MB, TENREC_QUERY_SECONDS, TENREC_CLICKHOUSE_CLUSTER };
  return { ...engines, TENREC_LOG_LEVEL, TENREC_LOG_FORMAT };
}
