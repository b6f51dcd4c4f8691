// Flags of one project, made again in others of the same organization.
import type { z } from 'zod';
import { ApiError, invalid } from '../../http/errors.ts';
import type { AccountRow, CohortRow, FeatureFlagRow, ProjectRow } from '../../metadata/tables.ts';
import { inTransaction } from '../../metadata/transaction.ts';
import { listInnerCohorts, readCohortId } from '../evaluation/cohort.ts';
import { isObject } from '../evaluation/values.ts';
import { listFilters } from '../local-evaluation.ts';
import type { PayloadVault } from '../secret-payloads.ts';
import { changeFlag, createFlag } from './change.ts';
import { type Db, findFlagByKey, listLiveCohorts } from './sql.ts';
import type { NewFlag } from './wire.ts';

export interface CopyParts {
  db: Db;
  vault: PayloadVault;
  user: AccountRow;
}

/** Makes the flag there, or makes the one there like it. Cohorts that it goes by are found by name, or made as well. */
export function copyFlag(
  { db, vault, user }: CopyParts,
  flag: FeatureFlagRow,
  to: ProjectRow,
): Promise<FeatureFlagRow> {
  return inTransaction(db, async (tx) => {
    if (listFilters(flag.filters).some(({ type }) => type === 'flag')) {
      throw invalid('Flags that depend on other flags cannot be copied.');
    }
    const cohorts = await copyCohorts(tx, flag, to, user);
    const draft = toDraft(flag, withCohorts(openPayloads(flag, vault), cohorts));
    const there = await findFlagByKey(tx, to.id, flag.key);
    return there ? changeFlag(tx, there, user, draft, vault) : createFlag(tx, to.id, user, draft, vault);
  });
}

function toDraft(flag: FeatureFlagRow, filters: Record<string, unknown>): z.output<typeof NewFlag> {
  return {
    key: flag.key,
    name: flag.name,
    filters,
    active: flag.active,
    ensure_experience_continuity: flag.ensure_experience_continuity,
    is_remote_configuration: flag.is_remote_configuration,
    has_encrypted_payloads: flag.has_encrypted_payloads,
    evaluation_runtime: flag.evaluation_runtime,
    bucketing_identifier: flag.bucketing_identifier,
  };
}

/** Encrypted payloads open in their own project only, so they go over as they were written. */
function openPayloads({ team_id, filters }: FeatureFlagRow, vault: PayloadVault): Record<string, unknown> {
  // Early access and holdouts belong to other features of the project, which stay where they are.
  const { super_groups, holdout_groups, payloads, ...rest } = filters;
  if (!isObject(payloads)) return rest;
  const opened = Object.entries(payloads).map(([name, payload]) => [name, vault.open(team_id, payload)]);
  return { ...rest, payloads: Object.fromEntries(opened) };
}

type Mapping = ReadonlyMap<number, number>;

async function copyCohorts(tx: Db, flag: FeatureFlagRow, to: ProjectRow, user: AccountRow): Promise<Mapping> {
  const here = new Map((await listLiveCohorts(tx, flag.team_id)).map((cohort) => [cohort.id, cohort]));
  const there = new Map((await listLiveCohorts(tx, to.id)).map((cohort) => [cohort.name, cohort.id]));
  const copied = new Map<number, number>();

  const copy = async (id: number): Promise<void> => {
    const cohort = here.get(id);
    if (!cohort || copied.has(id)) return;
    for (const inner of listInnerCohorts(cohort.filters)) await copy(inner);
    copied.set(id, there.get(cohort.name) ?? (await insertCopy(tx, cohort, copied, to, user)));
  };
  for (const { type, value } of listFilters(flag.filters)) {
    const id = type === 'cohort' ? readCohortId(value) : undefined;
    if (id !== undefined) await copy(id);
  }
  return copied;
}

async function insertCopy(
  tx: Db,
  cohort: CohortRow,
  copied: Mapping,
  to: ProjectRow,
  user: AccountRow,
): Promise<number> {
  if (cohort.is_static) {
    throw invalid(
      `The static cohort "${cohort.name}" has people of its own project; make one of that name there first.`,
    );
  }
  const { id } = await tx
    .insertInto('cohort')
    .values({
      team_id: to.id,
      name: cohort.name,
      description: cohort.description,
      filters: JSON.stringify(withCohorts(cohort.filters ?? {}, copied)),
      created_by_id: user.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The same filters, with the ids that cohorts have in the other project. */
function withCohorts<T>(value: T, cohorts: Mapping): T {
  if (Array.isArray(value)) return value.map((each) => withCohorts(each, cohorts)) as T;
  if (!isObject(value)) return value;
  const id = value.type === 'cohort' ? cohorts.get(readCohortId(value.value) ?? 0) : undefined;
  const entries = Object.entries(value).map(([name, each]) => [name, withCohorts(each, cohorts)]);
  return { ...Object.fromEntries(entries), ...(id !== undefined && { value: id }) } as T;
}

/** What a failure is to whoever asked for the copy; anything unexpected goes on being thrown. */
export function toCopyFault(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  throw error;
}
