// Properties that mean something to the server: those it adds, those it moves elsewhere, those it takes away.
import { isJsonObject, type JsonObject, ownValue } from '../capture/exact-json.ts';
import type { PropertyChanges } from './patch-properties.ts';
import type { PersonUpdate } from './person-update.ts';

export interface ReservedFacts {
  event: string;
  properties: JsonObject;
  /** The sender's address, as capture saw it. */
  ip: string | undefined;
  sent_at: string | undefined;
  anonymize_ips: boolean;
  /** Undefined for an event without a person. */
  update: PersonUpdate | undefined;
  /** `$group_0` … from the event's `$groups`; what the client sent under these names is kept where they are silent. */
  groups: JsonObject;
  /** What GeoIP found, or nothing. */
  geoip: JsonObject;
}

const MOVED = ['$elements', '$elements_chain', '$heatmap_data'];
const PERSON_KEYS = ['$set', '$set_once', '$unset'];
const GROUP_KEYS = ['$group_0', '$group_1', '$group_2', '$group_3', '$group_4'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What must change in the sent properties before they are stored. */
export function reservedChanges(facts: ReservedFacts): PropertyChanges {
  const { properties, update } = facts;
  const remove = new Set(MOVED);
  const put: JsonObject = { ...facts.geoip };
  const ip = eventAddress(properties, facts.ip);
  if (facts.anonymize_ips) remove.add('$ip');
  else if (ip !== undefined && ip !== ownValue(properties, '$ip')) put.$ip = ip;
  if (facts.sent_at !== undefined) put.$sent_at = facts.sent_at;
  const session = ownValue(properties, '$session_id');
  if (typeof session === 'string' && UUID.test(session) && session !== session.toLowerCase()) {
    put.$session_id = session.toLowerCase();
  }
  if (!update) {
    for (const key of [...PERSON_KEYS, ...GROUP_KEYS]) remove.add(key);
    put.$process_person_profile = false;
    return { remove, put };
  }
  remove.add('$process_person_profile');
  Object.assign(put, facts.groups);
  if (facts.event === '$groupidentify') for (const key of PERSON_KEYS) remove.add(key);
  else Object.assign(put, changedUpdate(properties, update));
  return { remove, put };
}

/** The address that counts: the one the client names, else the sender's. */
export function eventAddress(properties: JsonObject, ip: string | undefined): string | undefined {
  const named = ownValue(properties, '$ip');
  if (typeof named === 'string' && named !== '') return named;
  return Object.hasOwn(properties, 'capture_internal') ? '127.0.0.1' : ip;
}

/** `$set` and `$set_once` are stored as they were understood: both levels together, and what was added by itself. */
function changedUpdate(properties: JsonObject, { $set, $set_once }: PersonUpdate): JsonObject {
  const put: JsonObject = {};
  for (const [key, value] of Object.entries({ $set, $set_once })) {
    const sent = ownValue(properties, key);
    const same = isJsonObject(sent) && JSON.stringify(sent) === JSON.stringify(value);
    if (!same && (Object.keys(value).length > 0 || sent !== undefined)) put[key] = value;
  }
  return put;
}
