// What an event says about its person, and what that makes of the person's properties.
import { isJsonObject, isRawNumber, type Json, type JsonObject, ownValue, setOwnValue } from '../capture/exact-json.ts';
import { readNames } from '../capture/read-event.ts';
import type { GeoipProperties } from './geoip-properties.ts';
import { MICROS_PER_MS, type Micros } from './parse-timestamp.ts';
import { toStorable, toStorableText } from './storable-json.ts';

export interface PersonUpdate {
  $set: JsonObject;
  $set_once: JsonObject;
  $unset: string[];
}

const DEVICE_KEYS =
  `$app_build $app_name $app_namespace $app_version $browser $browser_version $device_type $current_url
  $pathname $os $os_name $os_version $referring_domain $referrer $screen_height $screen_width $viewport_height
  $viewport_width $raw_user_agent`.split(/\s+/);
const CAMPAIGN_KEYS =
  `utm_source utm_medium utm_campaign utm_content utm_name utm_term gclid gad_source gclsrc dclid gbraid
  wbraid fbclid msclkid twclid li_fat_id mc_cid igshid ttclid rdt_cid irclid _kx epik qclid sccid`.split(/\s+/);
/** Event properties that also become properties of the person, now and as they were at first. */
const AUTOMATIC_KEYS = [...DEVICE_KEYS, ...CAMPAIGN_KEYS].map((key) => ({
  key,
  initial: `$initial_${key.replace(/^\$/, '')}`,
}));

/** Events about a device or a page: they say nothing about the person. */
const SILENT_EVENTS = new Set(['$exception', '$$heatmap']);
const WITHOUT_AUTOMATIC = new Set(['$snapshot', '$performance_event']);

export interface UpdatingEvent {
  event: string;
  properties: JsonObject;
  /** From the top level of the event; they win over those inside the properties. */
  $set: JsonObject | undefined;
  $set_once: JsonObject | undefined;
  /** Joins those inside the properties. */
  $unset?: readonly string[] | undefined;
}

/** What the server adds: where the event came from, and when it happened. */
export interface UpdateFacts {
  place?: GeoipProperties | undefined;
  timestamp?: Micros;
  /** Nothing in the event needs to be changed for the database. */
  storable?: boolean;
}

export function readPersonUpdate(event: UpdatingEvent, facts: UpdateFacts = {}): PersonUpdate {
  if (SILENT_EVENTS.has(event.event)) return { $set: {}, $set_once: {}, $unset: [] };
  const { properties } = event;
  const $set = { ...objectAt(properties, '$set'), ...event.$set };
  const $set_once = { ...objectAt(properties, '$set_once'), ...event.$set_once };
  if (!WITHOUT_AUTOMATIC.has(event.event)) addAutomatic(properties, $set, $set_once);
  if (event.event === 'survey shown' && facts.timestamp !== undefined && !Object.hasOwn($set, SURVEY_SEEN)) {
    $set[SURVEY_SEEN] = new Date(facts.timestamp / MICROS_PER_MS).toISOString();
  }
  if (facts.place) {
    Object.assign($set, facts.place.$set);
    Object.assign($set_once, facts.place.$set_once);
  }
  const $unset = [...readNames(ownValue(properties, '$unset')), ...(event.$unset ?? [])].map(toStorableText);
  if (facts.storable) return { $set, $set_once, $unset };
  return { $set: toStorable($set), $set_once: toStorable($set_once), $unset };
}

const SURVEY_SEEN = '$survey_last_seen_date';

function addAutomatic(properties: JsonObject, $set: JsonObject, $set_once: JsonObject): void {
  for (const { key, initial } of AUTOMATIC_KEYS) {
    const value = ownValue(properties, key);
    if (value === undefined) continue;
    if (!Object.hasOwn($set, key)) $set[key] = value;
    if (!Object.hasOwn($set_once, initial)) $set_once[initial] = value;
  }
  // An older name of the operating system: it fills in for the newer one and then steps back.
  rename($set, '$os_name', '$os');
  rename($set_once, '$initial_os_name', '$initial_os');
}

function rename(object: JsonObject, from: string, to: string): void {
  const value = ownValue(object, from);
  if (value === undefined) return;
  if (!Object.hasOwn(object, to)) object[to] = value;
  delete object[from];
}

function objectAt(properties: JsonObject, key: string): JsonObject {
  const value = ownValue(properties, key);
  return isJsonObject(value) ? value : {};
}

/** The properties of a person whom this event is the first to tell of. */
export function firstProperties({ $set, $set_once, $unset }: PersonUpdate, eventUuid: string): JsonObject {
  const properties = { ...$set_once, ...$set };
  for (const name of $unset) delete properties[name];
  return { ...properties, $creator_event_uuid: eventUuid };
}

export interface UpdatedProperties {
  /** What the event shows of its person. */
  properties: JsonObject;
  /** Whether they are worth writing to the person. */
  worthWriting: boolean;
}

/** Events whose only purpose is the person: whatever they change is written. */
const ABOUT_PERSONS = new Set(['$identify', '$create_alias', '$merge_dangerously', '$set']);
const FLEETING_KEYS = new Set(DEVICE_KEYS.filter((key) => !key.startsWith('$app_')));
const LASTING_PLACES = new Set(['$geoip_country_name', '$geoip_city_name']);

/** In the order of arrival, never by timestamp: `$set_once` where nothing is yet, then `$set`, then `$unset`. */
export function applyPersonUpdate(stored: JsonObject, update: PersonUpdate, event: string): UpdatedProperties {
  // Most events change nothing: then what is stored is shown as it is, and nothing is copied.
  let properties = stored;
  let worthWriting = false;
  const change = () => {
    if (properties === stored) properties = { ...stored };
    return properties;
  };
  const put = (key: string, value: Json) => {
    // What changes with every page is not worth a write to the person each time, once it is there at all.
    worthWriting ||= !Object.hasOwn(stored, key) || !isFleeting(key) || ABOUT_PERSONS.has(event);
    setOwnValue(change(), key, value);
  };
  for (const key of Object.keys(update.$set_once)) {
    if (!Object.hasOwn(stored, key)) put(key, update.$set_once[key]!);
  }
  for (const key of Object.keys(update.$set)) {
    const value = update.$set[key]!;
    if (!Object.hasOwn(properties, key) || differs(properties[key]!, value)) put(key, value);
  }
  for (const name of update.$unset) {
    if (!Object.hasOwn(properties, name)) continue;
    worthWriting = true;
    delete change()[name];
  }
  return { properties, worthWriting };
}

function isFleeting(key: string): boolean {
  return FLEETING_KEYS.has(key) || (key.startsWith('$geoip_') && !LASTING_PLACES.has(key));
}

/** Objects and arrays always count as different. */
function differs(one: Json, other: Json): boolean {
  if (isRawNumber(one) && isRawNumber(other)) return one.rawJSON !== other.rawJSON;
  return one !== other;
}
