-- Surveys, how flags are used, keys for servers that evaluate flags, and when cohorts were calculated.

create table survey (
  id uuid primary key default gen_random_uuid(),
  team_id integer not null references project on delete cascade,
  name text not null check (char_length(name) between 1 and 400),
  description text not null default '',
  type text not null check (type in ('popover', 'widget', 'external_survey', 'api')),
  schedule text check (schedule in ('once', 'recurring', 'always')),
  -- A flag that was there before; the other two are made for the survey and go with it.
  linked_flag_id integer references feature_flag on delete set null,
  targeting_flag_id integer references feature_flag on delete set null,
  internal_targeting_flag_id integer references feature_flag on delete set null,
  questions jsonb,
  conditions jsonb,
  appearance jsonb,
  start_date timestamptz,
  end_date timestamptz,
  archived boolean not null default false,
  responses_limit integer,
  iteration_count integer check (iteration_count between 0 and 500),
  iteration_frequency_days integer,
  iteration_start_dates timestamptz[],
  current_iteration integer,
  current_iteration_start_date timestamptz,
  response_sampling_start_date timestamptz,
  response_sampling_interval_type text check (response_sampling_interval_type in ('day', 'week', 'month')),
  response_sampling_interval integer,
  response_sampling_limit integer,
  response_sampling_daily_limits jsonb,
  enable_partial_responses boolean default false,
  created_by_id integer references account on delete set null,
  created_at timestamptz not null default now()
);
create unique index survey_name on survey (team_id, name);
create index survey_listed on survey (team_id, created_at desc, id);

create trigger survey_changed after insert or update or delete on survey
  for each row execute function note_flag_definitions('team_id');

-- When a flag was last asked for, as SDKs report it; not in the flag's own row, whose every change is a version.
create table flag_last_call (
  team_id integer not null references project on delete cascade,
  flag_key text not null,
  called_at timestamptz not null,
  primary key (team_id, flag_key)
);

-- Up to where reports of flags were looked at; microseconds since 1970, by the clock of ingestion.
create table flag_call_progress (
  only_row boolean primary key default true check (only_row),
  looked_up_to bigint not null default 0
);
insert into flag_call_progress default values;

-- Keys of servers that evaluate flags by themselves: they read definitions and remote configuration, nothing else.
create table project_secret_key (
  team_id integer primary key references project on delete cascade,
  digest text not null unique,
  mask text not null,
  -- The key before, which goes on working until somebody ends it, so that servers can change over one by one.
  digest_before text unique,
  mask_before text,
  created_by_id integer references account on delete set null,
  created_at timestamptz not null default now()
);

-- A calculation that a process began and did not end is begun again by another.
alter table cohort add column calculation_begun_at timestamptz;
create index cohort_due on cohort (last_calculation nulls first) where not deleted and not is_static;
