-- Batch exports: what is shipped where and when, each run of it, the backfills that ask for more runs, and what was said.

create table batch_export (
  id uuid primary key,
  team_id integer not null references project on delete cascade,
  name text not null,
  model text not null default 'events' check (model in ('events', 'persons', 'sessions')),
  destination_type text not null,
  -- The destination's configuration, encrypted: it holds other people's credentials.
  config text not null,
  interval text not null,
  timezone text not null default 'UTC',
  offset_day smallint check (offset_day between 0 and 6),
  offset_hour smallint check (offset_hour between 0 and 23),
  paused boolean not null default false,
  -- An export is never removed, only marked: its runs tell what was shipped.
  deleted boolean not null default false,
  created_at timestamptz not null default now(),
  last_updated_at timestamptz not null default now(),
  last_paused_at timestamptz,
  -- Since when it is paused, by whatever means; `last_paused_at` is what the wire tells of it.
  paused_since timestamptz,
  start_at timestamptz,
  end_at timestamptz,
  schema jsonb,
  filters jsonb,
  -- Where the next interval to be run ends; null when there is none: paused, deleted, or past `end_at`.
  next_run_at timestamptz
);
create index batch_export_project on batch_export (team_id, created_at desc, id desc) where not deleted;
create index batch_export_due on batch_export (next_run_at);

create table batch_export_backfill (
  id uuid primary key,
  batch_export_id uuid not null references batch_export on delete cascade,
  team_id integer not null,
  -- As asked for: null is the beginning of time, or no end.
  start_at timestamptz,
  end_at timestamptz,
  -- Of exactly this interval, wherever boundaries lie now: the retry of a run.
  is_retry boolean not null default false,
  status text not null default 'Running',
  -- Where the last interval ended that was handed out; null before the first.
  done_until timestamptz,
  -- The run that is waited for.
  current_run_id uuid,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  last_updated_at timestamptz not null default now()
);
create index batch_export_backfill_export on batch_export_backfill (batch_export_id, created_at desc, id desc);
create index batch_export_backfill_active on batch_export_backfill (id) where status in ('Starting', 'Running');

create table batch_export_run (
  id uuid primary key,
  batch_export_id uuid not null references batch_export on delete cascade,
  backfill_id uuid references batch_export_backfill on delete set null,
  status text not null default 'Starting' check (status in (
    'Starting', 'Running', 'Completed', 'Failed', 'FailedRetryable', 'Cancelled', 'TimedOut', 'Terminated',
    'ContinuedAsNew')),
  -- Of the ingestion clock, half open; a start of null is the beginning of time.
  data_interval_start timestamptz,
  data_interval_end timestamptz not null,
  records_completed bigint,
  records_total_count bigint,
  bytes_exported bigint,
  latest_error text,
  cursor text,
  created_at timestamptz not null default now(),
  -- When it was first taken up; the time a run may take counts from here.
  started_at timestamptz,
  finished_at timestamptz,
  last_updated_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- A failed attempt is repeated, but not before this.
  not_before timestamptz not null default now(),
  -- Who works on it, and until when nobody else may. A worker that is gone stops moving the time on.
  lease_owner text,
  lease_until timestamptz
);
-- However many processes look at the clock, an interval gets one scheduled run.
create unique index batch_export_run_scheduled
  on batch_export_run (batch_export_id, data_interval_end, data_interval_start) where backfill_id is null;
create index batch_export_run_export on batch_export_run (batch_export_id, created_at desc, id desc);
create index batch_export_run_interval on batch_export_run (batch_export_id, data_interval_start);
create index batch_export_run_backfill on batch_export_run (backfill_id) where backfill_id is not null;
create index batch_export_run_active on batch_export_run (not_before) where status in ('Starting', 'Running');

create table batch_export_log (
  id bigint primary key generated always as identity,
  batch_export_id uuid not null references batch_export on delete cascade,
  -- The run that said it, or the backfill.
  instance_id uuid not null,
  timestamp timestamptz not null,
  level text not null check (level in ('DEBUG', 'INFO', 'WARNING', 'ERROR')),
  message text not null
);
create index batch_export_log_export on batch_export_log (batch_export_id, timestamp desc, id desc);
create index batch_export_log_instance on batch_export_log (instance_id, timestamp desc, id desc);
create index batch_export_log_age on batch_export_log (timestamp);
