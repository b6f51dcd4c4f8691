// Recounts a destination against the event store: each interval that was shipped, row by row.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { BatchExportRow } from '../../metadata/tables-exports.ts';
import type { BackfillParts } from '../backfills/create.ts';
import { idColumns, type Model, type Reading } from '../destinations/destination.ts';
import { readLines } from '../destinations/lines.ts';
import { openExport, placeOf, type RunInterval, rangeOf } from '../runs/attempt.ts';
import type { Db } from '../sql.ts';
import { type Differences, type IdForm, Tally, toUuidText, UUIDS } from './tally.ts';

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

/** How the ids of a model are read out of the event store, in the order of their bytes. */
interface IdReading {
  reading: Reading;
  parse(line: string): string;
  form: IdForm;
}

const uuidReading = (column: string): IdReading => ({
  reading: { select: [{ name: column, sql: column }], orderBy: column, format: 'TabSeparatedRaw' },
  parse: (line) => line,
  form: UUIDS,
});

const ID_READINGS: Readonly<Record<Model, IdReading>> = {
  events: uuidReading(idColumns.events),
  sessions: uuidReading(idColumns.sessions),
  // A distinct id may be any text, of any length, so the tally keeps a digest. Destinations may not hold a NUL.
  persons: {
    reading: {
      select: [{ name: 'id', sql: 'toJSONString(distinct_id)' }],
      orderBy: "MD5(replaceAll(distinct_id, '\\0', ''))",
      format: 'TabSeparatedRaw',
    },
    parse: (line) => JSON.parse(line),
    form: {
      toBytes: (id) => createHash('md5').update(id.replaceAll('\0', '')).digest(),
      // Who has changed since is in a file all the same, and belongs to a later interval by now.
      strangersCount: false,
    },
  },
};

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
  const { reading, parse, form } = ID_READINGS[row.model];
  const expected = async () => readIds(await parts.source.read(selection, reading, signal), parse);
  const tally = new Tally(form);
  await tally.expect(await expected());
  const found = await opened.destination.found?.(placeOf(row, opened, interval, signal), expected);
  if (!found) throw new Error(`What was shipped to ${row.destination_type} cannot be read back.`);
  for await (const id of found) tally.find(id);
  const differences = tally.differences();
  const named = form === UUIDS ? differences : await nameIds(differences, await expected(), form);
  return { kind: 'interval', ...interval, ...named };
}

async function* readIds(stream: Readable, parse: (line: string) => string): AsyncGenerator<string> {
  for await (const line of readLines(stream)) yield parse(line);
}

/** Puts ids in place of the bytes that the tally kept of them. */
async function nameIds(differences: Differences, ids: AsyncIterable<string>, form: IdForm): Promise<Differences> {
  const names = new Map([...differences.missing, ...differences.repeated].map((kept) => [kept, kept]));
  if (names.size === 0) return differences;
  for await (const id of ids) {
    const kept = toUuidText(form.toBytes(id)!);
    if (names.has(kept)) names.set(kept, id);
  }
  const named = (kept: readonly string[]) => kept.map((text) => names.get(text)!);
  return { ...differences, missing: named(differences.missing), repeated: named(differences.repeated) };
}
