// Public shapes of batch exports, their runs, backfills and logs. The only file that knows them.
import { z } from 'zod';
import { anything, bool, choice, datetime, dict, integer, nullable, optional, text } from '../http/fields.ts';
import type { BackfillRow, BatchExportRow, LogRow, RunRow } from '../metadata/tables-exports.ts';
import { pagedOf } from '../projects/wire.ts';
import type { Destinations } from './destinations/all.ts';
import { withoutSecrets } from './destinations/config.ts';
import { findDestination } from './runs/attempt.ts';
import { statuses } from './runs/states.ts';
import type { Vault } from './secrets.ts';

const time = z.string();
const status = z.enum(statuses);
const AnyObject = z.record(z.string(), z.unknown());

// Out

export const Run = z.strictObject({
  id: z.guid(),
  status,
  records_completed: z.int().nullable(),
  latest_error: z.string().nullable(),
  data_interval_start: time.nullable(),
  data_interval_end: time,
  cursor: z.string().nullable(),
  created_at: time,
  finished_at: time.nullable(),
  last_updated_at: time,
  records_total_count: z.int().nullable(),
  backfill: z.guid().nullable(),
  bytes_exported: z.int().nullable(),
  batch_export: z.guid(),
});

const cursorPageOf = (shape: z.ZodType) =>
  z.strictObject({ next: z.string().nullable(), previous: z.string().nullable(), results: z.array(shape) });

export const RunPage = cursorPageOf(Run);

export function toRun(run: RunRow): z.output<typeof Run> {
  return {
    id: run.id,
    status: run.status,
    records_completed: run.records_completed,
    latest_error: run.latest_error,
    data_interval_start: run.data_interval_start,
    data_interval_end: run.data_interval_end,
    cursor: run.cursor,
    created_at: run.created_at,
    finished_at: run.finished_at,
    last_updated_at: run.last_updated_at,
    records_total_count: run.records_total_count,
    backfill: run.backfill_id,
    bytes_exported: run.bytes_exported,
    batch_export: run.batch_export_id,
  };
}

export const BatchExport = z.strictObject({
  id: z.guid(),
  team_id: z.int(),
  name: z.string(),
  model: z.enum(['events', 'persons', 'sessions']),
  destination: z.strictObject({ type: z.string(), config: AnyObject, integration: z.null() }),
  interval: z.string(),
  paused: z.boolean(),
  created_at: time,
  last_updated_at: time,
  last_paused_at: time.nullable(),
  start_at: time.nullable(),
  end_at: time.nullable(),
  latest_runs: z.array(Run),
  hogql_query: z.string().nullable(),
  schema: AnyObject.nullable(),
  filters: z.unknown(),
  timezone: z.string(),
  offset_day: z.int().nullable(),
  offset_hour: z.int().nullable(),
});

export const BatchExportPage = pagedOf(BatchExport);

export interface Showing {
  destinations: Destinations;
  vault: Vault;
}

export function toBatchExport(
  row: BatchExportRow,
  runs: readonly RunRow[],
  { destinations, vault }: Showing,
): z.output<typeof BatchExport> {
  return {
    id: row.id,
    team_id: row.team_id,
    name: row.name,
    model: row.model,
    destination: { type: row.destination_type, config: shownConfig(row, destinations, vault), integration: null },
    interval: row.interval,
    paused: row.paused,
    created_at: row.created_at,
    last_updated_at: row.last_updated_at,
    last_paused_at: row.last_paused_at,
    start_at: row.start_at,
    end_at: row.end_at,
    latest_runs: runs.map(toRun),
    hogql_query: typeof row.schema?.hogql_query === 'string' ? row.schema.hogql_query : null,
    schema: row.schema,
    filters: row.filters,
    timezone: row.timezone,
    offset_day: row.offset_day,
    offset_hour: row.offset_hour,
  };
}

/** A configuration that cannot be read any more is shown as empty: its export can still be changed and deleted. */
function shownConfig(row: BatchExportRow, destinations: Destinations, vault: Vault): Record<string, unknown> {
  const destination = findDestination(destinations, row.destination_type);
  if (!destination) return {};
  try {
    return { ...withoutSecrets(destination, vault.open(row.config, row.id)) };
  } catch {
    return {};
  }
}

