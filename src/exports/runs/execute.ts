// One attempt at a run, from the lease to the last word about it. The lease is kept by a heartbeat, which also shows how
// far the run is; whoever loses it stops at once, for somebody else may be at work.
import { setTimeout as delay } from 'node:timers/promises';
import type { BatchExportRow, RunRow } from '../../metadata/tables-exports.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../clock.ts';
import type { Destinations } from '../destinations/all.ts';
import type { Shipped } from '../destinations/destination.ts';
import { RunLog } from '../logs.ts';
import type { Vault } from '../secrets.ts';
import { columnsOf } from '../selection/statements.ts';
import type { Source } from '../source.ts';
import type { Db } from '../sql.ts';
import { type Opened, openExport, placeOf, rangeOf } from './attempt.ts';
import { pauseAfterFailures } from './auto-pause.ts';
import { judgeFailure } from './failure.ts';
import { type RetryPolicy, runMsMax, waitAfter } from './policy.ts';
import { endRun, type Lease, postponeRun, renewLease, returnRun, saveTotal } from './sql.ts';

export interface Timing {
  /** A worker that is gone is noticed after this long. */
  leaseMs: number;
  beatMs: number;
  retry: RetryPolicy;
}

export interface ExecuteParts {
  db: Db;
  source: Source;
  destinations: Destinations;
  vault: Vault;
  clock: Clock;
  /** Names this process. */
  owner: string;
  timing: Timing;
  log: Logger;
}

/** Why an attempt was broken off from outside. */
class Interrupted extends Error {
  readonly why: 'lost' | 'timedOut' | 'stopping';

  constructor(why: Interrupted['why']) {
    super(why);
    this.why = why;
  }
}

const NOTHING: Shipped = { records: 0, bytes: 0 };

/** Never throws: whatever happens becomes the run's status, or is left to the next who takes the run up. */
export async function executeRun(
  parts: ExecuteParts,
  run: RunRow,
  row: BatchExportRow,
  stopping: AbortSignal,
): Promise<void> {
  const attempt = new AbortController();
  const interrupt = (why: Interrupted['why']) => attempt.abort(new Interrupted(why));
  const stop = () => interrupt('stopping');
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  const elapsedMs = () => Date.now() - Date.parse(run.started_at ?? run.created_at);
  const deadline = setTimeout(
    interrupt,
    Math.min(Math.max(0, runMsMax(row.interval) - elapsedMs()), TIMER_MS_MAX),
    'timedOut',
  );
  const log = new RunLog(run.batch_export_id, run.id);
  const words: Words = { log, done: NOTHING, total: 0, read: 0, hide: (text) => text };
  const heart = startHeart(parts, run, words, () => interrupt('lost'));
  try {
    const shipped = await ship(parts, run, row, words, attempt.signal);
    attempt.signal.throwIfAborted();
    words.log.say('INFO', `Finished with ${shipped.records} records in ${shipped.bytes} bytes`);
    await surely(parts, (db) =>
      endRun(db, run.id, parts.owner, 'completed', {
        records_completed: shipped.records,
        bytes_exported: shipped.bytes,
        latest_error: null,
      }),
    );
  } catch (thrown) {
    const reason: unknown = attempt.signal.aborted ? attempt.signal.reason : thrown;
    await settle(parts, run, row, words, reason, elapsedMs()).catch((error) =>
      parts.log.warn({ err: error, run_id: run.id }, 'how a run ended could not be written down; it will be repeated'),
    );
  } finally {
    clearTimeout(deadline);
    stopping.removeEventListener('abort', stop);
    await heart.stop();
    await words.log.write(parts.db).catch(() => {});
  }
}

/** The longest that a timer of Node's can wait. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** What the heartbeat passes on. */
interface Words {
  log: RunLog;
  done: Shipped;
  /** How many rows are selected, and how many the event store has read of them as far as was seen. */
  total: number;
  read: number;
  asking?: Promise<void> | undefined;
  hide(text: string): string;
}

async function ship(
  parts: ExecuteParts,
  run: RunRow,
  row: BatchExportRow,
  words: Words,
  signal: AbortSignal,
): Promise<Shipped> {
  const { db, source, owner } = parts;
  const opened: Opened = openExport(row, parts.destinations, parts.vault);
  words.hide = opened.hide;
  words.log = new RunLog(run.batch_export_id, run.id, opened.hide);
  const from = run.data_interval_start ?? 'the beginning';
  words.log.say('INFO', `Exporting ${row.model} from ${from} to ${run.data_interval_end}, attempt ${run.attempts}`);
  const plain = { ...opened.selection, range: rangeOf(run) };
  const selection = plain.schema ? { ...plain, types: await source.describe(plain) } : plain;
  const total = await source.count(selection, signal);
  await saveTotal(db, run.id, owner, total);
  words.total = total;
  if (total === 0) {
    words.log.say('INFO', 'There is no data in this interval');
    return NOTHING;
  }
  // A destination listens for the signal; one that was given before it listens it would miss.
  signal.throwIfAborted();
  return opened.destination.ship({
    ...placeOf(row, opened, run, signal),
    runId: run.id,
    columns: columnsOf(selection),
    customColumns: selection.schema !== undefined,
    total,
    read: (reading) => source.read(selection, reading, signal, run.id),
    progress: (done) => {
      words.done = done;
    },
    log: (level, message) => words.log.say(level, message),
  });
}

