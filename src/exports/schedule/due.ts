// Turns the time that has passed into runs. An interval gets its run when it ends, also when nobody was there then.

import { makeUuidV7 } from '../../capture/uuid.ts';
import type { BatchExportRow } from '../../metadata/tables-exports.ts';
import { toMs, toTimestamp } from '../clock.ts';
import { insertRun } from '../runs/sql.ts';
import type { Db } from '../sql.ts';
import { type Bounds, boundaryAfter, boundaryBefore, nextRunAfter } from './schedule.ts';

const EXPORTS_AT_ONCE = 50;
/** After a long absence the rest follows in the next pass. */
const RUNS_AT_ONCE = 500;

export const boundsOf = ({ start_at, end_at }: Pick<BatchExportRow, 'start_at' | 'end_at'>): Bounds => ({
  startAtMs: toMs(start_at),
  endAtMs: toMs(end_at),
});

/** What `next_run_at` becomes when an export is new, unpaused or changed at this moment. */
export function firstRunAfter(row: BatchExportRow, nowMs: number): string | null {
  if (row.paused || row.deleted) return null;
  const next = nextRunAfter(row, boundsOf(row), nowMs);
  return next === null ? null : toTimestamp(next);
}

/** Makes the runs of all intervals that have ended. Several processes share the exports among them. */
export async function scheduleDue(db: Db, nowMs: number): Promise<void> {
  let taken: number;
  do {
    taken = await db.transaction().execute(async (tx) => {
      const due = await tx
        .selectFrom('batch_export')
        .selectAll()
        .where('next_run_at', '<=', toTimestamp(nowMs))
        .orderBy('next_run_at')
        .limit(EXPORTS_AT_ONCE)
        .forUpdate()
        .skipLocked()
        .execute();
      for (const row of due) await scheduleOne(tx, row, nowMs);
      return due.length;
    });
  } while (taken === EXPORTS_AT_ONCE);
}

/** Within a transaction that holds the export's row. */
export async function scheduleOne(tx: Db, row: BatchExportRow, nowMs: number): Promise<void> {
  let next = toMs(row.next_run_at);
  const { endAtMs } = boundsOf(row);
  for (let count = 0; next !== null && next <= nowMs && count < RUNS_AT_ONCE; count += 1) {
    await insertRun(tx, {
      id: makeUuidV7(Date.now()),
      batch_export_id: row.id,
      backfill_id: null,
      interval: { start: boundaryBefore(row, next), end: next },
    });
    const following = boundaryAfter(row, next);
    next = endAtMs !== null && following > endAtMs ? null : following;
  }
  await tx
    .updateTable('batch_export')
    .set({ next_run_at: next === null ? null : toTimestamp(next) })
    .where('id', '=', row.id)
    .execute();
}
