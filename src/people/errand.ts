import type { Timestamp } from '../metadata/tables.ts';

/** A change of people that was made outside the pipeline, for the pipeline to bring to the event store. */
export interface Errand {
  team_id: number;
  persons: { uuid: string; version: number; deleted: boolean; created_at?: Timestamp }[];
  distinct_ids: { distinct_id: string; person_uuid: string; version: number; deleted: boolean }[];
  /** Persons whose events are to go, too. */
  delete_events_of: string[];
}
