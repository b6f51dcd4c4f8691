// Whether a cohort's filters can be kept. Pure: the project's other cohorts are handed in.
import { isBehavioral, listInnerCohorts } from '../flags/evaluation/cohort.ts';
import { isObject, toNumber } from '../flags/evaluation/values.ts';
import { invalid } from '../http/errors.ts';
import { actionsOf, parseBehaviour } from './behaviour.ts';

export interface KnownCohort {
  id: number;
  filters: unknown;
}

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  person: ['key', 'value', 'operator'],
  cohort: ['key', 'value'],
  behavioral: ['key', 'value', 'event_type'],
};
const NEEDS_NO_VALUE = new Set(['is_set', 'is_not_set']);

const refuse = (detail: string, code = 'invalid_input') => invalid(detail, 'filters', code);

export interface Surroundings {
  /** Undefined for a new cohort. */
  id: number | undefined;
  cohorts: readonly KnownCohort[];
  /** A flag goes by this cohort, and flags cannot look at past events. */
  isUsedByFlags: boolean;
}

/** The actions that the behavioral filters go by; whether they exist is for the caller to find out. */
export function listActionIds(filters: unknown): number[] {
  return listBehaviours(filters).flatMap((node) => actionsOf(parseBehaviour(node, 0)));
}

function listBehaviours(node: unknown): Record<string, unknown>[] {
  if (!isObject(node)) return [];
  if (Array.isArray(node.values)) return node.values.flatMap(listBehaviours);
  return node.type === 'behavioral' ? [node] : listBehaviours(node.properties);
}

export function checkCohortFilters(filters: Record<string, unknown>, around: Surroundings): void {
  const { properties, ...others } = filters;
  const isTree = isObject(properties) && 'type' in properties && Array.isArray(properties.values);
  if (!isTree || Object.keys(others).length > 0) {
    throw refuse("Must contain a 'properties' key with type and values");
  }
  checkNode(properties);
  if (around.isUsedByFlags && isBehavioral(filters)) {
    throw refuse('Behavioral filters cannot be added to cohorts used in feature flags.', 'behavioral_cohort_found');
  }
  checkInner(filters, around);
}

function checkNode(node: unknown): void {
  if (!isObject(node)) throw refuse('Each filter must be an object');
  if (Array.isArray(node.values)) {
    if (!['AND', 'OR', 'property'].includes(String(node.type))) throw refuse('A group of filters is of type AND or OR');
    for (const inner of node.values) checkNode(inner);
    return;
  }
  const required = REQUIRED[String(node.type)];
  if (!required) throw refuse(`Unknown type of filter: ${String(node.type)}`);
  const missing = required.filter(
    (name) => node[name] === undefined && !(name === 'value' && NEEDS_NO_VALUE.has(String(node.operator))),
  );
  if (missing.length > 0) throw refuse(`Missing required keys for ${String(node.type)} filter: ${missing.join(', ')}`);
  if (node.type === 'behavioral') parseBehaviour(node, 0);
  if (node.type === 'cohort' && !Number.isInteger(toNumber(node.value))) throw refuse('Invalid Cohort ID in filter');
}

function checkInner(filters: unknown, { id, cohorts }: Surroundings): void {
  const byId = new Map(cohorts.map((cohort) => [cohort.id, cohort]));
  const pending = listInnerCohorts(filters);
  const seen = new Set<number>();
  while (pending.length > 0) {
    const inner = pending.pop()!;
    if (inner === id) throw refuse('Cohorts cannot reference other cohorts in a loop.');
    const cohort = byId.get(inner);
    if (!cohort) throw refuse('Invalid Cohort ID in filter');
    if (seen.has(inner)) continue;
    seen.add(inner);
    pending.push(...listInnerCohorts(cohort.filters));
  }
}
