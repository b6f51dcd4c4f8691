// Whether a flag's filters can be kept. Pure: what must be known of other flags and cohorts is handed in.
import { invalid } from '../../http/errors.ts';
import { isBehavioral, listInnerCohorts, readCohortId } from '../evaluation/cohort.ts';
import { parseMoment } from '../evaluation/dates.ts';
import { isObject, toNumber, toText } from '../evaluation/values.ts';
import { listFilters } from '../local-evaluation.ts';
import { compilePattern } from '../pattern/compile.ts';
import { toPythonText } from './python-text.ts';

type Filters = Record<string, unknown>;
type Filter = Record<string, unknown>;

export interface KnownFlag {
  id: number;
  key: string;
  active: boolean;
  filters: unknown;
}

export interface KnownCohort {
  id: number;
  name: string | null;
  filters: unknown;
}

export interface Surroundings {
  /** The flag that is checked, as it will be; a new one has no id yet. */
  self: { id: number | undefined; key: string };
  /** Live flags of the project. */
  flags: readonly KnownFlag[];
  cohorts: readonly KnownCohort[];
  /** An early access feature goes with the flag. */
  hasEarlyAccess: boolean;
}

const LIST_VALUES_MAX = 1_000;
const TEXT_OPERATORS = new Set(['regex', 'icontains', 'not_regex', 'not_icontains', 'gt', 'gte', 'lt', 'lte']);
const DATE_OPERATORS = new Set(['is_date_exact', 'is_date_before', 'is_date_after']);
const PATTERN_OPERATORS = new Set(['regex', 'not_regex']);

const refuse = (detail: string, code = 'invalid_input') => invalid(detail, 'filters', code);

/** Throws the first objection; hands back what to store. */
export function checkFilters(filters: Filters, around: Surroundings): Filters {
  const index = filters.aggregation_group_type_index ?? null;
  if (index !== null && around.hasEarlyAccess) {
    throw refuse('Cannot change this flag to a group-based when linked to an Early Access Feature.');
  }
  checkConditionShapes(filters);
  checkPropertyTypes(filters, index);
  checkVariants(filters);
  for (const filter of listFilters(filters)) checkFilter(filter, around);
  checkDependencies(filters, around);
  const payloads = checkPayloads(filters);
  for (const filter of listFilters(filters)) checkPattern(filter);
  return payloads ? { ...filters, payloads } : filters;
}

function checkConditionShapes({ groups }: Filters): void {
  const isList = Array.isArray(groups) && groups.every((group) => isObject(group) && isFilterList(group.properties));
  if (groups !== undefined && groups !== null && !isList) {
    throw refuse('Filters are not valid (each condition set is an object with a list of properties)');
  }
}

const isFilterList = (properties: unknown) =>
  properties === undefined || properties === null || (Array.isArray(properties) && properties.every(isObject));

function checkPropertyTypes(filters: Filters, flagIndex: unknown): void {
  for (const group of (filters.groups ?? []) as Filter[]) {
    const index = 'aggregation_group_type_index' in group ? group.aggregation_group_type_index : flagIndex;
    for (const { type = 'person', group_type_index } of (group.properties ?? []) as Filter[]) {
      if (index === null && !['person', 'cohort', 'flag'].includes(String(type))) {
        throw refuse('Filters are not valid (can only use person, cohort, and flag properties)');
      }
      if (index !== null && type !== 'flag' && (type !== 'group' || (group_type_index ?? index) !== index)) {
        throw refuse('Filters are not valid (can only use group properties)');
      }
    }
  }
}

function checkVariants(filters: Filters): void {
  const { multivariate } = filters;
  const variants = isObject(multivariate) && Array.isArray(multivariate.variants) ? multivariate.variants : [];
  const sum = variants.reduce<number>(
    (total, variant) => total + (toNumber(variant?.rollout_percentage) ?? Number.NaN),
    0,
  );
  // Thirds do not add up to a hundred exactly; what is off by less than anybody could mean is right.
  if (variants.length > 0 && !(Math.abs(sum - 100) < 1e-9)) {
    throw refuse('Invalid variant definitions: Variant rollout percentages must sum to 100.');
  }
  const keys = new Set(variants.map((variant) => variant.key));
  for (const { variant } of (filters.groups ?? []) as Filter[]) {
    if (variant !== undefined && variant !== null && !keys.has(variant)) {
      throw refuse('Filters are not valid (variant override does not exist)');
    }
  }
}

function checkFilter(filter: Filter, { cohorts }: Surroundings): void {
  const { key, type = 'person', operator, value } = filter;
  if (Array.isArray(value) && value.length > LIST_VALUES_MAX) {
    throw refuse(`Property group expressions of type ${String(key)} cannot contain more than 1000 values.`);
  }
  if (type === 'cohort') {
    checkCohort(value, cohorts);
    return;
  }
  if (operator === 'in' || operator === 'not_in') {
    throw refuse(
      `The '${operator}' operator is only valid for cohort properties, not '${String(type)}' properties.`,
      'invalid_operator',
    );
  }
  if (DATE_OPERATORS.has(operator as string)) {
    const isDate = typeof value === 'string' && parseMoment(value, { nowMs: 0, timezone: 'UTC' }) !== undefined;
    if (!isDate)
      throw refuse(`Invalid date value: ${typeof value === 'string' ? value : toPythonText(value)}`, 'invalid_date');
  }
  if (TEXT_OPERATORS.has(operator as string) && typeof value !== 'string') {
    throw refuse(`Invalid value for operator ${String(operator)}: ${toPythonText(value)}`, 'invalid_value');
  }
}

