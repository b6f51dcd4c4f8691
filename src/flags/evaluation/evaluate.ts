// Flags for one subject. Pure: the same definitions and the same knowledge give the same answers.
import { isInRollout, linePosition, pickVariant } from './hash.ts';
import type {
  Answers,
  FlagAnswer,
  FlagValue,
  PreparedCondition,
  PreparedFlag,
  PreparedProject,
  Reason,
} from './prepare.ts';
import { UnknownFact, unknownFact } from './properties.ts';
import type { Subject } from './subject.ts';

export interface Evaluation {
  readonly answers: readonly FlagAnswer[];
  /** Flags that could not be computed, because something stored could not be read. */
  readonly failed: readonly PreparedFlag[];
}

/** Evaluates these flags, which are in the order of their project, and hands back those that are `wanted`. */
export function evaluateFlags(
  flags: readonly PreparedFlag[],
  subject: Subject,
  wanted: (flag: PreparedFlag) => boolean = () => true,
): Evaluation {
  const values = new Map<number, FlagValue>();
  const failedIds = new Set<number>();
  const answers: FlagAnswer[] = [];
  const failed: PreparedFlag[] = [];
  const needed = neededIds(flags);
  for (const flag of flags) {
    const answer = evaluateOrFail(flag, subject, values, failedIds);
    if (!answer) failedIds.add(flag.definition.id);
    else if (needed.has(flag.definition.id)) {
      values.set(flag.definition.id, answer.enabled && (answer.variant ?? true));
    }
    if (!wanted(flag)) continue;
    if (answer) answers.push(answer);
    else failed.push(flag);
  }
  return { answers, failed };
}

const knownNeededIds = new WeakMap<readonly PreparedFlag[], ReadonlySet<number>>();

/** The flags that others of these depend on; for the flags of a whole project they are listed once. */
function neededIds(flags: readonly PreparedFlag[]): ReadonlySet<number> {
  let needed = knownNeededIds.get(flags);
  if (!needed) {
    needed = new Set(flags.flatMap(({ dependsOn }) => dependsOn));
    knownNeededIds.set(flags, needed);
  }
  return needed;
}

/** These flags with all that they depend on, in the project's order. */
export function withDependencies(project: PreparedProject, flags: readonly PreparedFlag[]): PreparedFlag[] {
  const found = new Set(flags);
  const pending = [...flags];
  while (pending.length > 0) {
    for (const id of pending.pop()!.dependsOn) {
      const dependency = project.byId.get(id);
      if (!dependency || found.has(dependency)) continue;
      found.add(dependency);
      pending.push(dependency);
    }
  }
  return found.size === project.flags.length ? [...project.flags] : project.flags.filter((flag) => found.has(flag));
}

function evaluateOrFail(
  flag: PreparedFlag,
  subject: Subject,
  values: Answers,
  failedIds: ReadonlySet<number>,
): FlagAnswer | undefined {
  if (failedIds.size > 0 && flag.dependsOn.some((id) => failedIds.has(id))) return undefined;
  try {
    return evaluateFlag(flag, subject, values);
  } catch (error) {
    if (error instanceof UnknownFact) return undefined;
    throw error;
  }
}

function evaluateFlag(flag: PreparedFlag, subject: Subject, values: Answers): FlagAnswer {
  if (flag.isMissingDependency) return off(flag, 'missing_dependency', null);
  const { group_type_index } = flag.filters;
  if (group_type_index !== null && !subject.groups.has(group_type_index) && !hasPersonConditions(flag)) {
    return off(flag, 'no_group_type', null);
  }
  return (
    decideBySuperCondition(flag, subject, values) ??
    decideByHoldout(flag, subject) ??
    decideByConditions(flag, subject, values)
  );
}

const hasPersonConditions = ({ conditions }: PreparedFlag) =>
  conditions.some(({ group_type_index }) => group_type_index === null);

/** Who has enrolled, or declined, gets what they chose. */
function decideBySuperCondition(flag: PreparedFlag, subject: Subject, values: Answers): FlagAnswer | undefined {
  const condition = flag.superCondition;
  if (!condition?.keys.some((key) => subject.person.get(key) !== undefined)) return undefined;
  const enabled =
    passes(condition, subject, values) &&
    isInRollout(condition.rollout_percentage, flag.hashPrefix, identifierOf(flag, subject, null) ?? '');
  return enabled ? on(flag, null, 'super_condition_value', 0) : off(flag, 'super_condition_value', 0);
}

