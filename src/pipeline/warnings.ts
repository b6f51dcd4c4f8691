// What the people of a project are told about events that were changed or left out on their way.
import type { JsonObject } from '../capture/exact-json.ts';

export type WarningType =
  | 'cannot_merge_already_identified'
  | 'cannot_merge_with_illegal_distinct_id'
  | 'client_ingestion_warning'
  | 'cookieless_not_supported'
  | 'duplicate_event'
  | 'event_dropped_too_old'
  | 'event_timestamp_in_future'
  | 'group_key_too_long'
  | 'heatmap_not_supported'
  | 'ignored_invalid_timestamp'
  | 'invalid_event_when_process_person_profile_is_false'
  | 'invalid_group_set'
  | 'invalid_process_person_profile'
  | 'message_size_too_large'
  | 'person_properties_size_violation'
  | 'processing_failed';

export interface Warning {
  type: WarningType;
  details: JsonObject;
}

/** Types of which every single one is kept. Of the others one an hour is, for each project, type and event name. */
export const everyOneIsKept: ReadonlySet<string> = new Set<WarningType>([
  'cannot_merge_already_identified',
  'cannot_merge_with_illegal_distinct_id',
  'client_ingestion_warning',
  'invalid_event_when_process_person_profile_is_false',
]);
