// Property filters as the wire has them → conditions that any store can print.
import { invalid } from '../http/errors.ts';
import { isDict, pythonType } from '../http/fields.ts';
import { type Moment, parseMoment } from './moment.ts';

/** What a condition looks at. */
export interface Target {
  type: TargetType;
  key: string;
}

const TARGET_TYPES = ['event', 'person', 'event_metadata'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

export type Test =
  | { kind: 'set' }
  | { kind: 'equals' | 'contains' | 'matches'; texts: readonly string[] }
  | { kind: 'compares'; sign: '>' | '>=' | '<' | '<='; number: number }
  | { kind: 'between'; from: number; to: number }
  | { kind: 'on' | 'before' | 'after'; moment: Moment };

/** A negated condition is also true where there is no value. */
export interface Condition {
  kind: 'condition';
  target: Target;
  test: Test;
  negated: boolean;
}

export interface ConditionGroup {
  kind: 'group';
  join: 'AND' | 'OR';
  members: readonly Filter[];
}

export type Filter = Condition | ConditionGroup;

/** What limits a statement's size. */
const DEPTH_MAX = 6;
const CONDITIONS_MAX = 200;
const VALUES_MAX = 10_000;
const PATTERNS_MAX = 100;

export interface FilterRules {
  /** The type of filters that do not say theirs. */
  type: TargetType;
  nowMs: number;
}

/** The filters in a query parameter: JSON of a list, of a group, or of the old form `{"key__operator": value}`. */
export function parseFilterText(text: string | null, rules: FilterRules): Filter {
  if (text === null || text.trim() === '') return { kind: 'group', join: 'AND', members: [] };
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw refusal('Properties are unparsable!');
  }
  return parseFilters(given, rules);
}

export function parseFilters(given: unknown, rules: FilterRules): Filter {
  const filter = parseAny(isDict(given) && !isGroup(given) && !('key' in given) ? fromOldForm(given) : given, rules, 0);
  if (countConditions(filter) > CONDITIONS_MAX) throw refusal(`There may be at most ${CONDITIONS_MAX} filters.`);
  return filter;
}

function parseAny(given: unknown, rules: FilterRules, depth: number): Filter {
  if (depth > DEPTH_MAX) throw refusal(`Groups of filters may be nested ${DEPTH_MAX} deep.`);
  if (Array.isArray(given)) return { kind: 'group', join: 'AND', members: parseAll(given, rules, depth) };
  if (!isDict(given)) throw refusal(`A filter must be an object with a key, not ${pythonType(given)}.`);
  if (!isGroup(given)) return parseCondition(given, rules);
  return {
    kind: 'group',
    join: given.type === 'OR' ? 'OR' : 'AND',
    members: parseAll(given.values, rules, depth),
  };
}

const parseAll = (given: readonly unknown[], rules: FilterRules, depth: number): Filter[] =>
  given.map((member) => parseAny(member, rules, depth + 1));

const isGroup = (given: Record<string, unknown>): given is { type: unknown; values: unknown[] } =>
  Array.isArray(given.values) && !('key' in given);

function fromOldForm(given: Record<string, unknown>): unknown[] {
  return Object.entries(given).map(([name, value]) => {
    const at = name.lastIndexOf('__');
    const operator = at > 0 ? name.slice(at + 2) : '';
    return Object.hasOwn(operators, operator) ? { key: name.slice(0, at), operator, value } : { key: name, value };
  });
}

const countConditions = (filter: Filter): number =>
  filter.kind === 'condition' ? 1 : filter.members.reduce((sum, member) => sum + countConditions(member), 0);

function parseCondition(given: Record<string, unknown>, rules: FilterRules): Condition {
  const operator = given.operator ?? 'exact';
  if (typeof operator !== 'string' || !Object.hasOwn(operators, operator)) {
    throw refusal(`"${String(operator)}" is not an operator; there are: ${Object.keys(operators).join(', ')}.`);
  }
  const target = parseTarget(given, rules);
  const { negated, read } = operators[operator as keyof typeof operators];
  // To be equal to nothing is to be absent.
  if (given.value === null && (operator === 'exact' || operator === 'is_not')) {
    return { kind: 'condition', target, test: { kind: 'set' }, negated: operator === 'exact' };
  }
  return { kind: 'condition', target, test: read(given.value, rules.nowMs), negated };
}

