// Asking for a backfill: which range is meant, and whether there is anything in it.
import { parseMoment } from '../../filters/moment.ts';
import { invalid } from '../../http/errors.ts';
import type { BackfillRow, BatchExportRow } from '../../metadata/tables-exports.ts';
import { toLocal } from '../../platform/zone.ts';
import type { ChangeParts } from '../change.ts';
import { toTimestamp } from '../clock.ts';
import { openExport } from '../runs/attempt.ts';
import { boundaryAtOrBefore } from '../schedule/schedule.ts';
import type { Source } from '../source.ts';
import { insertBackfill } from './sql.ts';

export interface BackfillParts extends ChangeParts {
  source: Source;
}

/** As given: nothing, or texts. */
export interface BackfillRange {
  start_at?: unknown;
  end_at?: unknown;
}

/** Destinations to which a backfill may catch up with the schedule, and then hand over to it. */
const OPEN_ENDED = new Set(['HTTP', 'NoOp']);

export async function createBackfill(
  parts: BackfillParts,
  row: BatchExportRow,
  timezone: string,
  given: BackfillRange,
): Promise<BackfillRow> {
  const [startAt, endAt] = [readMoment(given.start_at), readMoment(given.end_at)];
  const start = startAt === null && endAt === null ? null : await clampStart(parts, row, timezone, startAt, endAt);
  if (start !== null && endAt !== null && start >= endAt) {
    throw invalid("The initial backfill datetime 'start_at' happens after 'end_at'");
  }
  if (endAt !== null && endAt > (await parts.clock())) {
    throw invalid(`The provided 'end_at' (${toIso(endAt)}) is in the future`);
  }
  if (start !== null && endAt === null && !OPEN_ENDED.has(row.destination_type)) {
    throw invalid('Backfilling a BatchExport with no end date is not allowed');
  }
  return insertBackfill(parts.db, {
    batch_export_id: row.id,
    team_id: row.team_id,
    start_at: start === null ? null : toTimestamp(start),
    end_at: endAt === null ? null : toTimestamp(endAt),
  });
}

/** The start, but not before there is data. Goes by the ingestion clock, as every selection does. */
async function clampStart(
  parts: BackfillParts,
  row: BatchExportRow,
  timezone: string,
  start: number | null,
  end: number | null,
): Promise<number | null> {
  const earliestMicros = await parts.source.earliest(openExport(row, parts.destinations, parts.vault).selection);
  if (earliestMicros === null) throw invalid('There is no data to backfill for this model.');
  const earliest = boundaryAtOrBefore(row, Math.floor(earliestMicros / 1_000));
  if (end !== null && end < earliest) {
    const shown = new Date(toLocal(timezone, earliest)).toISOString().slice(0, 19).replace('T', ' ');
    throw invalid(
      `The provided backfill date range contains no data. The earliest possible backfill start date is ${shown}`,
    );
  }
  return start !== null && start < earliest ? earliest : start;
}

const HAS_OFFSET = /\d(Z|[+-]\d\d(:?\d\d)?)$/i;
const NAIVE = /^\d{4}-\d\d-\d\d([T ]\d\d(:\d\d(:\d\d([.,]\d+)?)?)?)?$/i;

/** Milliseconds; null when nothing was given. */
export function readMoment(given: unknown): number | null {
  if (given === null || given === undefined) return null;
  const text = typeof given === 'string' ? given.trim() : '';
  if (NAIVE.test(text)) throw invalid(`Input ${text} is naive.`);
  const moment = HAS_OFFSET.test(text) ? parseMoment(text.replace(/([+-]\d\d)$/, '$1:00'), 0) : undefined;
  if (!moment) throw invalid(`Input ${String(given)} is not a valid ISO formatted datetime.`);
  return Math.floor(moment.from / 1_000);
}

const toIso = (ms: number): string => toTimestamp(ms).replace('Z', '+00:00');
