// The tables of `schema.sql` as the compiler knows them. Timestamps are texts in the wire's form (see open.ts).
import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable, Updateable } from 'kysely';

/** ISO 8601 in UTC with microseconds: `2025-02-03T10:11:12.345678Z`. */
export type Timestamp = string;
type Now = Generated<Timestamp>;
/** Written as JSON text, read back parsed. */
export type Json<T> = ColumnType<T, string | undefined, string>;

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

export interface Database {
  organization: OrganizationTable;
  project: ProjectTable;
  account: AccountTable;
  membership: MembershipTable;
  invite: InviteTable;
  personal_api_key: PersonalApiKeyTable;
  session: SessionTable;
  sign_in_failure: SignInFailureTable;
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
