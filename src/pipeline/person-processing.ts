// Whether an event concerns a person at all, or only passes by.
import { type Json, type JsonObject, ownValue } from '../capture/exact-json.ts';
import type { Warning } from './warnings.ts';

export type PersonProcessing =
  | { person: 'full'; warning?: Warning }
  | { person: 'none' }
  /** The event makes no sense without a person. */
  | { dropped: 'invalid_event_when_process_person_profile_is_false'; warning: Warning };

const NEED_A_PERSON = new Set(['$identify', '$create_alias', '$merge_dangerously', '$groupidentify']);

/** By default every event has a person; `$process_person_profile: false`, or the project, says otherwise. */
export function decidePersonProcessing(
  {
    event,
    distinct_id,
    uuid,
    properties,
  }: { event: string; distinct_id: string; uuid: string; properties: JsonObject },
  projectOptsOut: boolean,
): PersonProcessing {
  const wish: Json | undefined = projectOptsOut ? false : ownValue(properties, '$process_person_profile');
  const details = { eventUuid: uuid, event, distinctId: distinct_id };
  if (wish === undefined || wish === true) return { person: 'full' };
  if (wish !== false) return { person: 'full', warning: { type: 'invalid_process_person_profile', details } };
  if (!NEED_A_PERSON.has(event)) return { person: 'none' };
  const type = 'invalid_event_when_process_person_profile_is_false';
  return { dropped: type, warning: { type, details } };
}
