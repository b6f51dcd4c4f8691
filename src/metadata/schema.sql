-- What the migrations result in. Written by `npm run schema`; a test compares it with a migrated database.

create table account (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  distinct_id text not null,
  email text not null,
  password_hash text,
  first_name text default ''::text not null,
  last_name text default ''::text not null,
  is_active boolean default true not null,
  is_staff boolean default false not null,
  is_email_verified boolean,
  hedgehog_config jsonb,
  role_at_organization text,
  preferences jsonb default '{}'::jsonb not null,
  current_organization_id uuid,
  current_project_id integer,
  date_joined timestamp with time zone default now() not null,
  constraint account_pkey PRIMARY KEY (id),
  constraint account_distinct_id_key UNIQUE (distinct_id),
  constraint account_uuid_key UNIQUE (uuid),
  constraint account_email_check CHECK ((char_length(email) <= 254)),
  constraint account_first_name_check CHECK ((char_length(first_name) <= 150)),
  constraint account_last_name_check CHECK ((char_length(last_name) <= 150)),
  constraint account_role_at_organization_check CHECK ((char_length(role_at_organization) <= 64)),
  constraint account_current_organization_id_fkey FOREIGN KEY (current_organization_id) REFERENCES organization(id) ON DELETE SET NULL,
  constraint account_current_project_id_fkey FOREIGN KEY (current_project_id) REFERENCES project(id) ON DELETE SET NULL
);

create table distinct_id_tombstone (
  team_id integer not null,
  distinct_id text not null,
  version bigint not null,
  constraint distinct_id_tombstone_pkey PRIMARY KEY (team_id, distinct_id)
);

create table event_definition (
  id uuid default gen_random_uuid() not null,
  team_id integer not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone default now() not null,
  description text default ''::text not null,
  tags text[] default '{}'::text[] not null,
  owner_id integer,
  verified boolean default false not null,
  verified_at timestamp with time zone,
  verified_by_id integer,
  hidden boolean default false not null,
  updated_at timestamp with time zone default now() not null,
  updated_by_id integer,
  constraint event_definition_pkey PRIMARY KEY (team_id, name),
  constraint event_definition_id_key UNIQUE (id),
  constraint event_definition_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint event_definition_updated_by_id_fkey FOREIGN KEY (updated_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint event_definition_verified_by_id_fkey FOREIGN KEY (verified_by_id) REFERENCES account(id) ON DELETE SET NULL
);

create table event_property (
  team_id integer not null,
  event text not null,
  property text not null,
  constraint event_property_pkey PRIMARY KEY (team_id, event, property)
);

create table group_type (
  team_id integer not null,
  group_type text not null,
  group_type_index smallint not null,
  name_singular text,
  name_plural text,
  created_at timestamp with time zone default now() not null,
  constraint group_type_pkey PRIMARY KEY (team_id, group_type),
  constraint group_type_team_id_group_type_index_key UNIQUE (team_id, group_type_index),
  constraint group_type_group_type_index_check CHECK (((group_type_index >= 0) AND (group_type_index <= 4)))
);

create table groups (
  team_id integer not null,
  group_type_index smallint not null,
  group_key text not null,
  properties jsonb not null,
  created_at timestamp with time zone not null,
  version bigint not null,
  constraint groups_pkey PRIMARY KEY (team_id, group_type_index, group_key)
);

create table ingestion_batch (
  id bigint generated always as identity not null,
  inserted_at bigint not null,
  positions jsonb default '[]'::jsonb not null,
  before bytea,
  errand jsonb,
  counts jsonb default '[]'::jsonb not null,
  constraint ingestion_batch_pkey PRIMARY KEY (id)
);

create table ingestion_clock (
  only_row boolean default true not null,
  inserted_at bigint default 0 not null,
  owner bigint default 0 not null,
  people_changes bigint default 0 not null,
  constraint ingestion_clock_pkey PRIMARY KEY (only_row),
  constraint ingestion_clock_only_row_check CHECK (only_row)
);

create table ingestion_count (
  team_id integer not null,
  hour timestamp with time zone not null,
  fate text not null,
  events bigint not null,
  constraint ingestion_count_pkey PRIMARY KEY (team_id, hour, fate)
);

create table invite (
  id uuid default gen_random_uuid() not null,
  organization_id uuid not null,
  target_email text not null,
  first_name text default ''::text not null,
  level smallint default 1 not null,
  message text,
  created_by_id integer,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint invite_pkey PRIMARY KEY (id),
  constraint invite_first_name_check CHECK ((char_length(first_name) <= 30)),
  constraint invite_level_check CHECK ((level = ANY (ARRAY[1, 8, 15]))),
  constraint invite_target_email_check CHECK ((char_length(target_email) <= 254)),
  constraint invite_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint invite_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
);

create table membership (
  id uuid default gen_random_uuid() not null,
  organization_id uuid not null,
  user_id integer not null,
  level smallint default 1 not null,
  joined_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint membership_pkey PRIMARY KEY (id),
  constraint membership_organization_id_user_id_key UNIQUE (organization_id, user_id),
  constraint membership_level_check CHECK ((level = ANY (ARRAY[1, 8, 15]))),
  constraint membership_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE,
  constraint membership_user_id_fkey FOREIGN KEY (user_id) REFERENCES account(id) ON DELETE CASCADE
);

create table organization (
  id uuid default gen_random_uuid() not null,
  name text not null,
  slug text not null,
  logo_media_id uuid,
  members_can_invite boolean default true not null,
  members_can_use_personal_api_keys boolean default true not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint organization_pkey PRIMARY KEY (id),
  constraint organization_slug_key UNIQUE (slug),
  constraint organization_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 64)))
);

