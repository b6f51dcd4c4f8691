// The tables of surveys, and of what was added to flags, as the compiler knows them.
import type { ColumnType, Generated, Selectable, Updateable } from 'kysely';
import type { Timestamp } from './columns.ts';

/** Unlike that of other tables, it may be null. */
type Json<T> = ColumnType<T, string | null | undefined, string | null>;

export type SurveyType = 'popover' | 'widget' | 'external_survey' | 'api';
export type SurveySchedule = 'once' | 'recurring' | 'always';

export interface SurveyTable {
  id: Generated<string>;
  team_id: number;
  name: string;
  description: Generated<string>;
  type: SurveyType;
  schedule: SurveySchedule | null;
  linked_flag_id: number | null;
  targeting_flag_id: number | null;
  internal_targeting_flag_id: number | null;
  internal_response_sampling_flag_id: number | null;
  questions: Json<Record<string, unknown>[] | null>;
  conditions: Json<Record<string, unknown> | null>;
  appearance: Json<Record<string, unknown> | null>;
  start_date: Timestamp | null;
  end_date: Timestamp | null;
  archived: Generated<boolean>;
  responses_limit: number | null;
  iteration_count: number | null;
  iteration_frequency_days: number | null;
  iteration_start_dates: Timestamp[] | null;
  current_iteration: number | null;
  current_iteration_start_date: Timestamp | null;
  response_sampling_start_date: Timestamp | null;
  response_sampling_interval_type: 'day' | 'week' | 'month' | null;
  response_sampling_interval: number | null;
  response_sampling_limit: number | null;
  response_sampling_daily_limits: Json<unknown>;
  enable_partial_responses: boolean | null;
  created_by_id: number | null;
  created_at: Generated<Timestamp>;
}

export interface FlagLastCallTable {
  team_id: number;
  flag_key: string;
  called_at: Timestamp;
}

export interface FlagCallProgressTable {
  only_row: Generated<boolean>;
  looked_up_to: Generated<number>;
}

export interface ProjectSecretKeyTable {
  team_id: number;
  digest: string;
  mask: string;
  digest_before: string | null;
  mask_before: string | null;
  created_by_id: number | null;
  created_at: Generated<Timestamp>;
}

export interface FlagUsageDashboardTable {
  flag_id: number;
  dashboard_id: number;
}

export interface MoreFlagTables {
  survey: SurveyTable;
  flag_last_call: FlagLastCallTable;
  flag_call_progress: FlagCallProgressTable;
  flag_usage_dashboard: FlagUsageDashboardTable;
  project_secret_key: ProjectSecretKeyTable;
}

export type SurveyRow = Selectable<SurveyTable>;
export type SurveyUpdate = Updateable<SurveyTable>;
