// The tables of batch exports as the compiler knows them.
import type { ColumnType, Generated, GeneratedAlways, Selectable, Updateable } from 'kysely';
import type { Now, Timestamp } from './columns.ts';

/** Unlike that of other tables, it may be null. */
type Json<T> = ColumnType<T, string | null | undefined, string | null>;

export type RunStatus =
  | 'Starting'
  | 'Running'
  | 'Completed'
  | 'Failed'
  | 'FailedRetryable'
  | 'Cancelled'
  | 'TimedOut'
  | 'Terminated'
  | 'ContinuedAsNew';

export type LogLevel = 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR';

export interface BatchExportTable {
  id: string;
  team_id: number;
  name: string;
  model: 'events' | 'persons' | 'sessions';
  destination_type: string;
  /** See exports/secrets.ts. */
  config: string;
  interval: string;
  timezone: Generated<string>;
  offset_day: number | null;
  offset_hour: number | null;
  paused: Generated<boolean>;
  deleted: Generated<boolean>;
  created_at: Now;
  last_updated_at: Now;
  last_paused_at: Timestamp | null;
  paused_since: Timestamp | null;
  start_at: Timestamp | null;
  end_at: Timestamp | null;
  schema: Json<Record<string, unknown> | null>;
  filters: Json<unknown>;
  next_run_at: Timestamp | null;
}

export interface BatchExportBackfillTable {
  id: string;
  batch_export_id: string;
  team_id: number;
  start_at: Timestamp | null;
  end_at: Timestamp | null;
  is_retry: Generated<boolean>;
  status: Generated<RunStatus>;
  done_until: Timestamp | null;
  current_run_id: string | null;
  created_at: Now;
  finished_at: Timestamp | null;
  last_updated_at: Now;
}

export interface BatchExportRunTable {
  id: string;
  batch_export_id: string;
  backfill_id: string | null;
  status: Generated<RunStatus>;
  data_interval_start: Timestamp | null;
  data_interval_end: Timestamp;
  records_completed: number | null;
  records_total_count: number | null;
  bytes_exported: number | null;
  latest_error: string | null;
  cursor: string | null;
  created_at: Now;
  started_at: Timestamp | null;
  finished_at: Timestamp | null;
  last_updated_at: Now;
  attempts: Generated<number>;
  not_before: Now;
  lease_owner: string | null;
  lease_until: Timestamp | null;
}

export interface BatchExportLogTable {
  id: GeneratedAlways<number>;
  batch_export_id: string;
  instance_id: string;
  timestamp: Timestamp;
  level: LogLevel;
  message: string;
}

export interface ExportTables {
  batch_export: BatchExportTable;
  batch_export_backfill: BatchExportBackfillTable;
  batch_export_run: BatchExportRunTable;
  batch_export_log: BatchExportLogTable;
}

export type BatchExportRow = Selectable<BatchExportTable>;
export type BatchExportUpdate = Updateable<BatchExportTable>;
export type BackfillRow = Selectable<BatchExportBackfillTable>;
export type RunRow = Selectable<BatchExportRunTable>;
export type LogRow = Selectable<BatchExportLogTable>;