/** A share of everybody that is kept out of every experiment: the same people for each flag. */
function decideByHoldout(flag: PreparedFlag, subject: Subject): FlagAnswer | undefined {
  const { holdout } = flag.filters;
  if (!holdout) return undefined;
  // What was hashed before does not count here, or people would leave the holdout when they are identified.
  const { group_type_index } = flag.filters;
  const group = group_type_index === null ? undefined : subject.groups.get(group_type_index);
  const identifier = group?.key ?? (flag.usesDeviceId ? subject.device_id : undefined) ?? subject.distinct_id;
  if (!isInRollout(holdout.rollout_percentage, 'holdout-', identifier)) return undefined;
  const variant = holdout.variant ?? hashedVariant(flag, identifier) ?? 'holdout';
  return on(flag, variant, 'holdout_condition_value', null);
}

function decideByConditions(flag: PreparedFlag, subject: Subject, values: Answers): FlagAnswer {
  let reason: Reason = 'no_condition_match';
  let condition_index: number | null = null;
  let skipped = 0;
  for (let index = 0; index < flag.conditions.length; index += 1) {
    const condition = flag.conditions[index]!;
    if (condition.group_type_index !== null && !subject.groups.has(condition.group_type_index)) {
      skipped += 1;
      continue;
    }
    if (!passes(condition, subject, values)) {
      if (reason === 'no_condition_match') condition_index = index;
      continue;
    }
    const identifier = identifierOf(flag, subject, condition.group_type_index);
    if (identifier !== undefined && isInRollout(condition.rollout_percentage, flag.hashPrefix, identifier)) {
      return on(flag, condition.variant ?? hashedVariant(flag, identifier), 'condition_match', index);
    }
    // Having come so close says more than not having matched.
    reason = 'out_of_rollout_bound';
    condition_index = index;
    if (flag.filters.isEarlyExit) break;
  }
  const nothingJudged = skipped > 0 && skipped === flag.conditions.length;
  return off(flag, nothingJudged ? 'no_group_type' : reason, condition_index);
}

/** What is hashed; undefined when a flag goes by devices and none is known. */
function identifierOf(flag: PreparedFlag, subject: Subject, group_type_index: number | null): string | undefined {
  if (group_type_index !== null) return subject.groups.get(group_type_index)?.key;
  if (flag.usesDeviceId) return subject.device_id;
  if (!flag.keepsExperience) return subject.distinct_id;
  const { hashKeys } = subject;
  const before = hashKeys ? hashKeys.get(flag.definition.key) : unknownFact();
  return before ?? subject.anon_distinct_id ?? subject.distinct_id;
}

function passes({ tests, group_type_index }: PreparedCondition, subject: Subject, values: Answers): boolean {
  for (const test of tests) if (!test(subject, values, group_type_index)) return false;
  return true;
}

function hashedVariant({ hashPrefix, filters }: PreparedFlag, identifier: string): string | null {
  if (filters.variants.length === 0) return null;
  return pickVariant(filters.variants, linePosition(hashPrefix, identifier, 'variant'));
}

const on = (flag: PreparedFlag, variant: string | null, reason: Reason, condition_index: number | null) =>
  outcome(flag, true, variant, reason, condition_index);

const off = (flag: PreparedFlag, reason: Reason, condition_index: number | null) =>
  outcome(flag, false, null, reason, condition_index);

const REASON_NUMBERS: Readonly<Record<Reason, number>> = {
  condition_match: 0,
  super_condition_value: 1,
  holdout_condition_value: 2,
  out_of_rollout_bound: 3,
  no_condition_match: 4,
  no_group_type: 5,
  missing_dependency: 6,
};
const VARIANTS_MAX = 500;
const CONDITIONS_MAX = 500;

/**
 * A flag has few outcomes for very many people. Each is one object, made when it first occurs, so that whoever writes
 * answers down can keep what they wrote.
 */
function outcome(
  flag: PreparedFlag,
  enabled: boolean,
  variant: string | null,
  reason: Reason,
  condition_index: number | null,
): FlagAnswer {
  const place = variant === null ? -1 : flag.filters.variants.findIndex(({ key }) => key === variant);
  const isUsual = place < VARIANTS_MAX && (condition_index ?? 0) < CONDITIONS_MAX;
  // Variants that are not among the flag's own are those of holdouts: one for each flag.
  const number =
    (Number(enabled) + 2 * REASON_NUMBERS[reason]) * 1_000_000 + (place + 1) * 1_000 + (condition_index ?? -1) + 1;
  const before = isUsual ? flag.outcomes.get(number) : undefined;
  if (before) return before;
  const { payloads } = flag.filters;
  const key = variant ?? 'true';
  const payload = enabled && Object.hasOwn(payloads, key) ? (payloads[key] ?? null) : null;
  const answer: FlagAnswer = { flag, enabled, variant, reason, condition_index, payload, texts: {} };
  if (isUsual) flag.outcomes.set(number, answer);
  return answer;
}
