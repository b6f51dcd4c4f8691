-- Actions and annotations, and what queries have answered.

create table action (
  id integer primary key generated always as identity,
  team_id integer not null references project on delete cascade,
  name text check (char_length(name) <= 400),
  description text not null default '',
  -- The ways in which an event can belong to it; any one will do.
  steps jsonb not null default '[]',
  tags text[] not null default '{}',
  post_to_slack boolean not null default false,
  slack_message_format text not null default '',
  pinned_at timestamptz,
  deleted boolean not null default false,
  created_at timestamptz not null default now(),
  created_by_id integer references account on delete set null,
  updated_at timestamptz not null default now()
);
create index action_listed on action (team_id, name, id) where not deleted;

create table annotation (
  id integer primary key generated always as identity,
  team_id integer not null references project on delete cascade,
  content text check (char_length(content) <= 8192),
  date_marker timestamptz,
  creation_type text not null default 'USR' check (creation_type in ('USR', 'GIT')),
  scope text not null default 'dashboard_item'
    check (scope in ('dashboard_item', 'dashboard', 'project', 'organization')),
  insight_id integer references insight on delete cascade,
  dashboard_id integer references dashboard on delete cascade,
  deleted boolean not null default false,
  created_at timestamptz not null default now(),
  created_by_id integer references account on delete set null,
  updated_at timestamptz not null default now()
);
create index annotation_listed on annotation (team_id, date_marker desc, id desc) where not deleted;

-- What queries have answered. It can all be computed again, so it need not survive a crash of the database.
create unlogged table query_result (
  team_id integer not null references project on delete cascade,
  cache_key text not null,
  query jsonb not null,
  -- The whole answer as JSON; text, since nobody looks into it here.
  answer text not null,
  computed_at timestamptz not null,
  -- From then on the answer is computed again when somebody asks for a fresh one.
  fresh_until timestamptz not null,
  -- The last time that somebody looked at it. What people look at is kept warm; what nobody does is forgotten.
  used_at timestamptz not null default now(),
  primary key (team_id, cache_key)
);
create index query_result_used on query_result (used_at);

-- Queries that are run while nobody waits.
create unlogged table query_run (
  id text not null check (char_length(id) <= 200),
  team_id integer not null references project on delete cascade,
  insight_id integer,
  dashboard_id integer,
  started_at timestamptz not null default now(),
  picked_up_at timestamptz,
  ended_at timestamptz,
  is_cancelled boolean not null default false,
  error_status smallint,
  error_message text,
  answer text,
  expires_at timestamptz not null default now() + interval '1 hour',
  primary key (team_id, id)
);
create index query_run_expired on query_run (expires_at);

-- How far merged persons have been written into the rows of their events.
create table override_fold (
  id boolean primary key default true check (id),
  folded_until bigint not null default 0,
  folded_at timestamptz
);
insert into override_fold default values;
