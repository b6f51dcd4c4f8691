// How far a backfill is. Pure.
import type { BackfillRow } from '../../metadata/tables-exports.ts';
import { toMs } from '../clock.ts';
import { countIntervals, type Schedule } from '../schedule/schedule.ts';
import type { Progress } from '../wire.ts';

/** Null where nobody can tell: when it was ended before its time, and while a single run of everything is under way. */
export function progressOf(
  backfill: Pick<BackfillRow, 'status' | 'start_at' | 'end_at' | 'finished_at' | 'is_retry'>,
  schedule: Schedule,
  finishedRuns: number,
  nowMs: number,
): Progress {
  const start = toMs(backfill.start_at);
  const end = toMs(backfill.end_at) ?? toMs(backfill.finished_at) ?? nowMs;
  const total = start === null || backfill.is_retry ? 1 : countIntervals(schedule, start, end);
  if (backfill.status === 'Completed') return { total_runs: total, finished_runs: total, progress: 1 };
  if ((backfill.status !== 'Running' && backfill.status !== 'Starting') || start === null) return null;
  const share = finishedRuns / Math.max(total, finishedRuns, 1);
  return { total_runs: total, finished_runs: finishedRuns, progress: Math.round(share * 10) / 10 };
}
