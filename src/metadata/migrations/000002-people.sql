-- The people of each project, what is known of its events, and where the pipeline stands.
-- No table here refers to `project` by a foreign key: each new row would lock the project's row.

create table person (
  id bigint primary key generated always as identity,
  team_id integer not null,
  uuid uuid not null,
  created_at timestamptz not null,
  properties jsonb not null,
  is_identified boolean not null,
  -- Grows with every change; whoever writes names the version that he read.
  version bigint not null,
  unique (team_id, uuid)
);
create index person_by_age on person (team_id, created_at desc, id desc);

create table person_distinct_id (
  team_id integer not null,
  distinct_id text not null,
  person_uuid uuid not null,
  version bigint not null,
  primary key (team_id, distinct_id)
);
create index person_distinct_id_person on person_distinct_id (team_id, person_uuid);

-- Ids of events that had no person. When one of them gets a person, its older events are led there by an override.
create table personless_id (
  team_id integer not null,
  distinct_id text not null,
  primary key (team_id, distinct_id)
);

-- Versions that the event store has seen of persons and ids that are no more. Whoever comes back under the same name
-- goes on above them, or the store would take the old row for the newer.
create table person_tombstone (
  team_id integer not null,
  uuid uuid not null,
  version bigint not null,
  primary key (team_id, uuid)
);
create table distinct_id_tombstone (
  team_id integer not null,
  distinct_id text not null,
  version bigint not null,
  primary key (team_id, distinct_id)
);

create table group_type (
  team_id integer not null,
  group_type text not null,
  group_type_index smallint not null check (group_type_index between 0 and 4),
  name_singular text,
  name_plural text,
  created_at timestamptz not null default now(),
  primary key (team_id, group_type),
  unique (team_id, group_type_index)
);

create table groups (
  team_id integer not null,
  group_type_index smallint not null,
  group_key text not null,
  properties jsonb not null,
  created_at timestamptz not null,
  version bigint not null,
  primary key (team_id, group_type_index, group_key)
);

create table event_definition (
  id uuid not null default gen_random_uuid() unique,
  team_id integer not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  description text not null default '',
  tags text[] not null default '{}',
  owner_id integer references account on delete set null,
  verified boolean not null default false,
  verified_at timestamptz,
  verified_by_id integer references account on delete set null,
  hidden boolean not null default false,
  updated_at timestamptz not null default now(),
  updated_by_id integer references account on delete set null,
  primary key (team_id, name)
);

create table property_definition (
  id uuid not null default gen_random_uuid() unique,
  team_id integer not null,
  name text not null,
  -- 1 event, 2 person, 3 group.
  kind smallint not null check (kind in (1, 2, 3)),
  -- -1 but for groups.
  group_type_index smallint not null default -1,
  -- Null until a value shows one; then it stays.
  property_type text check (property_type in ('DateTime', 'String', 'Numeric', 'Boolean', 'Duration')),
  created_at timestamptz not null default now(),
  description text not null default '',
  tags text[] not null default '{}',
  verified boolean not null default false,
  verified_at timestamptz,
  verified_by_id integer references account on delete set null,
  hidden boolean not null default false,
  updated_at timestamptz not null default now(),
  updated_by_id integer references account on delete set null,
  primary key (team_id, kind, group_type_index, name)
);

-- Which properties were seen on which events.
create table event_property (
  team_id integer not null,
  event text not null,
  property text not null,
  primary key (team_id, event, property)
);
create index event_property_property on event_property (team_id, property);

-- One row: the clock of ingestion, and who may move it.
create table ingestion_clock (
  only_row boolean primary key default true check (only_row),
  -- The latest time given to a batch, or promised to be in the past; microseconds since 1970.
  inserted_at bigint not null default 0,
  -- Counts up with every start of a pipeline; an earlier one that is still running finds its number outdated.
  owner bigint not null default 0,
  -- Counts up when somebody other than the pipeline changes people, so that it forgets what it remembers of them.
  people_changes bigint not null default 0
);
insert into ingestion_clock default values;

-- Batches whose people are written and whose rows may not be in the event store yet.
create table ingestion_batch (
  id bigint primary key generated always as identity,
  inserted_at bigint not null,
  -- For each partition of the log: [partition, from, to).
  positions jsonb not null default '[]',
  -- What was known before the batch, compressed. With the records of the log it gives the same rows again.
  before bytea,
  -- Instead of records: what somebody else changed about people, to be done in the event store, too.
  errand jsonb,
  -- Events by project, hour and fate; added to `ingestion_count` when the batch is done.
  counts jsonb not null default '[]'
);

-- What became of accepted events, by the hour of their acceptance.
create table ingestion_count (
  team_id integer not null,
  hour timestamptz not null,
  -- 'accepted', 'stored', or 'dropped:' and the reason.
  fate text not null,
  events bigint not null,
  primary key (team_id, hour, fate)
);
