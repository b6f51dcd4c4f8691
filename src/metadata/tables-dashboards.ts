// The tables of dashboards and insights, and of what belongs to them, as the compiler knows them.
import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Json, Now, Timestamp } from './columns.ts';

export type RestrictionLevel = 21 | 37;
export type AccessLevel = 'none' | 'viewer' | 'editor';
type Dict = Record<string, unknown>;

export interface DashboardTable {
  id: GeneratedAlways<number>;
  team_id: number;
  name: string | null;
  description: Generated<string>;
  pinned: Generated<boolean>;
  created_at: Now;
  created_by_id: number | null;
  deleted: Generated<boolean>;
  creation_mode: Generated<'default' | 'template' | 'duplicate' | 'unlisted'>;
  filters: Json<Dict>;
  variables: Json<Dict>;
  breakdown_colors: Json<unknown[] | null>;
  data_color_theme_id: number | null;
  tags: Generated<string[]>;
  restriction_level: Generated<RestrictionLevel>;
  last_accessed_at: Timestamp | null;
}

export interface InsightTable {
  id: GeneratedAlways<number>;
  team_id: number;
  short_id: string;
  name: string | null;
  derived_name: string | null;
  description: string | null;
  query: Json<Dict | null>;
  filters: Json<Dict>;
  order: number | null;
  deleted: Generated<boolean>;
  favorited: Generated<boolean>;
  saved: Generated<boolean>;
  is_sample: Generated<boolean>;
  tags: Generated<string[]>;
  created_at: Now;
  created_by_id: number | null;
  updated_at: Now;
  last_modified_at: Now;
  last_modified_by_id: number | null;
}

export interface DashboardTextTable {
  id: GeneratedAlways<number>;
  team_id: number;
  body: string | null;
  created_by_id: number | null;
  last_modified_at: Now;
  last_modified_by_id: number | null;
}

export interface DashboardTileTable {
  id: GeneratedAlways<number>;
  dashboard_id: number;
  insight_id: number | null;
  text_id: number | null;
  layouts: Json<Dict>;
  color: string | null;
  deleted: Generated<boolean>;
}

export interface InsightViewedTable {
  insight_id: number;
  user_id: number;
  last_viewed_at: Now;
}

export interface DashboardCollaboratorTable {
  id: Generated<string>;
  dashboard_id: number;
  user_id: number;
  level: RestrictionLevel;
  added_at: Now;
  updated_at: Now;
}

export interface AccessControlTable {
  id: Generated<string>;
  dashboard_id: number;
  membership_id: string | null;
  access_level: AccessLevel;
  created_by_id: number | null;
  created_at: Now;
  updated_at: Now;
}

export interface SharingConfigurationTable {
  id: GeneratedAlways<number>;
  team_id: number;
  dashboard_id: number | null;
  insight_id: number | null;
  created_at: Now;
  enabled: Generated<boolean>;
  access_token: string;
  former_token: string | null;
  former_token_until: Timestamp | null;
  settings: Json<Dict | null>;
  password_required: Generated<boolean>;
}

export interface SharingPasswordTable {
  id: GeneratedAlways<number>;
  sharing_configuration_id: number;
  password_hash: string;
  note: string | null;
  created_at: Now;
  created_by_id: number | null;
}

export interface DashboardTemplateTable {
  id: Generated<string>;
  team_id: number;
  template_name: string;
  dashboard_description: Generated<string>;
  dashboard_filters: Json<Dict>;
  tags: Generated<string[]>;
  tiles: Json<Dict[]>;
  variables: Json<Dict[]>;
  deleted: Generated<boolean>;
  created_at: Now;
  created_by_id: number | null;
  image_url: string | null;
  scope: Generated<'team' | 'global' | 'feature_flag'>;
}

export interface ActivityLogTable {
  id: Generated<string>;
  team_id: number;
  user_id: number | null;
  scope: string;
  item_id: string;
  activity: string;
  detail: Json<Dict>;
  created_at: Now;
}

export interface DashboardTables {
  dashboard: DashboardTable;
  insight: InsightTable;
  dashboard_text: DashboardTextTable;
  dashboard_tile: DashboardTileTable;
  insight_viewed: InsightViewedTable;
  dashboard_collaborator: DashboardCollaboratorTable;
  access_control: AccessControlTable;
  sharing_configuration: SharingConfigurationTable;
  sharing_password: SharingPasswordTable;
  dashboard_template: DashboardTemplateTable;
  activity_log: ActivityLogTable;
}

export type DashboardRow = Selectable<DashboardTable>;
export type InsightRow = Selectable<InsightTable>;
export type DashboardTextRow = Selectable<DashboardTextTable>;
export type DashboardTileRow = Selectable<DashboardTileTable>;
export type SharingConfigurationRow = Selectable<SharingConfigurationTable>;
export type DashboardTemplateRow = Selectable<DashboardTemplateTable>;
export type ActivityLogRow = Selectable<ActivityLogTable>;
