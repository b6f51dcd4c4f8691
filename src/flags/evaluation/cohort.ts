// Cohorts: who is in them, decided from properties where that is possible and from kept membership where not.
import { makePropertyTest } from './match-property.ts';
import { isMember, type Subject } from './subject.ts';
import { isObject, toNumber } from './values.ts';

export interface CohortDefinition {
  readonly id: number;
  readonly is_static: boolean;
  readonly filters?: unknown;
}

/** Whether a person is in a cohort. */
export type CohortTest = (subject: Subject) => boolean;

export interface PreparedCohort {
  readonly test: CohortTest;
  /** Person properties it looks at, those of the cohorts inside it included. */
  readonly personKeys: ReadonlySet<string>;
  /** It, or one inside it, is decided by kept membership. */
  readonly needsMembership: boolean;
}

/** A cohort of one project by its id; undefined when there is none, or when it contains itself. */
export type FindCohort = (id: number) => PreparedCohort | undefined;

const never: CohortTest = () => false;

/** The id in a filter's value: a number, or a text that is one. */
export function readCohortId(value: unknown): number | undefined {
  const id = toNumber(value);
  return id !== undefined && Number.isSafeInteger(id) ? id : undefined;
}

/** Cohorts inside cohorts: more levels than this are taken for a mistake. */
const LEVELS_MAX = 100;

/** Prepares every cohort of a project. Nobody is in one that contains itself. */
export function prepareCohorts(cohorts: readonly CohortDefinition[], timezone: string): FindCohort {
  const definitions = new Map(cohorts.map((cohort) => [cohort.id, cohort]));
  const looping = findLoops(new Map(cohorts.map(({ id, filters }) => [id, listInnerCohorts(filters)])));
  const usable = new Map([...definitions].filter(([id]) => !looping.has(id)));
  const prepared = new Map<number, PreparedCohort | undefined>();
  let level = 0;
  const find: FindCohort = (id) => {
    const definition = usable.get(id);
    if (!definition || prepared.has(id)) return prepared.get(id);
    if (level >= LEVELS_MAX) return undefined;
    level += 1;
    const made = prepareCohort(definition, timezone, find);
    level -= 1;
    prepared.set(id, made);
    return made;
  };
  for (const id of usable.keys()) find(id);
  return (id) => prepared.get(id);
}

/** The cohorts from which a way through inner cohorts leads back to themselves. */
function findLoops(innerOf: ReadonlyMap<number, readonly number[]>): Set<number> {
  const containers = new Map<number, number[]>();
  const open = new Map<number, number>();
  for (const [id, inner] of innerOf) {
    const present = inner.filter((one) => innerOf.has(one));
    for (const one of present) containers.set(one, [...(containers.get(one) ?? []), id]);
    open.set(id, present.length);
  }
  // Cohorts without open questions inside are settled, which settles others. What remains is in a loop, or contains one.
  const settled = [...open.keys()].filter((id) => open.get(id) === 0);
  for (const id of settled) {
    open.delete(id);
    for (const container of containers.get(id) ?? []) {
      const left = open.get(container)! - 1;
      open.set(container, left);
      if (left === 0) settled.push(container);
    }
  }
  return new Set([...open.keys()].filter((id) => leadsBack(id, innerOf)));
}

function leadsBack(id: number, innerOf: ReadonlyMap<number, readonly number[]>): boolean {
  const seen = new Set<number>();
  const pending = [...(innerOf.get(id) ?? [])];
  while (pending.length > 0) {
    const inner = pending.pop()!;
    if (inner === id) return true;
    if (seen.has(inner)) continue;
    seen.add(inner);
    pending.push(...(innerOf.get(inner) ?? []));
  }
  return false;
}

/** The ids of the cohorts that a cohort's filters name. */
export function listInnerCohorts(filters: unknown): number[] {
  const found: number[] = [];
  visitFilters(filters, (filter) => {
    const id = filter.type === 'cohort' ? readCohortId(filter.value) : undefined;
    if (id !== undefined) found.push(id);
  });
  return found;
}

/** Whether somebody's past events decide who is in; then only a background calculation can tell. */
export function isBehavioral(filters: unknown): boolean {
  let found = false;
  visitFilters(filters, (filter) => {
    if (filter.type === 'behavioral') found = true;
  });
  return found;
}

function visitFilters(filters: unknown, visit: (filter: Record<string, unknown>) => void): void {
  const pending: unknown[] = [isObject(filters) ? filters.properties : undefined];
  while (pending.length > 0) {
    const node = pending.pop();
    if (!isObject(node)) continue;
    if (Array.isArray(node.values)) pending.push(...node.values);
    else visit(node);
  }
}

function prepareCohort(
  { id, is_static, filters }: CohortDefinition,
  timezone: string,
  find: FindCohort,
): PreparedCohort {
  const personKeys = new Set<string>();
  if (is_static || isBehavioral(filters)) {
    return { test: (subject) => isMember(subject, id), personKeys, needsMembership: true };
  }
  let needsMembership = false;

  const prepareNode = (node: unknown): CohortTest => {
    if (!isObject(node)) return never;
    if (Array.isArray(node.values)) return prepareGroup(node.type, node.values.map(prepareNode));
    const test = prepareFilter(node);
    if (!test) return never;
    return node.negation === true ? (subject) => !test(subject) : test;
  };

  const prepareFilter = (filter: Record<string, unknown>): CohortTest | undefined => {
    if (filter.type === 'cohort') {
      const inner = find(readCohortId(filter.value) ?? -1);
      if (!inner) return undefined;
      for (const key of inner.personKeys) personKeys.add(key);
      needsMembership ||= inner.needsMembership;
      return inner.test;
    }
    if (filter.type !== 'person' || typeof filter.key !== 'string') return undefined;
    const { key } = filter;
    personKeys.add(key);
    const test = makePropertyTest(filter.operator, filter.value, timezone);
    return ({ person, nowMs }) => test(person.get(key), nowMs);
  };

  const test = prepareNode(isObject(filters) ? filters.properties : undefined);
  return { test, personKeys, needsMembership };
}

/** A group without anything in it leaves nobody out, as the SDKs have it. */
function prepareGroup(type: unknown, tests: readonly CohortTest[]): CohortTest {
  if (tests.length === 0) return () => true;
  return type === 'OR'
    ? (subject) => tests.some((test) => test(subject))
    : (subject) => tests.every((test) => test(subject));
}
