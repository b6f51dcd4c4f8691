-- Who may do what: organizations, their people and projects, and the credentials people present.

create table organization (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 64),
  slug text not null unique,
  logo_media_id uuid,
  members_can_invite boolean not null default true,
  members_can_use_personal_api_keys boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table project (
  id integer primary key generated always as identity,
  uuid uuid not null unique default gen_random_uuid(),
  organization_id uuid not null references organization on delete cascade,
  api_token text not null unique check (char_length(api_token) <= 200),
  name text not null check (char_length(name) between 1 and 200),
  timezone text not null default 'UTC',
  ingested_event boolean not null default false,
  -- Every other setting that the wire knows, where it differs from its default (see projects/settings.ts).
  settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index project_organization on project (organization_id);

create table account (
  id integer primary key generated always as identity,
  uuid uuid not null unique default gen_random_uuid(),
  distinct_id text not null unique,
  email text not null check (char_length(email) <= 254),
  -- Null: an account that can sign in only after someone sets a password.
  password_hash text,
  first_name text not null default '' check (char_length(first_name) <= 150),
  last_name text not null default '' check (char_length(last_name) <= 150),
  is_active boolean not null default true,
  is_staff boolean not null default false,
  is_email_verified boolean,
  hedgehog_config jsonb,
  role_at_organization text check (char_length(role_at_organization) <= 64),
  preferences jsonb not null default '{}',
  current_organization_id uuid references organization on delete set null,
  current_project_id integer references project on delete set null,
  date_joined timestamptz not null default now()
);
create unique index account_email on account (lower(email));

create table membership (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organization on delete cascade,
  user_id integer not null references account on delete cascade,
  -- 1 member, 8 admin, 15 owner.
  level smallint not null default 1 check (level in (1, 8, 15)),
  joined_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, user_id)
);
create index membership_user on membership (user_id);

create table invite (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organization on delete cascade,
  target_email text not null check (char_length(target_email) <= 254),
  first_name text not null default '' check (char_length(first_name) <= 30),
  level smallint not null default 1 check (level in (1, 8, 15)),
  message text,
  created_by_id integer references account on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index invite_organization on invite (organization_id, created_at desc);

create table personal_api_key (
  id text primary key check (char_length(id) <= 50),
  user_id integer not null references account on delete cascade,
  label text not null check (char_length(label) between 1 and 40),
  -- `sha256$` and the hex digest of the whole key; the key itself is never stored.
  secure_value text not null unique,
  mask_value text not null,
  scopes text[] not null,
  scoped_teams integer[] not null default '{}',
  scoped_organizations uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  last_rolled_at timestamptz
);
create index personal_api_key_user on personal_api_key (user_id, created_at desc);

create table session (
  -- Digest of the cookie's value, so that a read of this table signs nobody in.
  token_digest text primary key,
  user_id integer not null references account on delete cascade,
  authenticated_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index session_account on session (user_id);
create index session_expires on session (expires_at);

-- Failed sign-ins, per account and per address, shared by every process.
create table sign_in_failure (
  subject text not null,
  failed_at timestamptz not null default clock_timestamp()
);
create index sign_in_failure_subject on sign_in_failure (subject, failed_at);
