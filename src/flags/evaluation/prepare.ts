// A project's flags, made ready once per change and then only read: tests are built, dependencies put in order.
import { type CohortDefinition, type FindCohort, prepareCohorts, readCohortId } from './cohort.ts';
import { type Condition, type FlagDefinition, type FlagFilters, readFilters } from './definition.ts';
import { makePropertyTest } from './match-property.ts';
import type { Subject } from './subject.ts';
import { toNumber } from './values.ts';

/** Whether a flag that came before is off (false), on (true), or on with a variant. */
export type FlagValue = boolean | string;
/** Answers of flags evaluated before, by id. */
export type Answers = ReadonlyMap<number, FlagValue>;

/** The last argument is the index of the group that is judged, or null for the person. */
export type FilterTest = (subject: Subject, answers: Answers, group_type_index: number | null) => boolean;

export interface PreparedCondition {
  readonly tests: readonly FilterTest[];
  readonly rollout_percentage: number | null;
  /** One of the flag's variants, or null. */
  readonly variant: string | null;
  readonly group_type_index: number | null;
}

/** What must be known to evaluate a flag. */
export interface Needs {
  readonly personKeys: ReadonlySet<string>;
  readonly membership: boolean;
  readonly hashKeys: boolean;
  readonly groupTypes: ReadonlySet<number>;
  /** Properties of groups that are looked at, of whichever type. */
  readonly groupKeys: ReadonlySet<string>;
  readonly deviceId: boolean;
}

export interface PreparedFlag {
  readonly definition: FlagDefinition;
  readonly filters: FlagFilters;
  /** What is hashed before the identifier. */
  readonly hashPrefix: string;
  readonly conditions: readonly PreparedCondition[];
  /** Decides alone when one of its keys is set for the person. */
  readonly superCondition: (PreparedCondition & { readonly keys: readonly string[] }) | undefined;
  readonly isGroupFlag: boolean;
  readonly usesDeviceId: boolean;
  readonly keepsExperience: boolean;
  /** Ids of flags whose answers it needs. */
  readonly dependsOn: readonly number[];
  /** One of those is missing, off duty or waits for this one: the flag is off. */
  readonly isMissingDependency: boolean;
  readonly needs: Needs;
  /** Every outcome that has occurred, once; see `evaluate.ts`. */
  readonly outcomes: Map<number, FlagAnswer>;
}

export type Reason =
  | 'condition_match'
  | 'super_condition_value'
  | 'holdout_condition_value'
  | 'out_of_rollout_bound'
  | 'no_condition_match'
  | 'no_group_type'
  | 'missing_dependency';

/** What one flag is for one subject, and why. */
export interface FlagAnswer {
  readonly flag: PreparedFlag;
  readonly enabled: boolean;
  /** Null for a flag without variants, and where the variants leave a gap. */
  readonly variant: string | null;
  readonly reason: Reason;
  readonly condition_index: number | null;
  /** As it is stored; null when the flag is off or has none. */
  readonly payload: unknown;
  /** What it looks like in the answers that were written so far; for whoever writes them. */
  readonly texts: { key?: string; value?: string; payload?: string; detail?: string };
}

export interface ProjectDefinitions {
  readonly flags: readonly FlagDefinition[];
  readonly cohorts: readonly CohortDefinition[];
  readonly timezone: string;
}

export interface PreparedProject {
  /** Active flags; each comes after those it depends on. */
  readonly flags: readonly PreparedFlag[];
  readonly byKey: ReadonlyMap<string, PreparedFlag>;
  readonly byId: ReadonlyMap<number, PreparedFlag>;
}

export function prepareProject({ flags, cohorts, timezone }: ProjectDefinitions): PreparedProject {
  const findCohort = prepareCohorts(cohorts, timezone);
  const active = flags.filter((flag) => flag.active && !flag.deleted);
  const ordered = inOrder(active.map((flag) => prepareFlag(flag, findCohort, timezone)));
  return {
    flags: ordered,
    byKey: new Map(ordered.map((flag) => [flag.definition.key, flag])),
    byId: new Map(ordered.map((flag) => [flag.definition.id, flag])),
  };
}

function prepareFlag(definition: FlagDefinition, findCohort: FindCohort, timezone: string): PreparedFlag {
  const filters = readFilters(definition);
  const builder = new FilterBuilder(findCohort, timezone);
  const prepare = (condition: Condition): PreparedCondition => {
    const group_type_index =
      condition.group_type_index === undefined ? filters.group_type_index : condition.group_type_index;
    if (group_type_index !== null) builder.groupTypes.add(group_type_index);
    return {
      tests: condition.isBroken ? [() => false] : condition.properties.map((filter) => builder.build(filter)),
      rollout_percentage: condition.rollout_percentage,
      variant: filters.variants.some(({ key }) => key === condition.variant) ? condition.variant : null,
      group_type_index,
    };
  };
  const conditions = filters.conditions.map(prepare);
  const superCondition = prepareSuper(definition.key, filters, prepare);
  for (const key of superCondition?.keys ?? []) builder.personKeys.add(key);
  const usesDeviceId = definition.bucketing_identifier === 'device_id';
  const keepsExperience = definition.ensure_experience_continuity === true && filters.group_type_index === null;
  return {
    definition,
    filters,
    hashPrefix: `${definition.key}.`,
    conditions,
    superCondition,
    isGroupFlag: filters.group_type_index !== null,
    usesDeviceId,
    keepsExperience,
    dependsOn: [...builder.dependsOn],
    isMissingDependency: builder.isMissingDependency,
    outcomes: new Map(),
    needs: {
      personKeys: builder.personKeys,
      membership: builder.needsMembership,
      hashKeys: keepsExperience,
      groupTypes: builder.groupTypes,
      groupKeys: builder.groupKeys,
      deviceId: usesDeviceId,
    },
  };
}