function checkCohort(value: unknown, cohorts: readonly KnownCohort[]): void {
  const byId = new Map(cohorts.map((cohort) => [cohort.id, cohort]));
  const named = byId.get(readCohortId(value) ?? -1);
  if (!named) throw refuse(`Cohort with id ${toText(value)} does not exist`, 'cohort_does_not_exist');
  const pending = [named];
  const seen = new Set(pending);
  while (pending.length > 0) {
    const cohort = pending.pop()!;
    if (isBehavioral(cohort.filters)) {
      const detail = `Cohort '${cohort.name}' with filters on events cannot be used in feature flags.`;
      throw refuse(detail, 'behavioral_cohort_found');
    }
    for (const inner of listInnerCohorts(cohort.filters).flatMap((id) => byId.get(id) ?? [])) {
      if (seen.has(inner)) continue;
      seen.add(inner);
      pending.push(inner);
    }
  }
}

/** Only conditions with a pattern that can be run; the others were judged by what they are made of. */
function checkPattern({ operator, value }: Filter): void {
  if (!PATTERN_OPERATORS.has(operator as string) || compilePattern(toText(value))) return;
  throw invalid("Can't evaluate flag - please check release conditions");
}

/** Ids of the flags that these filters depend on. */
export const listDependencies = (filters: unknown): number[] =>
  listFilters(filters).flatMap(({ type, key }) => (type === 'flag' ? (toNumber(key) ?? []) : []));

function checkDependencies(filters: Filters, { self, flags }: Surroundings): void {
  const byId = new Map(flags.map((flag) => [flag.id, flag]));
  for (const { type, key, operator } of listFilters(filters)) {
    if (type !== 'flag') continue;
    const id = toNumber(key);
    if (id === undefined || !Number.isInteger(id)) {
      throw refuse(
        `Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: '${toText(key)}'`,
      );
    }
    if (id === self.id) throw refuse(`Feature flag '${self.key}' cannot depend on itself`);
    const other = byId.get(id);
    if (!other) throw refuse(`Flag dependency references non-existent flag with ID ${id}`);
    if (!other.active) {
      throw refuse(
        `Cannot create dependency on disabled flag '${other.key}' (ID: ${id}). Flag dependencies must reference active flags only.`,
      );
    }
    if (operator !== 'flag_evaluates_to') throw refuse("Flag properties must use the 'flag_evaluates_to' operator");
    const loop = self.id === undefined ? undefined : findWay(other, self.id, byId);
    if (loop) throw refuse(`Circular dependency detected: ${[self.key, ...loop.map((flag) => flag.key)].join(' → ')}`);
  }
}

/** The flags on the way from one to the flag with that id, both included; undefined when there is none. */
function findWay(from: KnownFlag, to: number, byId: ReadonlyMap<number, KnownFlag>): KnownFlag[] | undefined {
  const cameFrom = new Map<KnownFlag, KnownFlag | undefined>([[from, undefined]]);
  for (const flag of cameFrom.keys()) {
    if (flag.id === to) {
      const way: KnownFlag[] = [];
      for (let at: KnownFlag | undefined = flag; at; at = cameFrom.get(at)) way.unshift(at);
      return way;
    }
    for (const next of listDependencies(flag.filters).flatMap((id) => byId.get(id) ?? [])) {
      if (!cameFrom.has(next)) cameFrom.set(next, flag);
    }
  }
  return undefined;
}

/** Payloads are kept as JSON text, because SDKs expect a text; what came as a value is written down. */
function checkPayloads(filters: Filters): Record<string, string> | undefined {
  const { payloads, multivariate } = filters;
  if (payloads === undefined || payloads === null) return undefined;
  if (!isObject(payloads)) throw refuse('Payloads must be passed as a dictionary');
  const variants = isObject(multivariate) && Array.isArray(multivariate.variants) ? multivariate.variants : [];
  const allowed = variants.length > 0 ? variants.map((variant) => variant.key) : ['true'];
  const texts = Object.entries(payloads).map(([key, payload]): [string, string] => {
    if (typeof payload === 'string' && !isJson(payload)) throw refuse('Payload value is not valid JSON');
    return [key, typeof payload === 'string' ? payload : JSON.stringify(payload)];
  });
  if (!Object.keys(payloads).every((key) => allowed.includes(key))) {
    throw refuse(
      variants.length > 0
        ? 'Payload keys must match a variant key for multivariate flags'
        : "Payload keys must be 'true' for boolean flags",
    );
  }
  return Object.fromEntries(texts);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