export const Backfill = z.strictObject({
  id: z.guid(),
  team: z.int(),
  batch_export: z.guid(),
  start_at: time.nullable(),
  end_at: time.nullable(),
  status,
  created_at: time,
  finished_at: time.nullable(),
  last_updated_at: time,
  progress: z.strictObject({ total_runs: z.int(), finished_runs: z.int(), progress: z.number() }).nullable(),
});

export type Progress = z.output<typeof Backfill>['progress'];
export const BackfillPage = cursorPageOf(Backfill);

export function toBackfill(row: BackfillRow, progress: Progress): z.output<typeof Backfill> {
  return {
    id: row.id,
    team: row.team_id,
    batch_export: row.batch_export_id,
    start_at: row.start_at,
    end_at: row.end_at,
    status: row.status,
    created_at: row.created_at,
    finished_at: row.finished_at,
    last_updated_at: row.last_updated_at,
    progress,
  };
}

/** The name of a backfill that says what it is of; older clients know it by that. */
export function backfillName({ batch_export_id, start_at, end_at }: BackfillRow): string {
  const iso = (timestamp: string | null) => timestamp?.replace('Z', '+00:00');
  return `${batch_export_id}-Backfill-${iso(start_at) ?? 'START'}-${iso(end_at) ?? 'END'}`;
}

export const BackfillStarted = z.strictObject({ backfill_id: z.string() });
export const CancelledReply = z.strictObject({ cancelled: z.literal(true) });

export const LogPage = pagedOf(
  z.strictObject({
    log_source_id: z.guid(),
    instance_id: z.guid(),
    timestamp: time,
    level: z.enum(['DEBUG', 'INFO', 'WARNING', 'ERROR']),
    message: z.string(),
  }),
);

/** All that was found is on this one page; who wants older lines asks for those before the last. */
export function toLogPage(rows: readonly LogRow[]): z.output<typeof LogPage> {
  const results = rows.map(({ batch_export_id, instance_id, timestamp, level, message }) => ({
    log_source_id: batch_export_id,
    instance_id,
    timestamp,
    level,
    message,
  }));
  return { count: results.length, next: null, previous: null, results };
}

export const Step = z.strictObject({
  name: z.string(),
  description: z.string(),
  result: z.strictObject({ status: z.enum(['Passed', 'Failed']), message: z.string().nullable() }).nullable(),
});
export const StepList = z.strictObject({ steps: z.array(Step) });

// In

const common = {
  model: optional(nullable(choice(['events', 'persons', 'sessions'], 'What is exported. Default: events.'))),
  paused: optional(bool()),
  last_paused_at: optional(nullable(datetime())),
  start_at: optional(nullable(datetime('No scheduled run before.'))),
  end_at: optional(nullable(datetime('No scheduled run after.'))),
  hogql_query: optional(nullable(text({ about: 'A SELECT of the columns to export, from events.' }))),
  filters: optional(anything('Property filters, a list; events only.')),
  timezone: optional(text({ about: 'Where days and weeks begin at midnight. Default: UTC.' })),
  offset_day: optional(nullable(integer({ min: 0, max: 6, about: 'The day a week begins on; 0 is Sunday.' }))),
  offset_hour: optional(nullable(integer({ min: 0, max: 23, about: 'The hour a day or a week begins at.' }))),
};

export const NewBatchExport = z.object({
  name: text(),
  destination: dict('`{"type": "S3", "config": {…}}`'),
  interval: text({ about: '`hour`, `day`, `week`, `every 5 minutes`.' }),
  ...common,
});

export const BatchExportChange = z.object({
  name: optional(text()),
  destination: optional(dict()),
  interval: optional(text()),
  ...common,
});

export const TestOfNew = z.object({ ...NewBatchExport.shape, step: optional(integer({ min: 0 })) });
export const TestOfStored = z.object({ ...BatchExportChange.shape, step: optional(integer({ min: 0 })) });

export const Unpause = z.object({ backfill: optional(bool('Make up for what was passed over.')) });
/** Judged where the range is: its texts are those of moments, not of fields. */
export const NewBackfill = z.object({ start_at: optional(anything()), end_at: optional(anything()) });

export type ExportDraft = z.output<typeof BatchExportChange>;
