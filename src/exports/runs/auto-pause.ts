// An export that keeps failing in a way that only a person can mend is paused: it would go on failing, and its
// destination be asked in vain.
import type { RunRow } from '../../metadata/tables-exports.ts';
import { endBackfills } from '../backfills/sql.ts';
import type { RunLog } from '../logs.ts';
import { pauseExport } from '../pause.ts';
import type { Db } from '../sql.ts';
import { FAILURES_AMONG, FAILURES_MAX } from './policy.ts';
import { countFailures } from './sql.ts';

export async function pauseAfterFailures(
  db: Db,
  { batch_export_id }: RunRow,
  nowMs: number,
  log: RunLog,
): Promise<void> {
  if ((await countFailures(db, batch_export_id, FAILURES_AMONG)) < FAILURES_MAX) return;
  const paused = await db.transaction().execute((tx) => pauseExport(tx, batch_export_id, nowMs, { told: true }));
  if (!paused) return;
  log.say('ERROR', 'Paused due to exceeding failure threshold');
  if (await endBackfills(db, { batch_export_id }, 'Cancelled')) log.say('WARNING', 'Running backfills were cancelled');
}
