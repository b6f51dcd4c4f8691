// Pausing and going on. What ends while an export is paused is passed over, unless a backfill makes up for it.
import type { BatchExportRow } from '../metadata/tables-exports.ts';
import { toTimestamp } from './clock.ts';
import { firstRunAfter, scheduleOne } from './schedule/due.ts';
import { type Db, lockExport, updateExport } from './sql.ts';

/** Undefined when the export was paused already, and then nothing changes. `told`: the wire's `last_paused_at` moves. */
export async function pauseExport(
  tx: Db,
  id: string,
  nowMs: number,
  { told }: { told: boolean },
): Promise<BatchExportRow | undefined> {
  const row = await lockExport(tx, id);
  if (!row || row.paused || row.deleted) return undefined;
  // Intervals that ended before this moment still get their runs, even if nobody has looked at the clock since.
  await scheduleOne(tx, row, nowMs);
  const now = toTimestamp(nowMs);
  return updateExport(tx, id, {
    paused: true,
    paused_since: now,
    next_run_at: null,
    last_updated_at: now,
    ...(told && { last_paused_at: now }),
  });
}

/** What was passed over, half open; undefined when the export was not paused, and then nothing changes. */
export async function unpauseExport(
  tx: Db,
  id: string,
  nowMs: number,
): Promise<{ from: string; to: string } | undefined> {
  const row = await lockExport(tx, id);
  if (!row?.paused || row.deleted) return undefined;
  const now = toTimestamp(nowMs);
  const next_run_at = firstRunAfter({ ...row, paused: false }, nowMs);
  await updateExport(tx, id, { paused: false, paused_since: null, next_run_at, last_updated_at: now });
  return { from: row.paused_since ?? row.last_paused_at ?? now, to: now };
}