/** Writes down how an attempt ended that did not succeed. */
async function settle(
  parts: ExecuteParts,
  run: RunRow,
  row: BatchExportRow,
  words: Words,
  reason: unknown,
  elapsedMs: number,
): Promise<void> {
  const { owner, timing } = parts;
  const lost = { records_completed: null, bytes_exported: null };
  if (reason instanceof Interrupted) {
    if (reason.why === 'lost') {
      words.log.say('WARNING', 'Stopped: the run was cancelled, or taken over by another process');
    } else if (reason.why === 'stopping') {
      words.log.say('INFO', 'Interrupted by a stop of the program; the run will be taken up again');
      await surely(parts, (db) => returnRun(db, run.id, owner));
    } else {
      const latest_error = `TimedOut: the run took longer than the ${runMsMax(row.interval) / 60_000} minutes it may take`;
      words.log.say('ERROR', latest_error);
      await surely(parts, (db) => endRun(db, run.id, owner, 'timedOut', { ...lost, latest_error }));
    }
    return;
  }
  const failure = judgeFailure(reason);
  const latest_error = words.hide(failure.error).replaceAll('\0', '');
  const waitMs = waitAfter(run.attempts, timing.retry);
  if (failure.final) {
    words.log.say('ERROR', `Failed, and will not be tried again: ${latest_error}`);
    const { batch_export_id, id: run_id } = run;
    parts.log.warn({ batch_export_id, run_id, team_id: row.team_id, latest_error }, 'exports: a run failed');
    await surely(parts, (db) => endRun(db, run.id, owner, 'failed', { ...lost, latest_error }));
    await pauseAfterFailures(parts.db, run, await parts.clock(), words.log);
  } else if (elapsedMs + waitMs >= runMsMax(row.interval)) {
    words.log.say('ERROR', `Failed after ${run.attempts} attempts: ${latest_error}`);
    await surely(parts, (db) => endRun(db, run.id, owner, 'gaveUp', { ...lost, latest_error }));
  } else {
    words.log.say('WARNING', `Failed, and will be tried again in ${Math.ceil(waitMs / 1_000)} s: ${latest_error}`);
    await surely(parts, (db) => postponeRun(db, run.id, owner, latest_error, waitMs));
  }
}

/** Until the lease has passed nobody else can be at work, so PostgreSQL may take that long to come back. */
async function surely({ db, timing }: ExecuteParts, write: (db: Db) => Promise<unknown>): Promise<void> {
  const until = performance.now() + timing.leaseMs;
  for (;;) {
    try {
      await write(db);
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await delay(timing.beatMs / 4);
    }
  }
}

/** Keeps the lease until it is stopped; `onLost` is called when somebody else may be at work. */
function startHeart(
  { db, source, owner, timing }: ExecuteParts,
  run: RunRow,
  words: Words,
  onLost: () => void,
): { stop(): Promise<void> } {
  const lease: Lease = { owner, leaseMs: timing.leaseMs };
  const ended = new AbortController();
  let keptAt = performance.now();
  const beat = async () => {
    try {
      if (await renewLease(db, run.id, lease, howFar(source, run, words))) keptAt = performance.now();
      else if (!ended.signal.aborted) onLost();
      await words.log.write(db);
    } catch {
      // PostgreSQL does not answer. The lease is good until it has passed, and then it is anybody's.
      if (performance.now() - keptAt > timing.leaseMs) onLost();
    }
  };
  const beating = (async () => {
    while (!ended.signal.aborted) {
      await delay(timing.beatMs, undefined, { signal: ended.signal }).catch(() => {});
      if (!ended.signal.aborted) await beat();
    }
  })();
  return {
    async stop() {
      ended.abort();
      await beating;
    },
  };
}

/**
 * A Parquet file tells only at its end how many rows it holds; until then, those that were read for it are shown, as they
 * were a beat ago: an engine that is slow to answer must not cost the lease.
 */
function howFar(source: Source, { id }: RunRow, words: Words): Shipped {
  const { done, total } = words;
  if (done.bytes === 0 || done.records > 0) return done;
  words.asking ??= source
    .rowsRead(id)
    .then((read) => {
      // The engine forgets a statement whose rows are still on their way.
      words.read = Math.max(words.read, read);
    })
    .catch(() => {})
    .finally(() => {
      words.asking = undefined;
    });
  return { ...done, records: Math.min(words.read, total) };
}
