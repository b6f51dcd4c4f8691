// How an early access feature opens its flag to those who choose it.
import type { EarlyAccessStage } from '../../metadata/tables.ts';

const OPEN_STAGES: ReadonlySet<EarlyAccessStage> = new Set(['concept', 'alpha', 'beta', 'general-availability']);

/** The flag's filters with what the stage asks for: who enrolled decides for themselves, or nobody does. */
export function withEnrollment(filters: Record<string, unknown>, key: string, stage: EarlyAccessStage | undefined) {
  const isOpen = stage !== undefined && OPEN_STAGES.has(stage);
  const property = { key: `$feature_enrollment/${key}`, type: 'person', operator: 'exact', value: ['true'] };
  return { ...filters, super_groups: isOpen ? [{ properties: [property], rollout_percentage: 100 }] : null };
}

/** The key of the flag that a feature of this name gets. */
export function toFlagKey(name: string): string {
  const key = name
    .trim()
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^a-z0-9_-]/g, '');
  return key || 'early-access-feature';
}