function parseTarget({ key, type }: Record<string, unknown>, rules: FilterRules): Target {
  if (typeof key !== 'string' || key === '') throw refusal('A filter needs a key, the name of a property.');
  const named = type ?? rules.type;
  if (named === 'feature') return { type: 'event', key: key.startsWith('$feature/') ? key : `$feature/${key}` };
  const found = TARGET_TYPES.find((candidate) => candidate === named);
  if (!found) throw refusal(`Filters of type "${String(named)}" cannot be used here; ${TARGET_TYPES.join(', ')} can.`);
  return { type: found, key };
}

// Operators

interface Operator {
  negated: boolean;
  read(value: unknown, nowMs: number): Test;
}

const always = (read: Operator['read']): Operator => ({ negated: false, read });
const never = (read: Operator['read']): Operator => ({ negated: true, read });

const isSet = (): Test => ({ kind: 'set' });
const equals = (value: unknown): Test => ({ kind: 'equals', texts: readTexts(value, VALUES_MAX) });
const contains = (value: unknown): Test => ({ kind: 'contains', texts: readTexts(value, VALUES_MAX) });
const matches = (value: unknown): Test => ({ kind: 'matches', texts: readTexts(value, PATTERNS_MAX) });
const compares =
  (sign: '>' | '>=' | '<' | '<=') =>
  (value: unknown): Test => ({ kind: 'compares', sign, number: readNumber(value) });
const dated =
  (kind: 'on' | 'before' | 'after') =>
  (value: unknown, nowMs: number): Test => ({ kind, moment: readMoment(value, nowMs) });

const operators = {
  exact: always(equals),
  is_not: never(equals),
  icontains: always(contains),
  not_icontains: never(contains),
  icontains_multi: always(contains),
  not_icontains_multi: never(contains),
  regex: always(matches),
  not_regex: never(matches),
  gt: always(compares('>')),
  gte: always(compares('>=')),
  lt: always(compares('<')),
  lte: always(compares('<=')),
  min: always(compares('>=')),
  max: always(compares('<=')),
  between: always(readRange),
  not_between: never(readRange),
  is_set: always(isSet),
  is_not_set: never(isSet),
  is_date_exact: always(dated('on')),
  is_date_before: always(dated('before')),
  is_date_after: always(dated('after')),
} satisfies Record<string, Operator>;

// Values

/** Comparison is by text: 1 and "1" are the same, true is "true". */
function readTexts(value: unknown, valuesMax: number): string[] {
  const values = Array.isArray(value) ? value : [value];
  if (values.length > valuesMax) throw refusal(`A filter may have at most ${valuesMax} values.`);
  return values.map((each) => {
    if (typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean') return String(each);
    throw refusal(`A filter's value must be a text, a number, true, false or a list of them, not ${pythonType(each)}.`);
  });
}

function readNumber(value: unknown): number {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const number = typeof single === 'string' && single.trim() !== '' ? Number(single) : single;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw refusal('To compare by size a filter needs a number.');
}

function readRange(value: unknown): Test {
  if (!Array.isArray(value) || value.length !== 2)
    throw refusal('To be between, a filter needs a list of two numbers.');
  return { kind: 'between', from: readNumber(value[0]), to: readNumber(value[1]) };
}

function readMoment(value: unknown, nowMs: number): Moment {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const moment = typeof single === 'string' ? parseMoment(single, nowMs) : undefined;
  if (moment) return moment;
  throw refusal('To compare by date a filter needs a date such as 2025-02-03, 2025-02-03T10:11:12Z or -7d.');
}

const refusal = (detail: string) => invalid(detail, 'properties');
