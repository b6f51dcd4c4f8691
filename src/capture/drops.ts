// The closed list of reasons for which capture leaves an event out while it accepts the rest of the request; and the one
// for what it has written down and nobody can read any more.
import { type CaptureError, tooLarge, unparsable, unusable } from './capture-error.ts';

export type CaptureDropReason =
  | 'missing_event_name'
  | 'missing_distinct_id'
  | 'not_an_object'
  | 'invalid_properties'
  | 'invalid_uuid'
  | 'invalid_cookieless_mode'
  | 'event_too_large'
  | 'nested_too_deeply'
  | 'performance_event'
  | 'replay_not_supported'
  | 'unreadable_record';

interface DropRule {
  /** The ingestion warning that the project's people read. Where the original has a type for the case, it is that one. */
  warning: string;
  /** What was wrong and what would be right. */
  says: string;
  /** How a strict server refuses the whole request instead; absent when it, too, leaves the event out in silence. */
  refusal?: () => CaptureError;
}

export const captureDrops: Record<CaptureDropReason, DropRule> = {
  missing_event_name: {
    warning: 'missing_event_name',
    says: 'The event has no name; `event` must be a text that is not empty.',
    refusal: () => unusable('event submitted with an empty event name'),
  },
  missing_distinct_id: {
    warning: 'missing_distinct_id',
    says: 'The event belongs to nobody; `distinct_id` must be given, and not empty.',
    refusal: () => unusable('event submitted without a distinct_id'),
  },
  not_an_object: {
    warning: 'invalid_event',
    says: 'An item of the batch is not a JSON object.',
    refusal: () => unparsable('every event must be a JSON object'),
  },
  invalid_properties: {
    warning: 'invalid_properties',
    says: '`properties` must be a JSON object.',
    refusal: () => unparsable('properties must be a JSON object'),
  },
  invalid_uuid: {
    warning: 'skipping_event_invalid_uuid',
    says: '`uuid` must be a UUID, or absent.',
    refusal: () => unparsable('uuid must be a UUID'),
  },
  invalid_cookieless_mode: {
    warning: 'invalid_cookieless_mode',
    says: '`$cookieless_mode` must be true or false.',
    refusal: () => unusable('event submitted with invalid cookieless mode'),
  },
  event_too_large: {
    warning: 'message_size_too_large',
    says: 'The event is larger than 1,000,000 bytes of JSON.',
    refusal: () => tooLarge('one event is larger than 1000000 bytes'),
  },
  nested_too_deeply: {
    warning: 'event_nested_too_deeply',
    says: 'The event is nested more than 128 levels deep.',
    refusal: () => unparsable('recursion limit exceeded'),
  },
  performance_event: {
    warning: 'performance_event_discarded',
    says: '`$performance_event` is no longer stored.',
  },
  replay_not_supported: {
    warning: 'replay_not_supported',
    says: 'Session recordings are not stored yet.',
  },
  unreadable_record: {
    warning: 'unreadable_record',
    says: 'The event was accepted, but what the event log gives back of it cannot be read.',
  },
};

/** All events of a request that were left out for one reason, told by the example of the first. */
export interface CaptureDrop {
  reason: CaptureDropReason;
  count: number;
  details: DropDetails;
}

/** As much as could be read of the first such event; texts are cut. */
export interface DropDetails {
  /** Its place in the request, from 0. */
  index: number;
  event?: string;
  distinct_id?: string;
  uuid?: string;
}