create table person (
  id bigint generated always as identity not null,
  team_id integer not null,
  uuid uuid not null,
  created_at timestamp with time zone not null,
  properties jsonb not null,
  is_identified boolean not null,
  version bigint not null,
  constraint person_pkey PRIMARY KEY (id),
  constraint person_team_id_uuid_key UNIQUE (team_id, uuid)
);

create table person_distinct_id (
  team_id integer not null,
  distinct_id text not null,
  person_uuid uuid not null,
  version bigint not null,
  constraint person_distinct_id_pkey PRIMARY KEY (team_id, distinct_id)
);

create table person_tombstone (
  team_id integer not null,
  uuid uuid not null,
  version bigint not null,
  constraint person_tombstone_pkey PRIMARY KEY (team_id, uuid)
);

create table personal_api_key (
  id text not null,
  user_id integer not null,
  label text not null,
  secure_value text not null,
  mask_value text not null,
  scopes text[] not null,
  scoped_teams integer[] default '{}'::integer[] not null,
  scoped_organizations uuid[] default '{}'::uuid[] not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  last_rolled_at timestamp with time zone,
  constraint personal_api_key_pkey PRIMARY KEY (id),
  constraint personal_api_key_secure_value_key UNIQUE (secure_value),
  constraint personal_api_key_id_check CHECK ((char_length(id) <= 50)),
  constraint personal_api_key_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 40))),
  constraint personal_api_key_user_id_fkey FOREIGN KEY (user_id) REFERENCES account(id) ON DELETE CASCADE
);

create table personless_id (
  team_id integer not null,
  distinct_id text not null,
  constraint personless_id_pkey PRIMARY KEY (team_id, distinct_id)
);

create table project (
  id integer generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  organization_id uuid not null,
  api_token text not null,
  name text not null,
  timezone text default 'UTC'::text not null,
  ingested_event boolean default false not null,
  settings jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint project_pkey PRIMARY KEY (id),
  constraint project_api_token_key UNIQUE (api_token),
  constraint project_uuid_key UNIQUE (uuid),
  constraint project_api_token_check CHECK ((char_length(api_token) <= 200)),
  constraint project_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint project_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
);

create table property_definition (
  id uuid default gen_random_uuid() not null,
  team_id integer not null,
  name text not null,
  kind smallint not null,
  group_type_index smallint default '-1'::integer not null,
  property_type text,
  created_at timestamp with time zone default now() not null,
  description text default ''::text not null,
  tags text[] default '{}'::text[] not null,
  verified boolean default false not null,
  verified_at timestamp with time zone,
  verified_by_id integer,
  hidden boolean default false not null,
  updated_at timestamp with time zone default now() not null,
  updated_by_id integer,
  constraint property_definition_pkey PRIMARY KEY (team_id, kind, group_type_index, name),
  constraint property_definition_id_key UNIQUE (id),
  constraint property_definition_kind_check CHECK ((kind = ANY (ARRAY[1, 2, 3]))),
  constraint property_definition_property_type_check CHECK ((property_type = ANY (ARRAY['DateTime'::text, 'String'::text, 'Numeric'::text, 'Boolean'::text, 'Duration'::text]))),
  constraint property_definition_updated_by_id_fkey FOREIGN KEY (updated_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint property_definition_verified_by_id_fkey FOREIGN KEY (verified_by_id) REFERENCES account(id) ON DELETE SET NULL
);

create table session (
  token_digest text not null,
  user_id integer not null,
  authenticated_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint session_pkey PRIMARY KEY (token_digest),
  constraint session_user_id_fkey FOREIGN KEY (user_id) REFERENCES account(id) ON DELETE CASCADE
);

create table sign_in_failure (
  subject text not null,
  failed_at timestamp with time zone default clock_timestamp() not null
);

create table tenrec_migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint tenrec_migration_pkey PRIMARY KEY (name)
);

CREATE UNIQUE INDEX account_email ON public.account USING btree (lower(email));

CREATE INDEX event_property_property ON public.event_property USING btree (team_id, property);

CREATE INDEX invite_organization ON public.invite USING btree (organization_id, created_at DESC);

CREATE INDEX membership_user ON public.membership USING btree (user_id);

CREATE INDEX person_by_age ON public.person USING btree (team_id, created_at DESC, id DESC);

CREATE INDEX person_distinct_id_person ON public.person_distinct_id USING btree (team_id, person_uuid);

CREATE INDEX personal_api_key_user ON public.personal_api_key USING btree (user_id, created_at DESC);

CREATE INDEX project_organization ON public.project USING btree (organization_id);

CREATE INDEX session_account ON public.session USING btree (user_id);

CREATE INDEX session_expires ON public.session USING btree (expires_at);

CREATE INDEX sign_in_failure_subject ON public.sign_in_failure USING btree (subject, failed_at);
