// Public shapes of early access features. The only file that knows them.
import { z } from 'zod';
import { choice, integer, nullable, optional, text } from '../../http/fields.ts';
import type { EarlyAccessFeatureRow, FeatureFlagRow } from '../../metadata/tables.ts';
import { pagedOf } from '../../projects/wire.ts';
import { toMinimalFlag } from '../local-evaluation.ts';

export const EarlyAccessFeature = z.strictObject({
  id: z.uuid(),
  feature_flag: z.record(z.string(), z.unknown()).nullable(),
  name: z.string(),
  description: z.string(),
  stage: z.string(),
  documentation_url: z.string(),
  created_at: z.string(),
});

export const EarlyAccessPage = pagedOf(EarlyAccessFeature);

const name = text({ max: 200 });
const stage = choice(['draft', 'concept', 'alpha', 'beta', 'general-availability', 'archived']);
const fields = {
  description: optional(text({ blank: true })),
  documentation_url: optional(text({ max: 800, blank: true })),
};

export const NewEarlyAccess = z.object({
  name,
  stage,
  ...fields,
  feature_flag_id: optional(nullable(integer({ about: 'A flag that is there; without it one is made.' }))),
});
export const EarlyAccessChange = z.object({ name: optional(name), stage: optional(stage), ...fields });

export function toEarlyAccess(feature: EarlyAccessFeatureRow, flag: FeatureFlagRow | undefined) {
  const { id, name, description, stage, documentation_url, created_at } = feature;
  const feature_flag = flag ? toMinimalFlag(flag) : null;
  return { id, feature_flag, name, description, stage, documentation_url, created_at };
}
