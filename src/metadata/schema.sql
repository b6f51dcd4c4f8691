-- What the migrations result in. Written by `npm run schema`; a test compares it with a migrated database.

CREATE OR REPLACE FUNCTION public.note_flag_definitions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.remember_deleted_project()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into deleted_project (id) values (old.id);
  return old;
end
$function$
;

create table access_control (
  id uuid default gen_random_uuid() not null,
  dashboard_id integer not null,
  membership_id uuid,
  access_level text not null,
  created_by_id integer,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint access_control_pkey PRIMARY KEY (id),
  constraint access_control_dashboard_id_membership_id_key UNIQUE NULLS NOT DISTINCT (dashboard_id, membership_id),
  constraint access_control_access_level_check CHECK ((access_level = ANY (ARRAY['none'::text, 'viewer'::text, 'editor'::text]))),
  constraint access_control_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint access_control_dashboard_id_fkey FOREIGN KEY (dashboard_id) REFERENCES dashboard(id) ON DELETE CASCADE,
  constraint access_control_membership_id_fkey FOREIGN KEY (membership_id) REFERENCES membership(id) ON DELETE CASCADE
);

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

create table action (
  id integer generated always as identity not null,
  team_id integer not null,
  name text,
  description text default ''::text not null,
  steps jsonb default '[]'::jsonb not null,
  tags text[] default '{}'::text[] not null,
  post_to_slack boolean default false not null,
  slack_message_format text default ''::text not null,
  pinned_at timestamp with time zone,
  deleted boolean default false not null,
  created_at timestamp with time zone default now() not null,
  created_by_id integer,
  updated_at timestamp with time zone default now() not null,
  constraint action_pkey PRIMARY KEY (id),
  constraint action_name_check CHECK ((char_length(name) <= 400)),
  constraint action_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint action_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table activity_log (
  id uuid default gen_random_uuid() not null,
  team_id integer not null,
  user_id integer,
  scope text not null,
  item_id text not null,
  activity text not null,
  detail jsonb not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint activity_log_pkey PRIMARY KEY (id),
  constraint activity_log_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE,
  constraint activity_log_user_id_fkey FOREIGN KEY (user_id) REFERENCES account(id) ON DELETE SET NULL
);

create table annotation (
  id integer generated always as identity not null,
  team_id integer not null,
  content text,
  date_marker timestamp with time zone,
  creation_type text default 'USR'::text not null,
  scope text default 'dashboard_item'::text not null,
  insight_id integer,
  dashboard_id integer,
  deleted boolean default false not null,
  created_at timestamp with time zone default now() not null,
  created_by_id integer,
  updated_at timestamp with time zone default now() not null,
  constraint annotation_pkey PRIMARY KEY (id),
  constraint annotation_content_check CHECK ((char_length(content) <= 8192)),
  constraint annotation_creation_type_check CHECK ((creation_type = ANY (ARRAY['USR'::text, 'GIT'::text]))),
  constraint annotation_scope_check CHECK ((scope = ANY (ARRAY['dashboard_item'::text, 'dashboard'::text, 'project'::text, 'organization'::text]))),
  constraint annotation_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint annotation_dashboard_id_fkey FOREIGN KEY (dashboard_id) REFERENCES dashboard(id) ON DELETE CASCADE,
  constraint annotation_insight_id_fkey FOREIGN KEY (insight_id) REFERENCES insight(id) ON DELETE CASCADE,
  constraint annotation_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table batch_export (
  id uuid not null,
  team_id integer not null,
  name text not null,
  model text default 'events'::text not null,
  destination_type text not null,
  config text not null,
  "interval" text not null,
  timezone text default 'UTC'::text not null,
  offset_day smallint,
  offset_hour smallint,
  paused boolean default false not null,
  deleted boolean default false not null,
  created_at timestamp with time zone default now() not null,
  last_updated_at timestamp with time zone default now() not null,
  last_paused_at timestamp with time zone,
  paused_since timestamp with time zone,
  start_at timestamp with time zone,
  end_at timestamp with time zone,
  schema jsonb,
  filters jsonb,
  next_run_at timestamp with time zone,
  constraint batch_export_pkey PRIMARY KEY (id),
  constraint batch_export_model_check CHECK ((model = ANY (ARRAY['events'::text, 'persons'::text, 'sessions'::text]))),
  constraint batch_export_offset_day_check CHECK (((offset_day >= 0) AND (offset_day <= 6))),
  constraint batch_export_offset_hour_check CHECK (((offset_hour >= 0) AND (offset_hour <= 23))),
  constraint batch_export_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table batch_export_backfill (
  id uuid not null,
  batch_export_id uuid not null,
  team_id integer not null,
  start_at timestamp with time zone,
  end_at timestamp with time zone,
  is_retry boolean default false not null,
  status text default 'Running'::text not null,
  done_until timestamp with time zone,
  current_run_id uuid,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  last_updated_at timestamp with time zone default now() not null,
  constraint batch_export_backfill_pkey PRIMARY KEY (id),
  constraint batch_export_backfill_batch_export_id_fkey FOREIGN KEY (batch_export_id) REFERENCES batch_export(id) ON DELETE CASCADE
);

create table batch_export_log (
  id bigint generated always as identity not null,
  batch_export_id uuid not null,
  instance_id uuid not null,
  "timestamp" timestamp with time zone not null,
  level text not null,
  message text not null,
  constraint batch_export_log_pkey PRIMARY KEY (id),
  constraint batch_export_log_level_check CHECK ((level = ANY (ARRAY['DEBUG'::text, 'INFO'::text, 'WARNING'::text, 'ERROR'::text]))),
  constraint batch_export_log_batch_export_id_fkey FOREIGN KEY (batch_export_id) REFERENCES batch_export(id) ON DELETE CASCADE
);

create table batch_export_run (
  id uuid not null,
  batch_export_id uuid not null,
  backfill_id uuid,
  status text default 'Starting'::text not null,
  data_interval_start timestamp with time zone,
  data_interval_end timestamp with time zone not null,
  records_completed bigint,
  records_total_count bigint,
  bytes_exported bigint,
  latest_error text,
  cursor text,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  last_updated_at timestamp with time zone default now() not null,
  attempts integer default 0 not null,
  not_before timestamp with time zone default now() not null,
  lease_owner text,
  lease_until timestamp with time zone,
  constraint batch_export_run_pkey PRIMARY KEY (id),
  constraint batch_export_run_status_check CHECK ((status = ANY (ARRAY['Starting'::text, 'Running'::text, 'Completed'::text, 'Failed'::text, 'FailedRetryable'::text, 'Cancelled'::text, 'TimedOut'::text, 'Terminated'::text, 'ContinuedAsNew'::text]))),
  constraint batch_export_run_backfill_id_fkey FOREIGN KEY (backfill_id) REFERENCES batch_export_backfill(id) ON DELETE SET NULL,
  constraint batch_export_run_batch_export_id_fkey FOREIGN KEY (batch_export_id) REFERENCES batch_export(id) ON DELETE CASCADE
);

create table cohort (
  id integer generated always as identity not null,
  team_id integer not null,
  name text,
  description text default ''::text not null,
  filters jsonb,
  query jsonb,
  is_static boolean default false not null,
  deleted boolean default false not null,
  is_calculating boolean default false not null,
  last_calculation timestamp with time zone,
  errors_calculating integer default 0 not null,
  count integer,
  created_by_id integer,
  created_at timestamp with time zone default now() not null,
  calculation_begun_at timestamp with time zone,
  constraint cohort_pkey PRIMARY KEY (id),
  constraint cohort_description_check CHECK ((char_length(description) <= 1000)),
  constraint cohort_name_check CHECK ((char_length(name) <= 400)),
  constraint cohort_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint cohort_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table cohort_member (
  team_id integer not null,
  distinct_id text not null,
  cohort_id integer not null,
  constraint cohort_member_pkey PRIMARY KEY (team_id, distinct_id, cohort_id),
  constraint cohort_member_cohort_id_fkey FOREIGN KEY (cohort_id) REFERENCES cohort(id) ON DELETE CASCADE
);

create table dashboard (
  id integer generated always as identity not null,
  team_id integer not null,
  name text,
  description text default ''::text not null,
  pinned boolean default false not null,
  created_at timestamp with time zone default now() not null,
  created_by_id integer,
  deleted boolean default false not null,
  creation_mode text default 'default'::text not null,
  filters jsonb default '{}'::jsonb not null,
  variables jsonb default '{}'::jsonb not null,
  breakdown_colors jsonb,
  data_color_theme_id integer,
  tags text[] default '{}'::text[] not null,
  restriction_level smallint default 21 not null,
  last_accessed_at timestamp with time zone,
  constraint dashboard_pkey PRIMARY KEY (id),
  constraint dashboard_creation_mode_check CHECK ((creation_mode = ANY (ARRAY['default'::text, 'template'::text, 'duplicate'::text, 'unlisted'::text]))),
  constraint dashboard_name_check CHECK ((char_length(name) <= 400)),
  constraint dashboard_restriction_level_check CHECK ((restriction_level = ANY (ARRAY[21, 37]))),
  constraint dashboard_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint dashboard_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table dashboard_collaborator (
  id uuid default gen_random_uuid() not null,
  dashboard_id integer not null,
  user_id integer not null,
  level smallint not null,
  added_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint dashboard_collaborator_pkey PRIMARY KEY (id),
  constraint dashboard_collaborator_dashboard_id_user_id_key UNIQUE (dashboard_id, user_id),
  constraint dashboard_collaborator_level_check CHECK ((level = ANY (ARRAY[21, 37]))),
  constraint dashboard_collaborator_dashboard_id_fkey FOREIGN KEY (dashboard_id) REFERENCES dashboard(id) ON DELETE CASCADE,
  constraint dashboard_collaborator_user_id_fkey FOREIGN KEY (user_id) REFERENCES account(id) ON DELETE CASCADE
);

create table dashboard_template (
  id uuid default gen_random_uuid() not null,
  team_id integer not null,
  template_name text not null,
  dashboard_description text default ''::text not null,
  dashboard_filters jsonb default '{}'::jsonb not null,
  tags text[] default '{}'::text[] not null,
  tiles jsonb not null,
  variables jsonb default '[]'::jsonb not null,
  deleted boolean default false not null,
  created_at timestamp with time zone default now() not null,
  created_by_id integer,
  image_url text,
  scope text default 'team'::text not null,
  constraint dashboard_template_pkey PRIMARY KEY (id),
  constraint dashboard_template_dashboard_description_check CHECK ((char_length(dashboard_description) <= 400)),
  constraint dashboard_template_scope_check CHECK ((scope = ANY (ARRAY['team'::text, 'global'::text, 'feature_flag'::text]))),
  constraint dashboard_template_template_name_check CHECK ((char_length(template_name) <= 400)),
  constraint dashboard_template_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint dashboard_template_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table dashboard_text (
  id integer generated always as identity not null,
  team_id integer not null,
  body text,
  created_by_id integer,
  last_modified_at timestamp with time zone default now() not null,
  last_modified_by_id integer,
  constraint dashboard_text_pkey PRIMARY KEY (id),
  constraint dashboard_text_body_check CHECK ((char_length(body) <= 4000)),
  constraint dashboard_text_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint dashboard_text_last_modified_by_id_fkey FOREIGN KEY (last_modified_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint dashboard_text_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table dashboard_tile (
  id integer generated always as identity not null,
  dashboard_id integer not null,
  insight_id integer,
  text_id integer,
  layouts jsonb default '{}'::jsonb not null,
  color text,
  deleted boolean default false not null,
  constraint dashboard_tile_pkey PRIMARY KEY (id),
  constraint dashboard_tile_dashboard_id_insight_id_key UNIQUE (dashboard_id, insight_id),
  constraint dashboard_tile_dashboard_id_text_id_key UNIQUE (dashboard_id, text_id),
  constraint dashboard_tile_check CHECK ((num_nonnulls(insight_id, text_id) = 1)),
  constraint dashboard_tile_color_check CHECK ((char_length(color) <= 400)),
  constraint dashboard_tile_dashboard_id_fkey FOREIGN KEY (dashboard_id) REFERENCES dashboard(id) ON DELETE CASCADE,
  constraint dashboard_tile_insight_id_fkey FOREIGN KEY (insight_id) REFERENCES insight(id) ON DELETE CASCADE,
  constraint dashboard_tile_text_id_fkey FOREIGN KEY (text_id) REFERENCES dashboard_text(id) ON DELETE CASCADE
);

create table deleted_project (
  id integer not null,
  deleted_at timestamp with time zone default clock_timestamp() not null,
  forgotten_at timestamp with time zone,
  constraint deleted_project_pkey PRIMARY KEY (id)
);

create table distinct_id_tombstone (
  team_id integer not null,
  distinct_id text not null,
  version bigint not null,
  constraint distinct_id_tombstone_pkey PRIMARY KEY (team_id, distinct_id)
);

create table early_access_feature (
  id uuid default gen_random_uuid() not null,
  team_id integer not null,
  feature_flag_id integer,
  name text not null,
  description text default ''::text not null,
  stage text not null,
  documentation_url text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  constraint early_access_feature_pkey PRIMARY KEY (id),
  constraint early_access_feature_documentation_url_check CHECK ((char_length(documentation_url) <= 800)),
  constraint early_access_feature_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint early_access_feature_stage_check CHECK ((stage = ANY (ARRAY['draft'::text, 'concept'::text, 'alpha'::text, 'beta'::text, 'general-availability'::text, 'archived'::text]))),
  constraint early_access_feature_feature_flag_id_fkey FOREIGN KEY (feature_flag_id) REFERENCES feature_flag(id) ON DELETE SET NULL,
  constraint early_access_feature_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
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

create table feature_flag (
  id integer generated always as identity not null,
  team_id integer not null,
  key text not null,
  name text default ''::text not null,
  filters jsonb default '{}'::jsonb not null,
  active boolean default true not null,
  deleted boolean default false not null,
  version integer default 1 not null,
  ensure_experience_continuity boolean default false not null,
  is_remote_configuration boolean default false not null,
  has_encrypted_payloads boolean default false not null,
  has_enriched_analytics boolean default false not null,
  evaluation_runtime text default 'all'::text not null,
  evaluation_contexts text[] default '{}'::text[] not null,
  bucketing_identifier text,
  creation_context text default 'feature_flags'::text not null,
  tags text[] default '{}'::text[] not null,
  analytics_dashboards integer[] default '{}'::integer[] not null,
  created_by_id integer,
  last_modified_by_id integer,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint feature_flag_pkey PRIMARY KEY (id),
  constraint feature_flag_bucketing_identifier_check CHECK ((bucketing_identifier = ANY (ARRAY['distinct_id'::text, 'device_id'::text]))),
  constraint feature_flag_evaluation_runtime_check CHECK ((evaluation_runtime = ANY (ARRAY['all'::text, 'client'::text, 'server'::text]))),
  constraint feature_flag_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 400))),
  constraint feature_flag_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint feature_flag_last_modified_by_id_fkey FOREIGN KEY (last_modified_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint feature_flag_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table feature_flag_version (
  flag_id integer not null,
  version integer not null,
  changed_at timestamp with time zone default clock_timestamp() not null,
  changed_by_id integer,
  flag jsonb not null,
  constraint feature_flag_version_pkey PRIMARY KEY (flag_id, version),
  constraint feature_flag_version_changed_by_id_fkey FOREIGN KEY (changed_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint feature_flag_version_flag_id_fkey FOREIGN KEY (flag_id) REFERENCES feature_flag(id) ON DELETE CASCADE
);

create table flag_call_progress (
  only_row boolean default true not null,
  looked_up_to bigint default 0 not null,
  constraint flag_call_progress_pkey PRIMARY KEY (only_row),
  constraint flag_call_progress_only_row_check CHECK (only_row)
);

create table flag_definitions (
  team_id integer not null,
  version bigint not null,
  constraint flag_definitions_pkey PRIMARY KEY (team_id),
  constraint flag_definitions_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table flag_hash_key (
  team_id integer not null,
  distinct_id text not null,
  flag_key text not null,
  hash_key text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint flag_hash_key_pkey PRIMARY KEY (team_id, distinct_id, flag_key)
);

create table flag_last_call (
  team_id integer not null,
  flag_key text not null,
  called_at timestamp with time zone not null,
  constraint flag_last_call_pkey PRIMARY KEY (team_id, flag_key),
  constraint flag_last_call_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table flag_usage_dashboard (
  flag_id integer not null,
  dashboard_id integer not null,
  constraint flag_usage_dashboard_pkey PRIMARY KEY (flag_id),
  constraint flag_usage_dashboard_dashboard_id_key UNIQUE (dashboard_id),
  constraint flag_usage_dashboard_dashboard_id_fkey FOREIGN KEY (dashboard_id) REFERENCES dashboard(id) ON DELETE CASCADE,
  constraint flag_usage_dashboard_flag_id_fkey FOREIGN KEY (flag_id) REFERENCES feature_flag(id) ON DELETE CASCADE
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

create table insight (
  id integer generated always as identity not null,
  team_id integer not null,
  short_id text not null,
  name text,
  derived_name text,
  description text,
  query jsonb,
  filters jsonb default '{}'::jsonb not null,
  "order" integer,
  deleted boolean default false not null,
  favorited boolean default false not null,
  saved boolean default false not null,
  is_sample boolean default false not null,
  tags text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  created_by_id integer,
  updated_at timestamp with time zone default now() not null,
  last_modified_at timestamp with time zone default now() not null,
  last_modified_by_id integer,
  constraint insight_pkey PRIMARY KEY (id),
  constraint insight_team_id_short_id_key UNIQUE (team_id, short_id),
  constraint insight_derived_name_check CHECK ((char_length(derived_name) <= 400)),
  constraint insight_name_check CHECK ((char_length(name) <= 400)),
  constraint insight_short_id_check CHECK ((char_length(short_id) <= 12)),
  constraint insight_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint insight_last_modified_by_id_fkey FOREIGN KEY (last_modified_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint insight_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table insight_viewed (
  insight_id integer not null,
  user_id integer not null,
  last_viewed_at timestamp with time zone default now() not null,
  constraint insight_viewed_pkey PRIMARY KEY (user_id, insight_id),
  constraint insight_viewed_insight_id_fkey FOREIGN KEY (insight_id) REFERENCES insight(id) ON DELETE CASCADE,
  constraint insight_viewed_user_id_fkey FOREIGN KEY (user_id) REFERENCES account(id) ON DELETE CASCADE
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

create table override_fold (
  id boolean default true not null,
  folded_until bigint default 0 not null,
  folded_at timestamp with time zone,
  constraint override_fold_pkey PRIMARY KEY (id),
  constraint override_fold_id_check CHECK (id)
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

create table project_secret_key (
  team_id integer not null,
  digest text not null,
  mask text not null,
  digest_before text,
  mask_before text,
  created_by_id integer,
  created_at timestamp with time zone default now() not null,
  constraint project_secret_key_pkey PRIMARY KEY (team_id),
  constraint project_secret_key_digest_before_key UNIQUE (digest_before),
  constraint project_secret_key_digest_key UNIQUE (digest),
  constraint project_secret_key_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint project_secret_key_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
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

create unlogged table query_result (
  team_id integer not null,
  cache_key text not null,
  query jsonb not null,
  answer text not null,
  computed_at timestamp with time zone not null,
  fresh_until timestamp with time zone not null,
  used_at timestamp with time zone default now() not null,
  constraint query_result_pkey PRIMARY KEY (team_id, cache_key),
  constraint query_result_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create unlogged table query_run (
  id text not null,
  team_id integer not null,
  insight_id integer,
  dashboard_id integer,
  started_at timestamp with time zone default now() not null,
  picked_up_at timestamp with time zone,
  ended_at timestamp with time zone,
  is_cancelled boolean default false not null,
  error_status smallint,
  error_message text,
  answer text,
  expires_at timestamp with time zone default (now() + '01:00:00'::interval) not null,
  cache_key text,
  constraint query_run_pkey PRIMARY KEY (team_id, id),
  constraint query_run_id_check CHECK ((char_length(id) <= 200)),
  constraint query_run_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table session (
  token_digest text not null,
  user_id integer not null,
  authenticated_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint session_pkey PRIMARY KEY (token_digest),
  constraint session_user_id_fkey FOREIGN KEY (user_id) REFERENCES account(id) ON DELETE CASCADE
);

create table sharing_configuration (
  id integer generated always as identity not null,
  team_id integer not null,
  dashboard_id integer,
  insight_id integer,
  created_at timestamp with time zone default now() not null,
  enabled boolean default false not null,
  access_token text not null,
  former_token text,
  former_token_until timestamp with time zone,
  settings jsonb,
  password_required boolean default false not null,
  constraint sharing_configuration_pkey PRIMARY KEY (id),
  constraint sharing_configuration_access_token_key UNIQUE (access_token),
  constraint sharing_configuration_dashboard_id_key UNIQUE (dashboard_id),
  constraint sharing_configuration_former_token_key UNIQUE (former_token),
  constraint sharing_configuration_insight_id_key UNIQUE (insight_id),
  constraint sharing_configuration_check CHECK ((num_nonnulls(dashboard_id, insight_id) = 1)),
  constraint sharing_configuration_dashboard_id_fkey FOREIGN KEY (dashboard_id) REFERENCES dashboard(id) ON DELETE CASCADE,
  constraint sharing_configuration_insight_id_fkey FOREIGN KEY (insight_id) REFERENCES insight(id) ON DELETE CASCADE,
  constraint sharing_configuration_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table sharing_password (
  id integer generated always as identity not null,
  sharing_configuration_id integer not null,
  password_hash text not null,
  note text,
  created_at timestamp with time zone default now() not null,
  created_by_id integer,
  constraint sharing_password_pkey PRIMARY KEY (id),
  constraint sharing_password_note_check CHECK ((char_length(note) <= 100)),
  constraint sharing_password_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint sharing_password_sharing_configuration_id_fkey FOREIGN KEY (sharing_configuration_id) REFERENCES sharing_configuration(id) ON DELETE CASCADE
);

create table sign_in_failure (
  subject text not null,
  failed_at timestamp with time zone default clock_timestamp() not null
);

create table survey (
  id uuid default gen_random_uuid() not null,
  team_id integer not null,
  name text not null,
  description text default ''::text not null,
  type text not null,
  schedule text,
  linked_flag_id integer,
  targeting_flag_id integer,
  internal_targeting_flag_id integer,
  questions jsonb,
  conditions jsonb,
  appearance jsonb,
  start_date timestamp with time zone,
  end_date timestamp with time zone,
  archived boolean default false not null,
  responses_limit integer,
  iteration_count integer,
  iteration_frequency_days integer,
  iteration_start_dates timestamp with time zone[],
  current_iteration integer,
  current_iteration_start_date timestamp with time zone,
  response_sampling_start_date timestamp with time zone,
  response_sampling_interval_type text,
  response_sampling_interval integer,
  response_sampling_limit integer,
  response_sampling_daily_limits jsonb,
  enable_partial_responses boolean default false,
  created_by_id integer,
  created_at timestamp with time zone default now() not null,
  internal_response_sampling_flag_id integer,
  constraint survey_pkey PRIMARY KEY (id),
  constraint survey_iteration_count_check CHECK (((iteration_count >= 0) AND (iteration_count <= 500))),
  constraint survey_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 400))),
  constraint survey_response_sampling_interval_type_check CHECK ((response_sampling_interval_type = ANY (ARRAY['day'::text, 'week'::text, 'month'::text]))),
  constraint survey_schedule_check CHECK ((schedule = ANY (ARRAY['once'::text, 'recurring'::text, 'always'::text]))),
  constraint survey_type_check CHECK ((type = ANY (ARRAY['popover'::text, 'widget'::text, 'external_survey'::text, 'api'::text]))),
  constraint survey_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint survey_internal_response_sampling_flag_id_fkey FOREIGN KEY (internal_response_sampling_flag_id) REFERENCES feature_flag(id) ON DELETE SET NULL,
  constraint survey_internal_targeting_flag_id_fkey FOREIGN KEY (internal_targeting_flag_id) REFERENCES feature_flag(id) ON DELETE SET NULL,
  constraint survey_linked_flag_id_fkey FOREIGN KEY (linked_flag_id) REFERENCES feature_flag(id) ON DELETE SET NULL,
  constraint survey_targeting_flag_id_fkey FOREIGN KEY (targeting_flag_id) REFERENCES feature_flag(id) ON DELETE SET NULL,
  constraint survey_team_id_fkey FOREIGN KEY (team_id) REFERENCES project(id) ON DELETE CASCADE
);

create table tenrec_migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint tenrec_migration_pkey PRIMARY KEY (name)
);

CREATE UNIQUE INDEX account_email ON public.account USING btree (lower(email));

CREATE INDEX action_listed ON public.action USING btree (team_id, name, id) WHERE (NOT deleted);

CREATE INDEX activity_log_item ON public.activity_log USING btree (team_id, scope, item_id, created_at DESC);

CREATE INDEX activity_log_time ON public.activity_log USING btree (team_id, created_at DESC);

CREATE INDEX annotation_listed ON public.annotation USING btree (team_id, date_marker DESC, id DESC) WHERE (NOT deleted);

CREATE INDEX batch_export_due ON public.batch_export USING btree (next_run_at);

CREATE INDEX batch_export_project ON public.batch_export USING btree (team_id, created_at DESC, id DESC) WHERE (NOT deleted);

CREATE INDEX batch_export_backfill_active ON public.batch_export_backfill USING btree (id) WHERE (status = ANY (ARRAY['Starting'::text, 'Running'::text]));

CREATE INDEX batch_export_backfill_export ON public.batch_export_backfill USING btree (batch_export_id, created_at DESC, id DESC);

CREATE INDEX batch_export_log_age ON public.batch_export_log USING btree ("timestamp");

CREATE INDEX batch_export_log_export ON public.batch_export_log USING btree (batch_export_id, "timestamp" DESC, id DESC);

CREATE INDEX batch_export_log_instance ON public.batch_export_log USING btree (instance_id, "timestamp" DESC, id DESC);

CREATE INDEX batch_export_run_active ON public.batch_export_run USING btree (not_before) WHERE (status = ANY (ARRAY['Starting'::text, 'Running'::text]));

CREATE INDEX batch_export_run_backfill ON public.batch_export_run USING btree (backfill_id) WHERE (backfill_id IS NOT NULL);

CREATE INDEX batch_export_run_export ON public.batch_export_run USING btree (batch_export_id, created_at DESC, id DESC);

CREATE INDEX batch_export_run_interval ON public.batch_export_run USING btree (batch_export_id, data_interval_start);

CREATE UNIQUE INDEX batch_export_run_scheduled ON public.batch_export_run USING btree (batch_export_id, data_interval_end, data_interval_start) WHERE (backfill_id IS NULL);

CREATE INDEX cohort_due ON public.cohort USING btree (last_calculation NULLS FIRST) WHERE ((NOT deleted) AND (NOT is_static));

CREATE INDEX cohort_listed ON public.cohort USING btree (team_id, created_at DESC, id DESC) WHERE (NOT deleted);

CREATE INDEX cohort_member_cohort ON public.cohort_member USING btree (cohort_id);

CREATE INDEX dashboard_listed ON public.dashboard USING btree (team_id, pinned DESC, name, id) INCLUDE (creation_mode) WHERE (NOT deleted);

CREATE INDEX dashboard_template_scope ON public.dashboard_template USING btree (scope) WHERE (scope <> 'team'::text);

CREATE INDEX dashboard_template_team ON public.dashboard_template USING btree (team_id);

CREATE INDEX dashboard_tile_insight ON public.dashboard_tile USING btree (insight_id) WHERE (insight_id IS NOT NULL);

CREATE INDEX dashboard_tile_text ON public.dashboard_tile USING btree (text_id) WHERE (text_id IS NOT NULL);

CREATE INDEX deleted_project_left ON public.deleted_project USING btree (deleted_at) WHERE (forgotten_at IS NULL);

CREATE UNIQUE INDEX early_access_feature_flag ON public.early_access_feature USING btree (feature_flag_id);

CREATE INDEX early_access_feature_listed ON public.early_access_feature USING btree (team_id, created_at DESC);

CREATE INDEX event_property_property ON public.event_property USING btree (team_id, property);

CREATE UNIQUE INDEX feature_flag_key ON public.feature_flag USING btree (team_id, key) WHERE (NOT deleted);

CREATE INDEX feature_flag_listed ON public.feature_flag USING btree (team_id, created_at DESC, id DESC) WHERE (NOT deleted);

CREATE INDEX insight_listed ON public.insight USING btree (team_id, "order", id) WHERE (NOT deleted);

CREATE INDEX insight_modified ON public.insight USING btree (team_id, last_modified_at DESC, id) WHERE (NOT deleted);

CREATE INDEX insight_viewed_last ON public.insight_viewed USING btree (user_id, last_viewed_at DESC);

CREATE INDEX invite_organization ON public.invite USING btree (organization_id, created_at DESC);

CREATE INDEX membership_user ON public.membership USING btree (user_id);

CREATE INDEX person_by_age ON public.person USING btree (team_id, created_at DESC, id DESC);

CREATE INDEX person_distinct_id_person ON public.person_distinct_id USING btree (team_id, person_uuid);

CREATE INDEX personal_api_key_user ON public.personal_api_key USING btree (user_id, created_at DESC);

CREATE INDEX project_organization ON public.project USING btree (organization_id);

CREATE INDEX query_result_used ON public.query_result USING btree (used_at);

CREATE INDEX query_run_expired ON public.query_run USING btree (expires_at);

CREATE INDEX session_account ON public.session USING btree (user_id);

CREATE INDEX session_expires ON public.session USING btree (expires_at);

CREATE INDEX sharing_password_configuration ON public.sharing_password USING btree (sharing_configuration_id);

CREATE INDEX sign_in_failure_subject ON public.sign_in_failure USING btree (subject, failed_at);

CREATE INDEX survey_listed ON public.survey USING btree (team_id, created_at DESC, id);

CREATE UNIQUE INDEX survey_name ON public.survey USING btree (team_id, name);

CREATE TRIGGER cohort_changed AFTER INSERT OR DELETE OR UPDATE OF filters, is_static, deleted ON public.cohort FOR EACH ROW EXECUTE FUNCTION note_flag_definitions('team_id');

CREATE TRIGGER early_access_feature_changed AFTER INSERT OR DELETE OR UPDATE ON public.early_access_feature FOR EACH ROW EXECUTE FUNCTION note_flag_definitions('team_id');

CREATE TRIGGER feature_flag_changed AFTER INSERT OR DELETE OR UPDATE ON public.feature_flag FOR EACH ROW EXECUTE FUNCTION note_flag_definitions('team_id');

CREATE TRIGGER group_type_changed AFTER INSERT OR DELETE OR UPDATE ON public.group_type FOR EACH ROW EXECUTE FUNCTION note_flag_definitions('team_id');

CREATE TRIGGER project_changed AFTER DELETE OR UPDATE OF api_token, timezone, settings ON public.project FOR EACH ROW EXECUTE FUNCTION note_flag_definitions('id');

CREATE TRIGGER project_deleted AFTER DELETE ON public.project FOR EACH ROW EXECUTE FUNCTION remember_deleted_project();

CREATE TRIGGER survey_changed AFTER INSERT OR DELETE OR UPDATE ON public.survey FOR EACH ROW EXECUTE FUNCTION note_flag_definitions('team_id');
