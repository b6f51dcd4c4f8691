// Where the value of a property is found by a query. The text of all properties holds everything; beside it stand
// columns of their own for what everybody asks about, and one map for the names that a project made up itself.
// Each of them holds the value as JSON text, so that 1, "1", true and null stay apart; no value at all is ''.
// The engine fills them from the text as it inserts: it parses once, however many columns there are.
import { quoteName, quoteText } from './description.ts';

/** Sent by SDKs with most events, or added on the way, and asked about in every second question. */
export const HOT_PROPERTIES = [
  '$browser',
  '$browser_version',
  '$os',
  '$os_version',
  '$device_type',
  '$current_url',
  '$host',
  '$pathname',
  '$screen_name',
  '$referrer',
  '$referring_domain',
  '$lib',
  '$lib_version',
  '$event_type',
  '$geoip_country_code',
  '$geoip_country_name',
  '$geoip_subdivision_1_name',
  '$geoip_city_name',
  '$timezone',
  '$feature_flag',
  '$feature_flag_response',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'gclid',
  'fbclid',
] as const;

export type HotProperty = (typeof HOT_PROPERTIES)[number];

export const GROUP_TYPES_MAX = 5;

/** Properties that also stand in columns as plain texts, because rows are joined by them. */
export const PLAIN_PROPERTIES = [
  ...Array.from({ length: GROUP_TYPES_MAX }, (_, index) => `$group_${index}`),
  '$session_id',
  '$window_id',
];

/** Browsers send them inside the properties of every event; both are known from elsewhere. */
const REPEATED = ['distinct_id', 'token'];
/** The variant of each feature flag, under its name: made up by the project, whatever its prefix says. */
const FLAG_PREFIX = '$feature/';

const hot: ReadonlySet<string> = new Set(HOT_PROPERTIES);
const repeated: ReadonlySet<string> = new Set(REPEATED);

/** Whether events keep this property in the map of names that the project made up. */
export function isCustomProperty(name: string): boolean {
  return isCustomPersonProperty(name) && !hot.has(name) && !repeated.has(name);
}

/** Whether this property of a person is kept in the map. A person has no hot columns. */
export function isCustomPersonProperty(name: string): boolean {
  return !name.startsWith('$') || name.startsWith(FLAG_PREFIX);
}

/** SQL for the JSON text of an event's property; '' when the event has none of that name. */
export function eventPropertySql(name: string): string {
  if (hot.has(name)) return quoteName(hotColumn(name));
  if (isCustomProperty(name)) return `properties_custom[${quoteText(name)}]`;
  return `JSONExtractRaw(properties, ${quoteText(name)})`;
}

/** SQL for the JSON text of a property that the event's person had at that time; '' when there was none. */
export function personPropertySql(name: string): string {
  if (isCustomPersonProperty(name)) return `person_properties_custom[${quoteText(name)}]`;
  return `JSONExtractRaw(person_properties, ${quoteText(name)})`;
}

/** SQL that turns a JSON text into the plain one: strings without quotes and escapes, '' for null and for no value. */
export function plainTextSql(json: string): string {
  return `if(startsWith(${json}, '"'), JSONExtractString(${json}), if(${json} = 'null', '', ${json}))`;
}

export const hotColumn = (name: string): string => `mat_${name}`;

export const CUSTOM_MAP = 'Map(LowCardinality(String), String)';

/** All pairs of a name and its JSON text. It stands in many columns' expressions; the engine computes it once. */
const pairs = (column: string): string => `JSONExtractKeysAndValuesRaw(${column})`;

export function derivedHot(name: HotProperty): string {
  const all = pairs('properties');
  return `tupleElement(${all}, 2)[indexOf(tupleElement(${all}, 1), ${quoteText(name)})]`;
}

const plainTuple = `Tuple(${PLAIN_PROPERTIES.map((name) => `${quoteName(name)} String`).join(', ')})`;

/** Strings without their quotes, anything else as JSON, '' for null and for no value. */
export function derivedPlain(name: string): string {
  return `tupleElement(JSONExtract(properties, ${quoteText(plainTuple)}), ${quoteText(name)})`;
}

const isMadeUp = `(NOT startsWith(pair.1, '$') OR startsWith(pair.1, ${quoteText(FLAG_PREFIX)}))`;
const keptElsewhere = [...HOT_PROPERTIES, ...REPEATED].filter(isCustomPersonProperty).map(quoteText).join(', ');

const mapOf = (column: string, condition: string): string =>
  `CAST(arrayFilter(pair -> ${condition}, ${pairs(column)}), ${quoteText(CUSTOM_MAP)})`;

export const derivedCustom = mapOf('properties', `${isMadeUp} AND pair.1 NOT IN (${keptElsewhere})`);
export const derivedPersonCustom = mapOf('person_properties', isMadeUp);
