-- Dashboards, the tiles on them, the insights and texts that tiles show, and who may see and change them.

create table dashboard (
  id integer primary key generated always as identity,
  team_id integer not null references project on delete cascade,
  name text check (char_length(name) <= 400),
  description text not null default '',
  pinned boolean not null default false,
  created_at timestamptz not null default now(),
  created_by_id integer references account on delete set null,
  -- A dashboard is never removed, only marked.
  deleted boolean not null default false,
  creation_mode text not null default 'default'
    check (creation_mode in ('default', 'template', 'duplicate', 'unlisted')),
  filters jsonb not null default '{}',
  variables jsonb not null default '{}',
  breakdown_colors jsonb,
  data_color_theme_id integer,
  tags text[] not null default '{}',
  -- 21: everyone in the project may edit; 37: only those invited.
  restriction_level smallint not null default 21 check (restriction_level in (21, 37)),
  last_accessed_at timestamptz
);
-- The order of the list, so that a page of it is a piece of this index.
create index dashboard_listed on dashboard (team_id, pinned desc, name, id) include (creation_mode) where not deleted;

create table insight (
  id integer primary key generated always as identity,
  team_id integer not null references project on delete cascade,
  short_id text not null check (char_length(short_id) <= 12),
  name text check (char_length(name) <= 400),
  derived_name text check (char_length(derived_name) <= 400),
  description text,
  query jsonb,
  -- The older form of a question, still accepted.
  filters jsonb not null default '{}',
  "order" integer,
  deleted boolean not null default false,
  favorited boolean not null default false,
  saved boolean not null default false,
  is_sample boolean not null default false,
  tags text[] not null default '{}',
  created_at timestamptz not null default now(),
  created_by_id integer references account on delete set null,
  updated_at timestamptz not null default now(),
  last_modified_at timestamptz not null default now(),
  last_modified_by_id integer references account on delete set null,
  unique (team_id, short_id)
);
create index insight_listed on insight (team_id, "order", id) where not deleted;
create index insight_modified on insight (team_id, last_modified_at desc, id) where not deleted;

create table dashboard_text (
  id integer primary key generated always as identity,
  team_id integer not null references project on delete cascade,
  body text check (char_length(body) <= 4000),
  created_by_id integer references account on delete set null,
  last_modified_at timestamptz not null default now(),
  last_modified_by_id integer references account on delete set null
);

create table dashboard_tile (
  id integer primary key generated always as identity,
  dashboard_id integer not null references dashboard on delete cascade,
  insight_id integer references insight on delete cascade,
  text_id integer references dashboard_text on delete cascade,
  layouts jsonb not null default '{}',
  color text check (char_length(color) <= 400),
  deleted boolean not null default false,
  check (num_nonnulls(insight_id, text_id) = 1),
  unique (dashboard_id, insight_id),
  unique (dashboard_id, text_id)
);
create index dashboard_tile_insight on dashboard_tile (insight_id) where insight_id is not null;
create index dashboard_tile_text on dashboard_tile (text_id) where text_id is not null;

create table insight_viewed (
  insight_id integer not null references insight on delete cascade,
  user_id integer not null references account on delete cascade,
  last_viewed_at timestamptz not null default now(),
  primary key (user_id, insight_id)
);
create index insight_viewed_last on insight_viewed (user_id, last_viewed_at desc);

create table dashboard_collaborator (
  id uuid primary key default gen_random_uuid(),
  dashboard_id integer not null references dashboard on delete cascade,
  user_id integer not null references account on delete cascade,
  level smallint not null check (level in (21, 37)),
  added_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (dashboard_id, user_id)
);

create table access_control (
  id uuid primary key default gen_random_uuid(),
  dashboard_id integer not null references dashboard on delete cascade,
  -- Null: the rule for everyone who has none of their own.
  membership_id uuid references membership on delete cascade,
  access_level text not null check (access_level in ('none', 'viewer', 'editor')),
  created_by_id integer references account on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (dashboard_id, membership_id)
);

create table sharing_configuration (
  id integer primary key generated always as identity,
  team_id integer not null references project on delete cascade,
  dashboard_id integer unique references dashboard on delete cascade,
  insight_id integer unique references insight on delete cascade,
  created_at timestamptz not null default now(),
  enabled boolean not null default false,
  access_token text not null unique,
  -- The token before the last rotation opens the page a little longer.
  former_token text unique,
  former_token_until timestamptz,
  settings jsonb,
  password_required boolean not null default false,
  check (num_nonnulls(dashboard_id, insight_id) = 1)
);

create table sharing_password (
  id integer primary key generated always as identity,
  sharing_configuration_id integer not null references sharing_configuration on delete cascade,
  password_hash text not null,
  note text check (char_length(note) <= 100),
  created_at timestamptz not null default now(),
  created_by_id integer references account on delete set null
);
create index sharing_password_configuration on sharing_password (sharing_configuration_id);

create table dashboard_template (
  id uuid primary key default gen_random_uuid(),
  team_id integer not null references project on delete cascade,
  template_name text not null check (char_length(template_name) <= 400),
  dashboard_description text not null default '' check (char_length(dashboard_description) <= 400),
  dashboard_filters jsonb not null default '{}',
  tags text[] not null default '{}',
  tiles jsonb not null,
  variables jsonb not null default '[]',
  deleted boolean not null default false,
  created_at timestamptz not null default now(),
  created_by_id integer references account on delete set null,
  image_url text,
  scope text not null default 'team' check (scope in ('team', 'global', 'feature_flag'))
);
create index dashboard_template_team on dashboard_template (team_id);
create index dashboard_template_scope on dashboard_template (scope) where scope <> 'team';

-- Who changed what, and what it was before.
create table activity_log (
  id uuid primary key default gen_random_uuid(),
  team_id integer not null references project on delete cascade,
  user_id integer references account on delete set null,
  scope text not null,
  item_id text not null,
  activity text not null,
  detail jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index activity_log_time on activity_log (team_id, created_at desc);
create index activity_log_item on activity_log (team_id, scope, item_id, created_at desc);
