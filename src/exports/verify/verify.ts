// Recounts a destination against the event store: each interval that was shipped, uuid by uuid.
import { sql } from 'kysely';
import type { BatchExportRow } from '../../metadata/tables-exports.ts';
import type { BackfillParts } from '../backfills/create.ts';
import { readLines } from '../destinations/lines.ts';
import { openExport, placeOf, type RunInterval, rangeOf } from '../runs/attempt.ts';
import type { Db } from '../sql.ts';
import { type Differences, Tally } from './tally.ts';

export interface CheckedInterval extends Differences {
  kind: 'interval';
  data_interval_start: string | null;
  data_interval_end: string;
}

export type VerifyLine =
  | CheckedInterval
  /** The last line, which tells that all was checked. */
  | { kind: 'end'; intervals: number; differing: number; expected: number; found: number }
  /** Instead of the last line: why it could not go on. */
  | { kind: 'failed'; message: string };

export interface VerifyRange {
  from: string | null;
  to: string | null;
}

/** The intervals that were shipped within the range, each once, oldest first. */
async function listShipped(db: Db, id: string, { from, to }: VerifyRange): Promise<RunInterval[]> {
  const { rows } = await sql<RunInterval>`
    select distinct data_interval_start, data_interval_end
      from batch_export_run
     where batch_export_id = ${id} and status = 'Completed'
       and (${from}::timestamptz is null or data_interval_start >= ${from})
       and (${to}::timestamptz is null or data_interval_end <= ${to})
     order by data_interval_end, data_interval_start nulls first`.execute(db);
  return rows;
}

export async function* verifyExport(
  parts: BackfillParts,
  row: BatchExportRow,
  range: VerifyRange,
  signal: AbortSignal,
): AsyncGenerator<VerifyLine> {
  const sum = { intervals: 0, differing: 0, expected: 0, found: 0 };
  try {
    if (row.model !== 'events') throw new Error('Only exports of events can be verified: their rows have uuids.');
    for (const interval of await listShipped(parts.db, row.id, range)) {
      const checked = await checkInterval(parts, row, interval, signal);
      sum.intervals += 1;
      sum.expected += checked.expected;
      sum.found += checked.found;
      if (isDiffering(checked)) sum.differing += 1;
      yield checked;
    }
    yield { kind: 'end', ...sum };
  } catch (error) {
    if (signal.aborted) return;
    yield { kind: 'failed', message: (error as Error).message };
  }
}

export const isDiffering = (checked: Differences): boolean =>
  checked.missing_count + checked.repeated_count + checked.unexpected_count > 0;

async function checkInterval(
  parts: BackfillParts,
  row: BatchExportRow,
  interval: RunInterval,
  signal: AbortSignal,
): Promise<CheckedInterval> {
  const opened = openExport(row, parts.destinations, parts.vault);
  const selection = { ...opened.selection, schema: undefined, range: rangeOf(interval) };
  const expected = async () => {
    const uuids = { select: [{ name: 'uuid', sql: 'uuid' }], orderBy: 'uuid', format: 'TabSeparatedRaw' as const };
    return readLines(await parts.source.read(selection, uuids, signal));
  };
  const tally = new Tally();
  await tally.expect(await expected());
  const found = await opened.destination.found?.(placeOf(row, opened, interval, signal), expected);
  if (!found) throw new Error(`What was shipped to ${row.destination_type} cannot be read back.`);
  for await (const uuid of found) tally.find(uuid);
  return { kind: 'interval', ...interval, ...tally.differences() };
}
