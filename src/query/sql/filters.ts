// Property filters of every type → SQL over one statement's events. What a filter tests is read by `filters/`; where its
// value is found depends on its type.
import { parseFilters } from '../../filters/parse.ts';
import { filterSql, type Operand } from '../../filters/sql.ts';
import { invalid } from '../../http/errors.ts';
import { isDict, pythonType } from '../../http/fields.ts';
import { attributePattern, selectorPattern, tagPattern } from './elements.ts';
import type { EventsSql, PropertyType, ValueSql } from './events-sql.ts';

const DEPTH_MAX = 8;
const FILTERS_MAX = 300;

/** What filters need beyond the events themselves. */
export interface FilterParts {
  events: EventsSql;
  now: number;
  /** Bool: whether the event's person is in the cohort. */
  inCohort(id: number): string;
  /** The type of filters that do not say theirs. */
  defaultType?: PropertyType;
}

/** Bool, never null: a list (all must hold), a group, or one filter; nothing is `true`. */
export function filtersSql(json: unknown, parts: FilterParts): string {
  const left = { count: FILTERS_MAX };
  return anySql(json ?? [], parts, 0, left);
}

function anySql(json: unknown, parts: FilterParts, depth: number, left: { count: number }): string {
  if (depth > DEPTH_MAX) throw refusal(`Groups of filters may be nested ${DEPTH_MAX} deep.`);
  if (Array.isArray(json)) return joinSql('AND', json, parts, depth, left);
  if (!isDict(json)) throw refusal(`A filter must be an object with a key, not ${pythonType(json)}.`);
  if (Array.isArray(json.values) && !('key' in json)) {
    return joinSql(json.type === 'OR' ? 'OR' : 'AND', json.values, parts, depth, left);
  }
  if (Object.keys(json).length === 0) return 'true';
  left.count -= 1;
  if (left.count < 0) throw refusal(`There may be at most ${FILTERS_MAX} filters.`);
  return oneSql(json, parts);
}

function joinSql(
  join: 'AND' | 'OR',
  members: readonly unknown[],
  parts: FilterParts,
  depth: number,
  left: { count: number },
): string {
  // An empty group holds for everything, whichever way it is joined.
  if (members.length === 0) return 'true';
  return `(${members.map((member) => anySql(member, parts, depth + 1, left)).join(` ${join} `)})`;
}

type Json = Readonly<Record<string, unknown>>;

function oneSql(filter: Json, parts: FilterParts): string {
  switch (filter.type ?? parts.defaultType ?? 'event') {
    case 'event':
    case 'person':
    case 'event_metadata':
    case 'session':
      return propertySql(filter, (filter.type ?? parts.defaultType ?? 'event') as PropertyType, parts);
    case 'feature':
      return propertySql({ ...filter, key: featureKey(filter.key) }, 'event', parts);
    case 'group':
      return propertySql(filter, 'group', parts);
    case 'element':
      return elementSql(filter, parts);
    case 'cohort':
    case 'static-cohort':
    case 'precalculated-cohort':
      return cohortSql(filter, parts);
    case 'hogql':
      if (typeof filter.key !== 'string') throw refusal('A filter of type "hogql" needs an expression as its key.');
      return `ifNull((${parts.events.hogql(filter.key)}) != 0, false)`;
    default:
      throw refusal(`Filters of type "${String(filter.type)}" cannot be used here.`);
  }
}

const featureKey = (key: unknown) =>
  typeof key === 'string' && !key.startsWith('$feature/') ? `$feature/${key}` : key;

function propertySql(filter: Json, type: PropertyType, { events, now }: FilterParts): string {
  // The test is read as that of an event's property; the operand comes from where this type keeps it.
  const condition = parseFilters({ ...filter, type: 'event' }, { type: 'event', nowMs: now });
  const index = type === 'group' ? readIndex(filter.group_type_index) : null;
  const isJson = type === 'event' || type === 'person' || type === 'group';
  if (isJson && condition.kind === 'condition' && condition.test.kind === 'equals') {
    const found = equalsSql(events.property(type, condition.target.key, index), condition.test.texts, events);
    return condition.negated ? `NOT ${found}` : found;
  }
  return filterSql(condition, ({ key }) => toOperand(events.property(type, key, index)), events.bound);
}

/** The JSON text is compared as it is; only where it holds an escape its plain text has to be found out. */
function equalsSql({ json, text, isSet }: ValueSql, texts: readonly string[], { bound }: EventsSql): string {
  if (texts.length === 0) return 'false';
  const written = texts.flatMap((each) => {
    const isBare = each !== '' && each !== 'null' && !each.startsWith('"');
    return [JSON.stringify(each), ...(isBare ? [each] : [])];
  });
  return `(${json} IN ${bound.texts(written)} OR (position(${json}, '\\\\') > 0 AND ${isSet} AND has(${bound.texts(texts)}, ${text})))`;
}

const toOperand = ({ text, isSet }: ValueSql): Operand => ({ text, isSet });

function readIndex(value: unknown): number {
  const index = Number(value ?? Number.NaN);
  if (Number.isInteger(index) && index >= 0 && index <= 4) return index;
  throw refusal('A filter of type "group" needs its group_type_index, 0 to 4.');
}

const ELEMENT_KEYS: Readonly<Record<string, string>> = {
  tag_name: tagPattern,
  text: attributePattern('text'),
  href: attributePattern('href'),
};

/** Any of the elements will do; a negated test means that none does. */
function elementSql(filter: Json, { events, now }: FilterParts): string {
  const { bound } = events;
  if (filter.key === 'selector') return selectorsSql(filter, events);
  const pattern = ELEMENT_KEYS[String(filter.key)];
  if (!pattern) throw refusal(`Elements have no "${String(filter.key)}"; there are: tag_name, text, href, selector.`);
  const [condition] = [parseFilters({ ...filter, type: 'event' }, { type: 'event', nowMs: now })];
  if (condition.kind !== 'condition') throw refusal('A filter must be an object with a key.');
  const positive = filterSql(
    { ...condition, negated: false },
    () => ({ text: `replaceAll(element, '\\\\"', '"')`, isSet: 'true' }),
    bound,
  );
  const found = `arrayExists(element -> ${positive}, extractAll(${column(events)}, ${bound.text(pattern)}))`;
  return condition.negated ? `NOT ${found}` : found;
}

const column = (events: EventsSql) => `${events.alias}.elements_chain`;

function selectorsSql({ value, operator }: Json, events: EventsSql): string {
  const selectors = (Array.isArray(value) ? value : [value]).map((each) => {
    if (typeof each !== 'string') throw refusal('A selector must be a text.');
    return `match(${column(events)}, ${events.bound.text(selectorPattern(each))})`;
  });
  const found = `(${selectors.join(' OR ') || 'false'})`;
  return operator === 'is_not' ? `NOT ${found}` : found;
}

function cohortSql({ value, operator, negation }: Json, { inCohort }: FilterParts): string {
  const ids = (Array.isArray(value) ? value : [value]).map(Number);
  if (!ids.every((id) => Number.isSafeInteger(id)))
    throw refusal('A filter of type "cohort" needs the id of a cohort.');
  const found = `(${ids.map(inCohort).join(' OR ') || 'false'})`;
  return operator === 'not_in' || operator === 'is_not' || negation === true ? `NOT ${found}` : found;
}

const refusal = (detail: string) => invalid(detail, 'properties');
