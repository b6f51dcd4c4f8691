// What a project's properties look like: names and types, gathered from the events as they pass.
import { isJsonObject, isRawNumber, type Json, type JsonObject, ownValue } from '../capture/exact-json.ts';
import { parseTimestamp } from './parse-timestamp.ts';
import type { PersonUpdate } from './person-update.ts';

export type PropertyType = 'DateTime' | 'String' | 'Numeric' | 'Boolean' | 'Duration';
export type PropertyKind = 'event' | 'person' | 'group';

export interface PropertyDefinition {
  kind: PropertyKind;
  name: string;
  /** Null when the value shows no type; the first value that does will settle it. */
  type: PropertyType | null;
}

export interface EventDefinitions {
  /** Undefined when the event gets no definition at all. */
  event: string | undefined;
  properties: PropertyDefinition[];
  /** Properties that are listed under this event, too. */
  on_event: string[];
}

const NAME_BYTES_MAX = 200;
const PROPERTIES_MAX = 10_000;
const NOT_LISTED = new Set([
  '$set',
  '$set_once',
  '$unset',
  '$groups',
  '$group_0',
  '$group_1',
  '$group_2',
  '$group_3',
  '$group_4',
]);
const HALF_A_YEAR_SECONDS = 15_768_000;

const ALWAYS_TEXT = /^(?:utm_|\$initial_utm_|\$feature\/|\$survey_response)|^\$feature_flag_response$/;
const NAMED_LIKE_TIME = /time|date|_at|-at|createdat|updatedat/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|z|[+-]\d{2}:?\d{2})$/;
const RFC_2822 = /^(?:[A-Za-z]{3}, )?\d{1,2} [A-Za-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:[+-]\d{4}|[A-Z]{1,3})$/;
const DATE_LIKE = /^(?:\d{4}[-/]\d{2}[-/]\d{2}|\d{2}[-/]\d{2}[-/]\d{4})(?:[ T]\d{2}:\d{2}:\d{2}.*)?$/;

/** The type that a name and a value suggest. */
export function detectPropertyType(name: string, value: Json, nowSeconds: number): PropertyType | null {
  const lower = name.toLowerCase();
  if (ALWAYS_TEXT.test(lower)) return 'String';
  if (NAMED_LIKE_TIME.test(lower) && (isDateText(value) || isRecentSeconds(value, nowSeconds))) return 'DateTime';
  if (typeof value === 'string') {
    if (['true', 'false', 'TRUE', 'FALSE'].includes(value.trim())) return 'Boolean';
    return isDateText(value) ? 'DateTime' : 'String';
  }
  if (typeof value === 'number' || isRawNumber(value)) return 'Numeric';
  return typeof value === 'boolean' ? 'Boolean' : null;
}

function isDateText(value: Json): boolean {
  if (typeof value !== 'string') return false;
  const text = value.trim();
  if (RFC_3339.test(text) || RFC_2822.test(text)) return parseTimestamp(text) !== undefined;
  return DATE_LIKE.test(text);
}

function isRecentSeconds(value: Json, nowSeconds: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= nowSeconds - HALF_A_YEAR_SECONDS;
}

/** Everything that one stored event tells about a project's events and properties. */
export function readDefinitions(
  { event, properties, update }: { event: string; properties: JsonObject; update: PersonUpdate },
  nowSeconds: number,
): EventDefinitions {
  const none: EventDefinitions = { event: undefined, properties: [], on_event: [] };
  if (event === '$$plugin_metrics') return none;
  const define = (kind: PropertyKind, object: JsonObject) =>
    Object.entries(object)
      .filter(([name]) => isListed(name))
      .map(([name, value]): PropertyDefinition => ({ kind, name, type: detectPropertyType(name, value, nowSeconds) }));
  const named = isListed(event) ? event : undefined;
  if (event === '$groupidentify') {
    const $group_set = ownValue(properties, '$group_set');
    return { event: named, properties: isJsonObject($group_set) ? define('group', $group_set) : [], on_event: [] };
  }
  const onEvent = define('event', properties);
  const onPerson = define('person', { ...update.$set_once, ...update.$set });
  if (onEvent.length + onPerson.length > PROPERTIES_MAX) return { ...none, event: named };
  // There is a property for every flag; listing them under every event would bury the others.
  const on_event = onEvent.map(({ name }) => name).filter((name) => !/^\$feature(?:_enrollment)?\//.test(name));
  return { event: named, properties: [...onEvent, ...onPerson], on_event };
}

function isListed(name: string): boolean {
  return (
    name !== '' &&
    !NOT_LISTED.has(name) &&
    Buffer.byteLength(name) <= NAME_BYTES_MAX &&
    !name.includes('\0') &&
    name.isWellFormed()
  );
}
