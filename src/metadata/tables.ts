// The tables of `schema.sql` as the compiler knows them. Timestamps are texts in the wire's form (see open.ts).
import type { Generated, GeneratedAlways, Insertable, Selectable, Updateable } from 'kysely';
import type { Json, Now, Timestamp } from './columns.ts';
import type { DashboardTables } from './tables-dashboards.ts';
import type { ExportTables } from './tables-exports.ts';
import type { MoreFlagTables } from './tables-flags.ts';
import type { QueryTables } from './tables-query.ts';

export type * from './columns.ts';
export type * from './tables-dashboards.ts';

export type MembershipLevel = 1 | 8 | 15;

export interface OrganizationTable {
  id: Generated<string>;
  name: string;
  slug: string;
  logo_media_id: string | null;
  members_can_invite: Generated<boolean>;
  members_can_use_personal_api_keys: Generated<boolean>;
  created_at: Now;
  updated_at: Now;
}

export interface ProjectTable {
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  organization_id: string;
  api_token: string;
  name: string;
  timezone: Generated<string>;
  ingested_event: Generated<boolean>;
  settings: Json<Record<string, unknown>>;
  created_at: Now;
  updated_at: Now;
}

export interface DeletedProjectTable {
  id: number;
  deleted_at: Now;
  forgotten_at: Timestamp | null;
}

export interface AccountTable {
  id: GeneratedAlways<number>;
  uuid: Generated<string>;
  distinct_id: string;
  email: string;
  password_hash: string | null;
  first_name: Generated<string>;
  last_name: Generated<string>;
  is_active: Generated<boolean>;
  is_staff: Generated<boolean>;
  is_email_verified: boolean | null;
  hedgehog_config: Json<Record<string, unknown> | null>;
  role_at_organization: string | null;
  preferences: Json<Record<string, unknown>>;
  current_organization_id: string | null;
  current_project_id: number | null;
  date_joined: Now;
}

export interface MembershipTable {
  id: Generated<string>;
  organization_id: string;
  user_id: number;
  level: Generated<MembershipLevel>;
  joined_at: Now;
  updated_at: Now;
}

export interface InviteTable {
  id: Generated<string>;
  organization_id: string;
  target_email: string;
  first_name: Generated<string>;
  level: Generated<MembershipLevel>;
  message: string | null;
  created_by_id: number | null;
  created_at: Now;
  updated_at: Now;
}

export interface PersonalApiKeyTable {
  id: string;
  user_id: number;
  label: string;
  secure_value: string;
  mask_value: string;
  scopes: string[];
  scoped_teams: Generated<number[]>;
  scoped_organizations: Generated<string[]>;
  created_at: Now;
  last_used_at: Timestamp | null;
  last_rolled_at: Timestamp | null;
}

export interface SessionTable {
  token_digest: string;
  user_id: number;
  authenticated_at: Now;
  expires_at: Timestamp;
}

export interface SignInFailureTable {
  subject: string;
  failed_at: Now;
}

export interface PersonTable {
  id: GeneratedAlways<number>;
  team_id: number;
  uuid: string;
  created_at: Timestamp;
  properties: Json<Record<string, unknown>>;
  is_identified: boolean;
  version: number;
}

export interface PersonDistinctIdTable {
  team_id: number;
  distinct_id: string;
  person_uuid: string;
  version: number;
}

export interface PersonlessIdTable {
  team_id: number;
  distinct_id: string;
}

export interface PersonTombstoneTable {
  team_id: number;
  uuid: string;
  version: number;
}

export interface DistinctIdTombstoneTable {
  team_id: number;
  distinct_id: string;
  version: number;
}

export interface GroupTypeTable {
  team_id: number;
  group_type: string;
  group_type_index: number;
  name_singular: string | null;
  name_plural: string | null;
  created_at: Now;
}

export interface GroupsTable {
  team_id: number;
  group_type_index: number;
  group_key: string;
  properties: Json<Record<string, unknown>>;
  created_at: Timestamp;
  version: number;
}

export interface EventDefinitionTable {
  id: Generated<string>;
  team_id: number;
  name: string;
  created_at: Now;
  last_seen_at: Now;
  description: Generated<string>;
  tags: Generated<string[]>;
  owner_id: number | null;
  verified: Generated<boolean>;
  verified_at: Timestamp | null;
  verified_by_id: number | null;
  hidden: Generated<boolean>;
  updated_at: Now;
  updated_by_id: number | null;
}

/** 1 event, 2 person, 3 group. */
export type PropertyKindNumber = 1 | 2 | 3;

export interface PropertyDefinitionTable {
  id: Generated<string>;
  team_id: number;
  name: string;
  kind: PropertyKindNumber;
  /** -1 but for groups. */
  group_type_index: Generated<number>;
  property_type: 'DateTime' | 'String' | 'Numeric' | 'Boolean' | 'Duration' | null;
  created_at: Now;
  description: Generated<string>;
  tags: Generated<string[]>;
  verified: Generated<boolean>;
  verified_at: Timestamp | null;
  verified_by_id: number | null;
  hidden: Generated<boolean>;
  updated_at: Now;
  updated_by_id: number | null;
}

export interface EventPropertyTable {
  team_id: number;
  event: string;
  property: string;
}

export interface IngestionClockTable {
  only_row: Generated<boolean>;
  inserted_at: Generated<number>;
  owner: Generated<number>;
  people_changes: Generated<number>;
}

