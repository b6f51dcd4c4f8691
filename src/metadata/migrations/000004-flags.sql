-- Feature flags with all their versions, cohorts and who is in them, early access, and the news that any of it changed.

create table feature_flag (
  id integer primary key generated always as identity,
  team_id integer not null references project on delete cascade,
  key text not null check (char_length(key) between 1 and 400),
  -- Really the description.
  name text not null default '',
  filters jsonb not null default '{}',
  active boolean not null default true,
  -- A flag is never removed, only marked, unless its key is wanted for another one.
  deleted boolean not null default false,
  version integer not null default 1,
  ensure_experience_continuity boolean not null default false,
  is_remote_configuration boolean not null default false,
  has_encrypted_payloads boolean not null default false,
  has_enriched_analytics boolean not null default false,
  evaluation_runtime text not null default 'all' check (evaluation_runtime in ('all', 'client', 'server')),
  evaluation_contexts text[] not null default '{}',
  bucketing_identifier text check (bucketing_identifier in ('distinct_id', 'device_id')),
  -- The feature that made it: surveys keep theirs out of the list.
  creation_context text not null default 'feature_flags',
  tags text[] not null default '{}',
  analytics_dashboards integer[] not null default '{}',
  created_by_id integer references account on delete set null,
  last_modified_by_id integer references account on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index feature_flag_key on feature_flag (team_id, key) where not deleted;
create index feature_flag_listed on feature_flag (team_id, created_at desc, id desc) where not deleted;

-- What a flag was, from each change to the next.
create table feature_flag_version (
  flag_id integer not null references feature_flag on delete cascade,
  version integer not null,
  changed_at timestamptz not null default clock_timestamp(),
  changed_by_id integer references account on delete set null,
  -- The flag's whole row.
  flag jsonb not null,
  primary key (flag_id, version)
);

-- Which id was hashed for somebody before they were identified, so that flags which promise it keep their value.
-- Kept by distinct id, not by person: when persons are merged their ids move, and this goes with them.
create table flag_hash_key (
  team_id integer not null,
  distinct_id text not null,
  flag_key text not null,
  hash_key text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (team_id, distinct_id, flag_key)
);

create table cohort (
  id integer primary key generated always as identity,
  team_id integer not null references project on delete cascade,
  name text check (char_length(name) <= 400),
  description text not null default '' check (char_length(description) <= 1000),
  filters jsonb,
  query jsonb,
  is_static boolean not null default false,
  deleted boolean not null default false,
  is_calculating boolean not null default false,
  last_calculation timestamptz,
  errors_calculating integer not null default 0,
  count integer,
  created_by_id integer references account on delete set null,
  created_at timestamptz not null default now()
);
create index cohort_listed on cohort (team_id, created_at desc, id desc) where not deleted;

-- Who is in a cohort that properties alone do not decide. By distinct id, for the reason given above.
create table cohort_member (
  team_id integer not null,
  distinct_id text not null,
  cohort_id integer not null references cohort on delete cascade,
  primary key (team_id, distinct_id, cohort_id)
);
create index cohort_member_cohort on cohort_member (cohort_id);

create table early_access_feature (
  id uuid primary key default gen_random_uuid(),
  team_id integer not null references project on delete cascade,
  feature_flag_id integer references feature_flag on delete set null,
  name text not null check (char_length(name) between 1 and 200),
  description text not null default '',
  stage text not null check (stage in ('draft', 'concept', 'alpha', 'beta', 'general-availability', 'archived')),
  documentation_url text not null default '' check (char_length(documentation_url) <= 800),
  created_at timestamptz not null default now()
);
create index early_access_feature_listed on early_access_feature (team_id, created_at desc);
create unique index early_access_feature_flag on early_access_feature (feature_flag_id);

-- Counts up with every change to what evaluation reads, so that a process which missed the news finds out.
create table flag_definitions (
  team_id integer primary key references project on delete cascade,
  version bigint not null
);

-- The argument is the name of the column that has the project's id.
create function note_flag_definitions() returns trigger language plpgsql as $$
declare
  project_id integer := (to_jsonb(coalesce(new, old)) ->> tg_argv[0])::integer;
begin
  -- Together with its project goes everything, and there is nobody left to tell.
  if exists (select from project where id = project_id) then
    insert into flag_definitions as known (team_id, version) values (project_id, 1)
      on conflict (team_id) do update set version = known.version + 1;
  end if;
  perform pg_notify('tenrec_flag_definitions', project_id::text);
  return null;
end $$;

create trigger feature_flag_changed after insert or update or delete on feature_flag
  for each row execute function note_flag_definitions('team_id');
create trigger cohort_changed after insert or update of filters, is_static, deleted or delete on cohort
  for each row execute function note_flag_definitions('team_id');
create trigger early_access_feature_changed after insert or update or delete on early_access_feature
  for each row execute function note_flag_definitions('team_id');
create trigger group_type_changed after insert or update or delete on group_type
  for each row execute function note_flag_definitions('team_id');
create trigger project_changed after update of api_token, timezone, settings or delete on project
  for each row execute function note_flag_definitions('id');
