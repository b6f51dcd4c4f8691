// The loop of the `exports` role: makes the runs that are due, moves backfills on, and works on runs. Any number of
// processes may run it on one database; rows and their locks decide who does what.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { readWatermark } from '../pipeline/watermark.ts';
import { advanceBackfills } from './backfills/advance.ts';
import { toTimestamp } from './clock.ts';
import { forgetOldLines } from './logs.ts';
import { type ExecuteParts, executeRun, type Timing } from './runs/execute.ts';
import { RETRY } from './runs/policy.ts';
import { findWork, takeRun } from './runs/sql.ts';
import { scheduleDue } from './schedule/due.ts';

export interface WorkerTiming extends Timing {
  /** How often the clock is looked at. */
  pollMs: number;
}

export const TIMING: WorkerTiming = { leaseMs: 15_000, beatMs: 2_000, retry: RETRY, pollMs: 1_000 };

const TIDY_MS = 3_600_000;

export interface WorkerParts extends Omit<ExecuteParts, 'owner' | 'timing'> {
  /** How many runs this process works on at once. */
  runsMax: number;
  timing?: Partial<WorkerTiming>;
}

export interface Worker {
  /** Resolves when no run is being worked on and none could be: for tests, which do not want to wait for the poll. */
  idle(): Promise<void>;
  /** Gives back what is being worked on; another process, or the next start, takes it up at once. */
  close(): Promise<void>;
}

export function startWorker(given: WorkerParts): Worker {
  const timing = { ...TIMING, ...given.timing };
  const owner = `${hostname()} ${process.pid} ${randomUUID()}`;
  const parts: ExecuteParts = { ...given, timing, owner };
  const { db, clock, log, runsMax } = given;
  const stopping = new AbortController();
  const working = new Set<Promise<void>>();
  let wake = () => {};

  /** Takes up one run; false when there is none. */
  async function takeOne(): Promise<boolean> {
    const run = await takeRun(db, { owner, leaseMs: timing.leaseMs }, await readWatermark(db));
    if (!run) return false;
    log.debug({ run_id: run.id, batch_export_id: run.batch_export_id, attempt: run.attempts }, 'a run is taken up');
    const row = await db
      .selectFrom('batch_export')
      .selectAll()
      .where('id', '=', run.batch_export_id)
      .executeTakeFirstOrThrow();
    const done = executeRun(parts, run, row, stopping.signal).finally(() => {
      working.delete(done);
      wake();
    });
    working.add(done);
    return true;
  }

  async function look(): Promise<void> {
    const nowMs = await clock();
    const { isDue, isIdle, isFree } = await findWork(db, toTimestamp(nowMs));
    if (isDue) await scheduleDue(db, nowMs);
    if (isIdle) await advanceBackfills(db, nowMs);
    if (!isDue && !isIdle && !isFree) return;
    while (working.size < runsMax && !stopping.signal.aborted && (await takeOne()));
  }

  let looking = Promise.resolve();
  /** One look at a time, whoever asks for it. */
  const pass = (): Promise<void> => {
    const next = looking.then(look);
    looking = next.catch(() => {});
    return next;
  };

  const tidying = setInterval(() => {
    forgetOldLines(db).catch((error) => log.debug({ err: error }, 'exports: old lines of logs were not removed'));
  }, TIDY_MS);
  tidying.unref();

  const looping = (async () => {
    while (!stopping.signal.aborted) {
      const woken = new AbortController();
      wake = () => woken.abort();
      await pass().catch((error) => log.warn({ err: error }, 'exports: a look at the schedule failed'));
      const signal = AbortSignal.any([stopping.signal, woken.signal]);
      await delay(timing.pollMs, undefined, { signal }).catch(() => {});
    }
  })();

  return {
    async idle() {
      do {
        await Promise.all(working);
        await pass();
      } while (working.size > 0);
    },
    async close() {
      clearInterval(tidying);
      stopping.abort();
      await looping;
      await Promise.all(working);
    },
  };
}
