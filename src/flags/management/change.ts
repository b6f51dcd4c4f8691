// Creating and changing flags: every rule that needs to know the project's other flags, inside one transaction.
import type { z } from 'zod';
import { conflict, invalid, notFound } from '../../http/errors.ts';
import type { AccountRow, FeatureFlagRow } from '../../metadata/tables.ts';
import { inTransaction } from '../../metadata/transaction.ts';
import { isObject } from '../evaluation/values.ts';
import type { PayloadVault } from '../secret-payloads.ts';
import { renameUsageDashboard } from '../usage/dashboard.ts';
import { checkFilters, listDependencies } from './check-filters.ts';
import {
  type Db,
  type FlagChanges,
  findAuthors,
  findFlagByKey,
  insertFlag,
  listEarlyAccessOf,
  listLiveCohorts,
  listLiveFlags,
  lockFlag,
  recordFlagActivity,
  updateFlag,
} from './sql.ts';
import type { FlagChange, NewFlag } from './wire.ts';

const KEY = /^[a-zA-Z0-9_-]+$/;
const UNIQUE_VIOLATION = '23505';
const EVERYBODY = { groups: [{ properties: [], rollout_percentage: null }] };

/** Who makes a change; undefined when the program does it by itself. */
export type Actor = Pick<AccountRow, 'id'> | undefined;
type Draft = z.output<typeof NewFlag>;
type Change = z.output<typeof FlagChange>;

const keyTaken = () => invalid('There is already a feature flag with this key.', 'key', 'unique');

function requireKey(key: string): void {
  if (KEY.test(key)) return;
  throw invalid('Only letters, numbers, hyphens (-) & underscores (_) are allowed.', 'key', 'invalid_key');
}

export function createFlag(
  db: Db,
  team_id: number,
  user: Actor,
  draft: Draft,
  /** Needed for payloads that are kept encrypted; features that make flags for themselves have none. */
  vault?: PayloadVault,
): Promise<FeatureFlagRow> {
  requireKey(draft.key);
  const given = draft.filters ?? {};
  if (Array.isArray(given.groups) && given.groups.length === 0) {
    throw invalid('Feature flags must have at least one condition set (group).', 'filters');
  }
  return withUniqueKey(
    inTransaction(db, async (tx) => {
      if (await findFlagByKey(tx, team_id, draft.key)) throw keyTaken();
      const checked = checkFilters(
        { ...EVERYBODY, ...given },
        {
          self: { id: undefined, key: draft.key },
          flags: await listLiveFlags(tx, team_id),
          cohorts: await listLiveCohorts(tx, team_id),
          hasEarlyAccess: false,
        },
      );
      const filters = vault && draft.has_encrypted_payloads ? vault.seal(team_id, checked, {}) : checked;
      const { creation_context = 'feature_flags' } = draft;
      const columns = { ...toColumns(draft), creation_context };
      const flag = await insertFlag(tx, {
        ...columns,
        team_id,
        key: draft.key,
        filters,
        created_by_id: user?.id ?? null,
      });
      await recordFlagActivity(tx, user?.id ?? null, undefined, flag);
      return flag;
    }),
  );
}

export function changeFlag(
  db: Db,
  { team_id, id }: Pick<FeatureFlagRow, 'team_id' | 'id'>,
  user: Actor,
  change: Change,
  vault?: PayloadVault,
): Promise<FeatureFlagRow> {
  return withUniqueKey(
    inTransaction(db, async (tx) => {
      const before = await lockFlag(tx, team_id, id);
      if (!before) throw notFound();
      await requireUnchanged(tx, before, change);
      const flags = await listLiveFlags(tx, team_id);
      const features = await listEarlyAccessOf(tx, team_id);
      const hasEarlyAccess = features.some(({ feature_flag_id }) => feature_flag_id === id);
      const key = change.key ?? before.key;
      if (key !== before.key) requireKey(key);
      requireFreeToGo(before, change, flags, hasEarlyAccess);

      const open = await newFilters(tx, before, change, { key, flags, hasEarlyAccess });
      const filters = sealed(before, change, open, vault);
      requireFreeToSwitch(before, change, filters ?? before.filters, flags);
      const changes: FlagChanges = { ...toColumns(change), key, ...(filters && { filters }) };
      const after = await updateFlag(tx, id, user?.id ?? null, changes);
      await renameUsageDashboard(tx, id, before.key, after.key);
      await recordFlagActivity(tx, user?.id ?? null, before, after);
      return after;
    }),
  );
}

/** Payloads that are, or from now on will be, kept encrypted. */
function sealed(
  before: FeatureFlagRow,
  change: Change,
  filters: Record<string, unknown> | undefined,
  vault: PayloadVault | undefined,
): Record<string, unknown> | undefined {
  const { has_encrypted_payloads: was, team_id } = before;
  const { has_encrypted_payloads: is = was } = change;
  if (was && !is) {
    throw invalid(
      'Encrypted payloads cannot be made readable again; make a new flag for payloads that anybody may read.',
      'has_encrypted_payloads',
    );
  }
  return is && vault ? vault.seal(team_id, filters ?? before.filters, before.filters) : filters;
}

