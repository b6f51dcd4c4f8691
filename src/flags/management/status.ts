// Whether a flag still does something, from what it is made of and how old it is.
import type { FeatureFlagRow } from '../../metadata/tables.ts';
import { type Condition, type FlagFilters, readFilters } from '../evaluation/definition.ts';

export type FlagStatus = 'ACTIVE' | 'INACTIVE' | 'STALE' | 'DELETED';

const STALE_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

export function statusOf(flag: FeatureFlagRow, nowMs: number): { status: FlagStatus; reason: string } {
  if (flag.deleted) return { status: 'DELETED', reason: 'Flag has been deleted' };
  if (!flag.active) return { status: 'INACTIVE', reason: 'Flag is not active' };
  const isOld = nowMs - Date.parse(flag.created_at) >= STALE_AFTER_MS;
  const reason = isOld ? findStaleness(readFilters(flag)) : undefined;
  return reason
    ? { status: 'STALE', reason }
    : { status: 'ACTIVE', reason: 'Flag is not fully rolled out and may still be active' };
}

const isForEverybody = ({ properties, rollout_percentage, isBroken }: Condition) =>
  !isBroken && properties.length === 0 && (rollout_percentage ?? 100) >= 100;

/** A flag that has one answer for everybody could as well be code. */
function findStaleness({
  conditions,
  variants,
  superCondition,
  holdout,
  group_type_index,
}: FlagFilters): string | undefined {
  if (superCondition || holdout || group_type_index !== null) return undefined;
  const full = conditions.filter(isForEverybody);
  if (full.length === 0) return undefined;
  if (variants.length === 0) return 'Boolean flag is set to true for everyone';
  const one = variants.find(
    ({ key, rollout_percentage }) => rollout_percentage >= 100 || full.some(({ variant }) => variant === key),
  );
  return one && `This flag will always use the variant "${one.key}"`;
}

/** One condition that looks at nothing. */
export function isSimple(flag: FeatureFlagRow): boolean {
  const { conditions, group_type_index } = readFilters(flag);
  return conditions.length === 1 && conditions[0]!.properties.length === 0 && group_type_index === null;
}
