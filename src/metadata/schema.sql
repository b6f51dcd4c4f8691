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

CREATE INDEX invite_organization ON public.invite USING btree (organization_id, created_at DESC);

CREATE INDEX membership_user ON public.membership USING btree (user_id);

CREATE INDEX personal_api_key_user ON public.personal_api_key USING btree (user_id, created_at DESC);

CREATE INDEX project_organization ON public.project USING btree (organization_id);

CREATE INDEX session_account ON public.session USING btree (user_id);

CREATE INDEX session_expires ON public.session USING btree (expires_at);

CREATE INDEX sign_in_failure_subject ON public.sign_in_failure USING btree (subject, failed_at);
