// The tables of actions, annotations and answers of queries as the compiler knows them.
import type { ColumnType, Generated, GeneratedAlways, Selectable, Updateable } from 'kysely';
import type { Now, Timestamp } from './columns.ts';

/** Unlike that of other tables, it may be null. */
type Json<T> = ColumnType<T, string | undefined, string>;

export interface ActionTable {
  id: GeneratedAlways<number>;
  team_id: number;
  name: string | null;
  description: Generated<string>;
  steps: Json<Record<string, unknown>[]>;
  tags: Generated<string[]>;
  post_to_slack: Generated<boolean>;
  slack_message_format: Generated<string>;
  pinned_at: Timestamp | null;
  deleted: Generated<boolean>;
  created_at: Now;
  created_by_id: number | null;
  updated_at: Now;
}

export type AnnotationScope = 'dashboard_item' | 'dashboard' | 'project' | 'organization';

export interface AnnotationTable {
  id: GeneratedAlways<number>;
  team_id: number;
  content: string | null;
  date_marker: Timestamp | null;
  creation_type: Generated<'USR' | 'GIT'>;
  scope: Generated<AnnotationScope>;
  insight_id: number | null;
  dashboard_id: number | null;
  deleted: Generated<boolean>;
  created_at: Now;
  created_by_id: number | null;
  updated_at: Now;
}

export interface QueryResultTable {
  team_id: number;
  cache_key: string;
  query: Json<Record<string, unknown>>;
  /** The whole answer as JSON. */
  answer: string;
  computed_at: Timestamp;
  fresh_until: Timestamp;
  used_at: Now;
}

export interface QueryRunTable {
  id: string;
  team_id: number;
  insight_id: number | null;
  dashboard_id: number | null;
  cache_key: string | null;
  started_at: Now;
  picked_up_at: Timestamp | null;
  ended_at: Timestamp | null;
  is_cancelled: Generated<boolean>;
  error_status: number | null;
  error_message: string | null;
  answer: string | null;
  expires_at: Now;
}

/** One row: how far merged persons have been written into the rows of their events. */
export interface OverrideFoldTable {
  id: Generated<boolean>;
  folded_until: Generated<number>;
  folded_at: Timestamp | null;
}

export interface QueryTables {
  action: ActionTable;
  annotation: AnnotationTable;
  query_result: QueryResultTable;
  query_run: QueryRunTable;
  override_fold: OverrideFoldTable;
}

export type ActionRow = Selectable<ActionTable>;
export type ActionUpdate = Updateable<ActionTable>;
export type AnnotationRow = Selectable<AnnotationTable>;
export type AnnotationUpdate = Updateable<AnnotationTable>;
export type QueryRunRow = Selectable<QueryRunTable>;
