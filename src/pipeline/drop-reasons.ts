// The closed list of reasons for which an accepted event is not stored: capture's own, and those found here.
import type { CaptureDropReason } from '../capture/drops.ts';

export type PipelineDropReason =
  /** The client sent the same event before. */
  | 'duplicate'
  /** The project is gone. */
  | 'unknown_project'
  /** A message of the SDK to the project's people; it is kept as a warning. */
  | 'client_ingestion_warning'
  | 'cookieless_not_supported'
  | 'heatmap_not_supported'
  | 'event_dropped_too_old'
  | 'group_key_too_long'
  | 'invalid_group_set'
  | 'invalid_event_when_process_person_profile_is_false'
  /** Event and person together are larger than one row may be. */
  | 'message_size_too_large'
  /** A mistake of ours; it is in the log of the program. */
  | 'processing_failed';

export type DropReason = CaptureDropReason | PipelineDropReason;