export interface IngestionBatchTable {
  id: GeneratedAlways<number>;
  inserted_at: number;
  positions: Json<[partition: number, from: number, to: number][]>;
  before: Buffer | null;
  errand: Json<unknown>;
  counts: Json<[team_id: number, hourMs: number, fate: string, events: number][]>;
}

export interface IngestionCountTable {
  team_id: number;
  hour: Timestamp;
  fate: string;
  events: number;
}

// Flags

export interface FeatureFlagTable {
  id: GeneratedAlways<number>;
  team_id: number;
  key: string;
  name: Generated<string>;
  filters: Json<Record<string, unknown>>;
  active: Generated<boolean>;
  deleted: Generated<boolean>;
  version: Generated<number>;
  ensure_experience_continuity: Generated<boolean>;
  is_remote_configuration: Generated<boolean>;
  has_encrypted_payloads: Generated<boolean>;
  has_enriched_analytics: Generated<boolean>;
  evaluation_runtime: Generated<'all' | 'client' | 'server'>;
  evaluation_contexts: Generated<string[]>;
  bucketing_identifier: 'distinct_id' | 'device_id' | null;
  creation_context: Generated<string>;
  tags: Generated<string[]>;
  analytics_dashboards: Generated<number[]>;
  created_by_id: number | null;
  last_modified_by_id: number | null;
  created_at: Now;
  updated_at: Now;
}

export interface FeatureFlagVersionTable {
  flag_id: number;
  version: number;
  changed_at: Now;
  changed_by_id: number | null;
  flag: Json<Record<string, unknown>>;
}

export interface FlagHashKeyTable {
  team_id: number;
  distinct_id: string;
  flag_key: string;
  hash_key: string;
  created_at: Now;
}

export interface CohortTable {
  id: GeneratedAlways<number>;
  team_id: number;
  name: string | null;
  description: Generated<string>;
  filters: Json<Record<string, unknown> | null>;
  query: Json<Record<string, unknown> | null>;
  is_static: Generated<boolean>;
  deleted: Generated<boolean>;
  is_calculating: Generated<boolean>;
  last_calculation: Timestamp | null;
  errors_calculating: Generated<number>;
  calculation_begun_at: Timestamp | null;
  count: number | null;
  created_by_id: number | null;
  created_at: Now;
}

export interface CohortMemberTable {
  team_id: number;
  distinct_id: string;
  cohort_id: number;
}

export type EarlyAccessStage = 'draft' | 'concept' | 'alpha' | 'beta' | 'general-availability' | 'archived';

export interface EarlyAccessFeatureTable {
  id: Generated<string>;
  team_id: number;
  feature_flag_id: number | null;
  name: string;
  description: Generated<string>;
  stage: EarlyAccessStage;
  documentation_url: Generated<string>;
  created_at: Now;
}

export interface FlagDefinitionsTable {
  team_id: number;
  version: number;
}

export interface Database extends DashboardTables, ExportTables, MoreFlagTables, QueryTables {
  organization: OrganizationTable;
  project: ProjectTable;
  deleted_project: DeletedProjectTable;
  account: AccountTable;
  membership: MembershipTable;
  invite: InviteTable;
  personal_api_key: PersonalApiKeyTable;
  session: SessionTable;
  sign_in_failure: SignInFailureTable;
  person: PersonTable;
  person_distinct_id: PersonDistinctIdTable;
  personless_id: PersonlessIdTable;
  person_tombstone: PersonTombstoneTable;
  distinct_id_tombstone: DistinctIdTombstoneTable;
  group_type: GroupTypeTable;
  groups: GroupsTable;
  event_definition: EventDefinitionTable;
  property_definition: PropertyDefinitionTable;
  event_property: EventPropertyTable;
  ingestion_clock: IngestionClockTable;
  ingestion_batch: IngestionBatchTable;
  ingestion_count: IngestionCountTable;
  feature_flag: FeatureFlagTable;
  feature_flag_version: FeatureFlagVersionTable;
  flag_hash_key: FlagHashKeyTable;
  cohort: CohortTable;
  cohort_member: CohortMemberTable;
  early_access_feature: EarlyAccessFeatureTable;
  flag_definitions: FlagDefinitionsTable;
}

export type OrganizationRow = Selectable<OrganizationTable>;
export type ProjectRow = Selectable<ProjectTable>;
export type ProjectUpdate = Updateable<ProjectTable>;
export type AccountRow = Selectable<AccountTable>;
export type NewAccount = Insertable<AccountTable>;
export type AccountUpdate = Updateable<AccountTable>;
export type MembershipRow = Selectable<MembershipTable>;
export type InviteRow = Selectable<InviteTable>;
export type PersonalApiKeyRow = Selectable<PersonalApiKeyTable>;
export type EventDefinitionRow = Selectable<EventDefinitionTable>;
export type PropertyDefinitionRow = Selectable<PropertyDefinitionTable>;
export type GroupTypeRow = Selectable<GroupTypeTable>;
export type GroupsRow = Selectable<GroupsTable>;

export type EventDefinitionUpdate = Updateable<EventDefinitionTable>;
export type PropertyDefinitionUpdate = Updateable<PropertyDefinitionTable>;

export type FeatureFlagRow = Selectable<FeatureFlagTable>;
export type FeatureFlagUpdate = Updateable<FeatureFlagTable>;
export type CohortRow = Selectable<CohortTable>;
export type CohortUpdate = Updateable<CohortTable>;
export type EarlyAccessFeatureRow = Selectable<EarlyAccessFeatureTable>;
