// Backfills go on by themselves: whenever the run they wait for is over, the next interval gets one, in order. Nothing
// about it is kept in memory, so it goes on after a crash as well, and whichever process is there first does it.
import { makeUuidV7 } from '../../capture/uuid.ts';
import type { BackfillRow, BatchExportRow } from '../../metadata/tables-exports.ts';
import { toMs, toTimestamp } from '../clock.ts';
import { RunLog } from '../logs.ts';
import { unpauseExport } from '../pause.ts';
import { findActiveRun, insertRun } from '../runs/sql.ts';
import { boundaryAtOrBefore, nextInterval } from '../schedule/schedule.ts';
import { type Db, lockExport } from '../sql.ts';
import { endBackfills, lockIdleBackfills, saveStep } from './sql.ts';

const AT_ONCE = 50;

export async function advanceBackfills(db: Db, nowMs: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const backfill of await lockIdleBackfills(tx, AT_ONCE)) await advance(tx, backfill, nowMs);
  });
}

async function advance(tx: Db, backfill: BackfillRow, nowMs: number): Promise<void> {
  const row = await lockExport(tx, backfill.batch_export_id);
  const log = new RunLog(backfill.batch_export_id, backfill.id);
  if (!row || row.deleted) {
    await endBackfills(tx, { id: backfill.id }, 'Failed');
    return;
  }
  const interval = nextOf(backfill, row, nowMs);
  if (interval) {
    if (backfill.done_until === null) log.say('INFO', `Backfill started from ${shown(interval.start)}`);
    await saveStep(tx, backfill.id, toTimestamp(interval.end), await startRun(tx, backfill, interval));
  } else {
    await endBackfills(tx, { id: backfill.id }, 'Completed');
    log.say('INFO', 'Backfill completed');
    // One without an end has caught up with the schedule, which takes over from here.
    if (backfill.end_at === null && backfill.start_at !== null) await unpauseExport(tx, row.id, nowMs);
  }
  await log.write(tx);
}

const shown = (ms: number | null): string => (ms === null ? 'the beginning' : toTimestamp(ms));

interface Step {
  start: number | null;
  end: number;
}

/** The interval whose turn it is; undefined when all are done. */
export function nextOf(backfill: BackfillRow, row: BatchExportRow, nowMs: number): Step | undefined {
  const [from, until, done] = [toMs(backfill.start_at), toMs(backfill.end_at), toMs(backfill.done_until)];
  if (from === null || backfill.is_retry) {
    return done === null ? { start: from, end: until ?? boundaryAtOrBefore(row, nowMs) } : undefined;
  }
  return nextInterval(row, done ?? from, until ?? nowMs);
}

/** The run to wait for: a new one, or one of the same interval that is under way already. */
async function startRun(tx: Db, backfill: BackfillRow, interval: Step): Promise<string> {
  const { start, end } = interval;
  const same = start === null ? undefined : await findActiveRun(tx, backfill.batch_export_id, { start, end });
  if (same) return same.id;
  const id = makeUuidV7(Date.now());
  await insertRun(tx, { id, batch_export_id: backfill.batch_export_id, backfill_id: backfill.id, interval });
  return id;
}