/** Two requests at once may both find the key free; the database lets one through. */
async function withUniqueKey<T>(changing: Promise<T>): Promise<T> {
  try {
    return await changing;
  } catch (error) {
    throw (error as { code?: string }).code === UNIQUE_VIOLATION ? keyTaken() : error;
  }
}

/** What of a body are columns as they stand. */
function toColumns(given: Draft | Change): FlagChanges {
  const { ensure_experience_continuity, evaluation_tags } = given;
  const columns = {
    name: given.name,
    active: given.active,
    deleted: given.deleted,
    ensure_experience_continuity: ensure_experience_continuity === null ? false : ensure_experience_continuity,
    is_remote_configuration: given.is_remote_configuration,
    has_encrypted_payloads: given.has_encrypted_payloads,
    has_enriched_analytics: given.has_enriched_analytics,
    tags: given.tags && [...new Set(given.tags)],
    analytics_dashboards: given.analytics_dashboards,
    evaluation_runtime: given.evaluation_runtime,
    evaluation_contexts: given.evaluation_contexts ?? evaluation_tags,
    bucketing_identifier: given.bucketing_identifier,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as FlagChanges;
}

/** Somebody who names the version that they read does not undo what another has changed since. */
async function requireUnchanged(tx: Db, before: FeatureFlagRow, change: Change): Promise<void> {
  if (change.version === undefined || change.version === before.version || !isObject(change.original_flag)) return;
  const original = change.original_flag;
  const isContested = (field: string) =>
    (change as Record<string, unknown>)[field] !== undefined &&
    JSON.stringify(original[field]) !== JSON.stringify((before as unknown as Record<string, unknown>)[field]);
  if (!['key', 'name', 'filters', 'active', 'deleted', 'tags'].some(isContested)) return;
  const other = (await findAuthors(tx, [before.last_modified_by_id])).get(before.last_modified_by_id ?? 0);
  throw conflict(
    `The feature flag was updated by ${other?.email ?? 'another user'} since you started editing it. Please refresh and try again.`,
  );
}

const named = (flags: readonly FeatureFlagRow[]) => flags.map(({ key, id }) => `${key} (ID: ${id})`).join(', ');

const dependantsOf = (id: number, flags: readonly FeatureFlagRow[]) =>
  flags.filter((flag) => flag.id !== id && listDependencies(flag.filters).includes(id));

function requireFreeToGo(
  { id, deleted }: FeatureFlagRow,
  change: Change,
  flags: readonly FeatureFlagRow[],
  hasEarlyAccess: boolean,
): void {
  if (deleted || change.deleted !== true) return;
  if (hasEarlyAccess) {
    throw invalid(
      'Cannot delete a feature flag that is in use with early access features. Please delete the early access feature before deleting the flag.',
    );
  }
  const dependants = dependantsOf(id, flags);
  if (dependants.length > 0) {
    throw invalid(
      `Cannot delete this feature flag because other flags depend on it: ${named(dependants)}. Please update or delete the dependent flags first.`,
    );
  }
}

function requireFreeToSwitch(
  { id, active }: FeatureFlagRow,
  change: Change,
  filters: unknown,
  flags: readonly FeatureFlagRow[],
): void {
  if (active && change.active === false) {
    const dependants = dependantsOf(id, flags).filter((flag) => flag.active);
    if (dependants.length === 0) return;
    throw invalid(
      `Cannot disable this feature flag because other flags depend on it: ${named(dependants)}. Please update or delete the dependent flags first.`,
    );
  }
  if (!active && change.active === true) {
    const needed = listDependencies(filters);
    const disabled = flags.filter((flag) => needed.includes(flag.id) && !flag.active);
    if (disabled.length === 0) return;
    throw invalid(
      `Cannot enable this feature flag because it depends on disabled flags: ${named(disabled)}. Please enable the dependency flags first.`,
    );
  }
}

/** Filters without conditions are no filters: a client that sends only some of them means to keep what is there. */
async function newFilters(
  tx: Db,
  before: FeatureFlagRow,
  change: Change,
  { key, flags, hasEarlyAccess }: { key: string; flags: readonly FeatureFlagRow[]; hasEarlyAccess: boolean },
): Promise<Record<string, unknown> | undefined> {
  const given = change.filters && 'groups' in change.filters ? change.filters : undefined;
  const checked =
    given &&
    checkFilters(given, {
      self: { id: before.id, key },
      flags,
      cohorts: await listLiveCohorts(tx, before.team_id),
      hasEarlyAccess,
    });
  if (key === before.key) return checked;
  return renameEnrollment(checked ?? before.filters, before.key, key);
}

/** Who is enrolled is found by a property that has the flag's key in its name. */
function renameEnrollment(filters: Record<string, unknown>, from: string, to: string): Record<string, unknown> {
  const { super_groups } = filters;
  if (!Array.isArray(super_groups)) return filters;
  const text = JSON.stringify(super_groups);
  const renamed = text.replaceAll(
    JSON.stringify(`$feature_enrollment/${from}`),
    JSON.stringify(`$feature_enrollment/${to}`),
  );
  return { ...filters, super_groups: JSON.parse(renamed) };
}
