// Public shapes of feature flags. The only file that knows them.
import { z } from 'zod';
import { anything, bool, choice, dict, integer, list, nullable, optional, text } from '../../http/fields.ts';
import type { AccountRow, FeatureFlagRow } from '../../metadata/tables.ts';
import { pagedOf, toUserBasic, UserBasic } from '../../projects/wire.ts';
import { readFilters } from '../evaluation/definition.ts';
import { isObject } from '../evaluation/values.ts';
import { withoutSecrets } from '../secret-payloads.ts';
import { isSimple, statusOf } from './status.ts';

const AnyObject = z.record(z.string(), z.unknown());

export const Flag = z.strictObject({
  id: z.int(),
  name: z.string(),
  key: z.string(),
  filters: AnyObject,
  deleted: z.boolean(),
  active: z.boolean(),
  created_by: UserBasic.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  last_called_at: z.string().nullable(),
  version: z.int(),
  last_modified_by: UserBasic.nullable(),
  is_simple_flag: z.boolean(),
  rollout_percentage: z.number().nullable(),
  ensure_experience_continuity: z.boolean(),
  experiment_set: z.array(z.int()),
  surveys: z.array(z.unknown()),
  features: z.array(z.unknown()),
  rollback_conditions: z.null(),
  performed_rollback: z.null(),
  can_edit: z.boolean(),
  tags: z.array(z.string()),
  usage_dashboard: z.int().nullable(),
  analytics_dashboards: z.array(z.int()),
  has_enriched_analytics: z.boolean(),
  user_access_level: z.string(),
  is_remote_configuration: z.boolean(),
  has_encrypted_payloads: z.boolean(),
  status: z.enum(['ACTIVE', 'INACTIVE', 'STALE', 'DELETED']),
  evaluation_runtime: z.string(),
  bucketing_identifier: z.string().nullable(),
  evaluation_tags: z.array(z.string()),
  evaluation_contexts: z.array(z.string()),
});

export const FlagPage = pagedOf(Flag);

export const FlagVersion = z.strictObject({
  version: z.int(),
  changed_at: z.string(),
  changed_by: UserBasic.nullable(),
  flag: AnyObject,
});
export const FlagVersionPage = pagedOf(FlagVersion);

const flagFields = {
  name: optional(text({ blank: true, about: 'Really the description.' })),
  filters: optional(dict('Conditions, variants and payloads.')),
  active: optional(bool()),
  deleted: optional(bool('A flag is deleted, and restored, by setting this.')),
  ensure_experience_continuity: optional(nullable(bool('Keep the value when a visitor is identified.'))),
  is_remote_configuration: optional(bool()),
  has_encrypted_payloads: optional(bool()),
  has_enriched_analytics: optional(bool()),
  tags: optional(list(text({ max: 255 }))),
  analytics_dashboards: optional(list(integer({ min: 1 }))),
  evaluation_runtime: optional(choice(['all', 'client', 'server'])),
  evaluation_contexts: optional(list(text({ max: 255 }))),
  evaluation_tags: optional(list(text({ max: 255 }))),
  bucketing_identifier: optional(nullable(choice(['distinct_id', 'device_id']))),
};

const key = text({ max: 400, about: 'Letters, numbers, hyphens and underscores; one of its kind in the project.' });

export const NewFlag = z.object({
  key,
  ...flagFields,
  // The original makes one for every flag; here nobody's list of dashboards grows unasked.
  _should_create_usage_dashboard: optional(bool('Make a dashboard that shows how the flag is used, too.')),
  creation_context: optional(
    choice(['feature_flags', 'experiments', 'surveys', 'early_access_features', 'web_experiments', 'product_tours']),
  ),
});

export const FlagChange = z.object({
  key: optional(key),
  ...flagFields,
  version: optional(
    integer({ about: 'The version that was read: refuses to undo what somebody else has changed since.' }),
  ),
  original_flag: optional(anything('The flag as it was read.')),
});

export type Authors = ReadonlyMap<number, AccountRow>;

export interface FlagSurroundings {
  authors: Authors;
  /** Names of cohorts by id, for the filters that name them. */
  cohortNames: ReadonlyMap<number, string | null>;
  /** The early access features of each flag. */
  features: ReadonlyMap<number, unknown[]>;
  /** The surveys of each flag, by its key. */
  surveys: ReadonlyMap<string, unknown[]>;
  /** When each was last asked for, by its key. */
  lastCalls: ReadonlyMap<string, string>;
  /** The dashboard of each flag that has one. */
  usageDashboards: ReadonlyMap<number, number>;
  nowMs: number;
}

export function toFlag(
  flag: FeatureFlagRow,
  { authors, cohortNames, features, surveys, lastCalls, usageDashboards, nowMs }: FlagSurroundings,
) {
  const simple = isSimple(flag);
  return {
    id: flag.id,
    name: flag.name,
    key: flag.key,
    filters: withCohortNames(withoutSecrets(flag), cohortNames),
    deleted: flag.deleted,
    active: flag.active,
    created_by: toAuthor(authors, flag.created_by_id),
    created_at: flag.created_at,
    updated_at: flag.updated_at,
    last_called_at: lastCalls.get(flag.key) ?? null,
    version: flag.version,
    last_modified_by: toAuthor(authors, flag.last_modified_by_id),
    is_simple_flag: simple,
    rollout_percentage: simple ? finite(readFilters(flag).conditions[0]?.rollout_percentage) : null,
    ensure_experience_continuity: flag.ensure_experience_continuity,
    experiment_set: [],
    surveys: surveys.get(flag.key) ?? [],
    features: features.get(flag.id) ?? [],
    rollback_conditions: null,
    performed_rollback: null,
    can_edit: true,
    tags: flag.tags,
    usage_dashboard: usageDashboards.get(flag.id) ?? null,
    analytics_dashboards: flag.analytics_dashboards,
    has_enriched_analytics: flag.has_enriched_analytics,
    user_access_level: 'editor',
    is_remote_configuration: flag.is_remote_configuration,
    has_encrypted_payloads: flag.has_encrypted_payloads,
    status: statusOf(flag, nowMs).status,
    evaluation_runtime: flag.evaluation_runtime,
    bucketing_identifier: flag.bucketing_identifier,
    evaluation_tags: flag.evaluation_contexts,
    evaluation_contexts: flag.evaluation_contexts,
  };
}

export function toAuthor(authors: Authors, id: number | null) {
  const author = id === null ? undefined : authors.get(id);
  return author ? toUserBasic(author) : null;
}

const finite = (number: number | null | undefined) => (Number.isFinite(number) ? (number as number) : null);

function withCohortNames(filters: Record<string, unknown>, names: ReadonlyMap<number, string | null>) {
  if (!Array.isArray(filters.groups)) return filters;
  const named = (filter: unknown) =>
    isObject(filter) && filter.type === 'cohort'
      ? { ...filter, cohort_name: names.get(Number(filter.value)) ?? null }
      : filter;
  const groups = filters.groups.map((group) =>
    isObject(group) && Array.isArray(group.properties) ? { ...group, properties: group.properties.map(named) } : group,
  );
  return { ...filters, groups };
}
