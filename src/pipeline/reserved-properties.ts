// Properties that mean something to the server: those it adds, those it moves elsewhere, those it takes away.
import { isJsonObject, type Json, type JsonObject, ownValue } from '../capture/exact-json.ts';
import { readNames } from '../capture/read-event.ts';
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
/** What goes, by whom the event concerns; made once, for events are many. */
const REMOVED = {
  nobody: [...MOVED, ...PERSON_KEYS, ...GROUP_KEYS],
  person: [...MOVED, '$process_person_profile'],
  group: [...MOVED, '$process_person_profile', ...PERSON_KEYS],
};
const withAddress = mapValues((keys) => new Set(keys));
const withoutAddress = mapValues((keys) => new Set([...keys, '$ip']));

function mapValues(make: (keys: string[]) => ReadonlySet<string>): Record<keyof typeof REMOVED, ReadonlySet<string>> {
  return { nobody: make(REMOVED.nobody), person: make(REMOVED.person), group: make(REMOVED.group) };
}

const removed = (concerns: keyof typeof REMOVED, anonymize: boolean): ReadonlySet<string> =>
  (anonymize ? withoutAddress : withAddress)[concerns];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What must change in the sent properties before they are stored. */
export function reservedChanges(facts: ReservedFacts): PropertyChanges {
  const { properties, update, event, anonymize_ips } = facts;
  const remove = removed(update ? (event === '$groupidentify' ? 'group' : 'person') : 'nobody', anonymize_ips);
  const put: JsonObject = { ...facts.geoip };
  const ip = anonymize_ips ? undefined : eventAddress(properties, facts.ip);
  if (ip !== undefined && ip !== ownValue(properties, '$ip')) put.$ip = ip;
  if (facts.sent_at !== undefined) put.$sent_at = facts.sent_at;
  const session = ownValue(properties, '$session_id');
  if (typeof session === 'string' && UUID.test(session) && session !== session.toLowerCase()) {
    put.$session_id = session.toLowerCase();
  }
  if (!update) {
    put.$process_person_profile = false;
    return { remove, put };
  }
  Object.assign(put, facts.groups);
  if (event !== '$groupidentify') addChangedUpdate(properties, update, put);
  return { remove, put };
}

/** The address that counts: the one the client names, else the sender's. */
export function eventAddress(properties: JsonObject, ip: string | undefined): string | undefined {
  const named = ownValue(properties, '$ip');
  if (typeof named === 'string' && named !== '') return named;
  return Object.hasOwn(properties, 'capture_internal') ? '127.0.0.1' : ip;
}

/** `$set`, `$set_once` and `$unset` are stored as they were understood: both levels together, and what was added by itself. */
function addChangedUpdate(properties: JsonObject, { $set, $set_once, $unset }: PersonUpdate, put: JsonObject): void {
  if (isChanged(ownValue(properties, '$set'), $set)) put.$set = $set;
  if (isChanged(ownValue(properties, '$set_once'), $set_once)) put.$set_once = $set_once;
  if ($unset.length > readNames(ownValue(properties, '$unset')).length) put.$unset = $unset;
}

function isChanged(sent: Json | undefined, understood: JsonObject): boolean {
  if (sent === undefined) return Object.keys(understood).length > 0;
  return !isJsonObject(sent) || JSON.stringify(sent) !== JSON.stringify(understood);
}