function prepareSuper(
  key: string,
  { superCondition, isEnrollment }: FlagFilters,
  prepare: (condition: Condition) => PreparedCondition,
): PreparedFlag['superCondition'] {
  if (isEnrollment) {
    const property = `$feature_enrollment/${key}`;
    const isEnrolled: FilterTest = ({ person }) => [true, 'true'].includes(person.get(property) as never);
    const everybody = { rollout_percentage: null, variant: null, group_type_index: null };
    return { ...everybody, tests: [isEnrolled], keys: [property] };
  }
  if (!superCondition || superCondition.properties.length === 0) return undefined;
  const keys = superCondition.properties.map(({ key: property }) => String(property));
  return { ...prepare({ ...superCondition, group_type_index: null }), keys };
}

/** Builds the tests of one flag, and notes what they will ask for. */
class FilterBuilder {
  readonly personKeys = new Set<string>();
  readonly groupTypes = new Set<number>();
  readonly groupKeys = new Set<string>();
  readonly dependsOn = new Set<number>();
  needsMembership = false;
  isMissingDependency = false;
  readonly #findCohort: FindCohort;
  readonly #timezone: string;

  constructor(findCohort: FindCohort, timezone: string) {
    this.#findCohort = findCohort;
    this.#timezone = timezone;
  }

  build(filter: Record<string, unknown>): FilterTest {
    switch (filter.type ?? 'person') {
      case 'cohort':
        return this.#cohort(filter);
      case 'flag':
        return this.#flag(filter);
      case 'group':
        return this.#group(filter);
      case 'person':
        return this.#person(filter);
      default:
        return () => false;
    }
  }

  #person(filter: Record<string, unknown>): FilterTest {
    const key = String(filter.key);
    const test = makePropertyTest(filter.operator, filter.value, this.#timezone);
    this.personKeys.add(key);
    return ({ person, nowMs }) => test(person.get(key), nowMs);
  }

  #group(filter: Record<string, unknown>): FilterTest {
    const key = String(filter.key);
    const test = makePropertyTest(filter.operator, filter.value, this.#timezone);
    this.groupKeys.add(key);
    const own = toNumber(filter.group_type_index);
    if (own !== undefined) this.groupTypes.add(own);
    return ({ groups, nowMs }, _answers, group_type_index) => {
      const group = groups.get(own ?? group_type_index ?? -1);
      return group !== undefined && test(group.properties.get(key), nowMs);
    };
  }

  /** Groups are in no cohorts. */
  #cohort(filter: Record<string, unknown>): FilterTest {
    const cohort = this.#findCohort(readCohortId(filter.value) ?? -1);
    const operator = filter.operator ?? 'in';
    if (!cohort || !['in', 'exact', 'not_in'].includes(operator as string)) return () => false;
    for (const key of cohort.personKeys) this.personKeys.add(key);
    this.needsMembership ||= cohort.needsMembership;
    const expected = operator !== 'not_in';
    return (subject, _answers, group_type_index) => group_type_index === null && cohort.test(subject) === expected;
  }

  #flag({ key, operator = 'flag_evaluates_to', value }: Record<string, unknown>): FilterTest {
    const id = toNumber(key);
    if (id === undefined || !Number.isInteger(id)) {
      this.isMissingDependency = true;
      return () => false;
    }
    this.dependsOn.add(id);
    if (operator !== 'flag_evaluates_to' && operator !== 'exact') return () => false;
    return (_subject, answers) => {
      const answer = answers.get(id);
      if (answer === undefined) return false;
      return typeof value === 'boolean' ? (answer !== false) === value : answer === value;
    };
  }
}

/** Flags after those they depend on, otherwise in their own order; those that never get their turn wait for each other. */
function inOrder(flags: readonly PreparedFlag[]): PreparedFlag[] {
  const known = new Set(flags.map(({ definition }) => definition.id));
  const dependants = new Map<number, PreparedFlag[]>();
  const waitingFor = new Map<PreparedFlag, number>();
  const ready: PreparedFlag[] = [];
  for (const flag of flags) {
    const present = flag.dependsOn.filter((id) => known.has(id));
    for (const id of present) dependants.set(id, [...(dependants.get(id) ?? []), flag]);
    waitingFor.set(flag, present.length);
    if (present.length === 0) ready.push(flag);
  }
  for (let at = 0; at < ready.length; at += 1) {
    for (const dependant of dependants.get(ready[at]!.definition.id) ?? []) {
      const left = waitingFor.get(dependant)! - 1;
      waitingFor.set(dependant, left);
      if (left === 0) ready.push(dependant);
    }
  }
  const isReady = new Set(ready);
  const ordered = [...ready, ...flags.filter((flag) => !isReady.has(flag))];
  return ordered.map((flag) => {
    const isMissingDependency =
      flag.isMissingDependency || !isReady.has(flag) || flag.dependsOn.some((id) => !known.has(id));
    return isMissingDependency === flag.isMissingDependency
      ? flag
      : { ...flag, isMissingDependency, outcomes: new Map() };
  });
}
