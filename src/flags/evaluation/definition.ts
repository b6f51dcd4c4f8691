// Flags as they are stored: free JSON that old clients, scripts and people wrote. Read here once, leniently.
import type { Variant } from './hash.ts';
import { isObject, toNumber } from './values.ts';

export interface FlagDefinition {
  readonly id: number;
  readonly key: string;
  readonly active: boolean;
  readonly deleted: boolean;
  readonly filters: unknown;
  readonly version?: number | null;
  readonly ensure_experience_continuity?: boolean | null;
  readonly has_encrypted_payloads?: boolean;
  readonly bucketing_identifier?: string | null;
  /** `all`, `client` or `server`. */
  readonly evaluation_runtime?: string | null;
  readonly evaluation_contexts?: readonly string[];
  /** Of flags from before conditions. */
  readonly rollout_percentage?: number | null;
}

export interface Condition {
  readonly properties: readonly Record<string, unknown>[];
  /** Something that is no list of filters was written instead of one; it matches nobody. */
  readonly isBroken: boolean;
  readonly rollout_percentage: number | null;
  readonly variant: string | null;
  /** Undefined: as the flag says; null: the person. */
  readonly group_type_index: number | null | undefined;
}

export interface Holdout {
  readonly rollout_percentage: number | null;
  readonly variant: string | null;
}

export interface FlagFilters {
  readonly conditions: readonly Condition[];
  readonly variants: readonly Variant[];
  readonly payloads: Readonly<Record<string, unknown>>;
  readonly group_type_index: number | null;
  readonly superCondition: Condition | undefined;
  readonly isEnrollment: boolean;
  readonly holdout: Holdout | undefined;
  readonly isEarlyExit: boolean;
}

export function readFilters({ filters: stored, rollout_percentage }: FlagDefinition): FlagFilters {
  const filters = isObject(stored) ? stored : {};
  const { groups, super_groups } = filters;
  const legacy = [{ properties: filters.properties ?? [], rollout_percentage }];
  const [superGroup] = Array.isArray(super_groups) ? super_groups : [];
  return {
    conditions: (Array.isArray(groups) ? groups : legacy).map(readCondition),
    variants: readVariants(filters.multivariate),
    payloads: isObject(filters.payloads) ? filters.payloads : {},
    group_type_index: readIndex(filters.aggregation_group_type_index) ?? null,
    superCondition: isObject(superGroup) ? readCondition(superGroup) : undefined,
    isEnrollment: filters.feature_enrollment === true,
    holdout: readHoldout(filters),
    isEarlyExit: filters.early_exit === true,
  };
}

function readCondition(stored: unknown): Condition {
  const condition = isObject(stored) ? stored : { properties: null };
  const properties = 'properties' in condition ? condition.properties : [];
  const isList = Array.isArray(properties) || (properties === null && isObject(stored));
  const filters: unknown[] = Array.isArray(properties) ? properties : [];
  return {
    properties: filters.filter(isObject),
    isBroken: !isList || !filters.every(isObject),
    rollout_percentage: readRollout(condition.rollout_percentage),
    variant: typeof condition.variant === 'string' ? condition.variant : null,
    group_type_index:
      'aggregation_group_type_index' in condition
        ? (readIndex(condition.aggregation_group_type_index) ?? null)
        : undefined,
  };
}

/** Absent is everybody; what is no number is nobody, since a slip of the pen should release nothing. */
function readRollout(stored: unknown): number | null {
  if (stored === undefined || stored === null) return null;
  const number = toNumber(stored);
  return number === undefined || Number.isNaN(number) ? Number.NEGATIVE_INFINITY : number;
}

function readVariants(multivariate: unknown): Variant[] {
  const variants = isObject(multivariate) && Array.isArray(multivariate.variants) ? multivariate.variants : [];
  return variants
    .filter(isObject)
    .flatMap(({ key, rollout_percentage }) =>
      typeof key === 'string' ? [{ key, rollout_percentage: toNumber(rollout_percentage) ?? 0 }] : [],
    );
}

function readHoldout({ holdout, holdout_groups }: Record<string, unknown>): Holdout | undefined {
  if (isObject(holdout)) {
    const { id, exclusion_percentage } = holdout;
    return { rollout_percentage: readRollout(exclusion_percentage), variant: `holdout-${String(id)}` };
  }
  const [group] = Array.isArray(holdout_groups) ? holdout_groups : [];
  if (!isObject(group)) return undefined;
  const { properties, rollout_percentage, variant, isBroken } = readCondition(group);
  // A holdout is a share of everybody; one with conditions was never supported anywhere.
  return properties.length > 0 || isBroken ? undefined : { rollout_percentage, variant };
}

function readIndex(stored: unknown): number | undefined {
  const index = toNumber(stored);
  return index !== undefined && Number.isInteger(index) ? index : undefined;
}
