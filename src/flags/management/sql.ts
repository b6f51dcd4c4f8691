// Statements about flags. Every change keeps the version that came of it, and tells who made it.
import { type Kysely, sql } from 'kysely';
import type { AccountRow, CohortRow, Database, FeatureFlagRow, FeatureFlagUpdate } from '../../metadata/tables.ts';
import { recordActivity } from '../activity.ts';

export type Db = Kysely<Database>;

export function findFlag(db: Db, team_id: number, id: number): Promise<FeatureFlagRow | undefined> {
  return db
    .selectFrom('feature_flag')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The flag, which nobody else changes until the transaction ends. */
export function lockFlag(tx: Db, team_id: number, id: number): Promise<FeatureFlagRow | undefined> {
  return tx
    .selectFrom('feature_flag')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export function findFlagByKey(db: Db, team_id: number, key: string): Promise<FeatureFlagRow | undefined> {
  return db
    .selectFrom('feature_flag')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('key', '=', key)
    .where('deleted', '=', false)
    .executeTakeFirst();
}

/** All that are not deleted, newest first. */
export function listLiveFlags(db: Db, team_id: number): Promise<FeatureFlagRow[]> {
  return db
    .selectFrom('feature_flag')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('deleted', '=', false)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export interface FlagDraft {
  team_id: number;
  key: string;
  filters: Record<string, unknown>;
  created_by_id: number | null;
}

export async function insertFlag(tx: Db, { filters, ...draft }: FlagDraft & Omit<FeatureFlagUpdate, 'filters'>) {
  const flag = await tx
    .insertInto('feature_flag')
    .values({ ...draft, filters: JSON.stringify(filters), last_modified_by_id: draft.created_by_id })
    .returningAll()
    .executeTakeFirstOrThrow();
  await keepVersion(tx, flag);
  return flag;
}

export type FlagChanges = Omit<FeatureFlagUpdate, 'filters'> & { filters?: Record<string, unknown> };

export async function updateFlag(tx: Db, id: number, user_id: number | null, { filters, ...changes }: FlagChanges) {
  const flag = await tx
    .updateTable('feature_flag')
    .set({
      ...changes,
      ...(filters && { filters: JSON.stringify(filters) }),
      version: sql`version + 1`,
      last_modified_by_id: user_id,
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await keepVersion(tx, flag);
  return flag;
}

async function keepVersion(tx: Db, flag: FeatureFlagRow): Promise<void> {
  await sql`
    insert into feature_flag_version (flag_id, version, changed_by_id, flag)
    select id, version, last_modified_by_id, to_jsonb(feature_flag) from feature_flag where id = ${flag.id}
  `.execute(tx);
}

export async function listVersions(db: Db, flag_id: number, { limit, offset }: { limit: number; offset: number }) {
  const versions = db.selectFrom('feature_flag_version').where('flag_id', '=', flag_id);
  const { count } = await versions.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  const rows = await versions.selectAll().orderBy('version', 'desc').limit(limit).offset(offset).execute();
  return { count, rows };
}

export function listLiveCohorts(db: Db, team_id: number): Promise<CohortRow[]> {
  return db.selectFrom('cohort').selectAll().where('team_id', '=', team_id).where('deleted', '=', false).execute();
}

export function listEarlyAccessOf(db: Db, team_id: number) {
  return db
    .selectFrom('early_access_feature')
    .select(['id', 'name', 'description', 'stage', 'documentation_url', 'feature_flag_id'])
    .where('team_id', '=', team_id)
    .execute();
}

export async function findAuthors(db: Db, ids: readonly (number | null)[]): Promise<Map<number, AccountRow>> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return new Map();
  const rows = await db.selectFrom('account').selectAll().where('id', 'in', known).execute();
  return new Map(rows.map((account) => [account.id, account]));
}

const LOGGED_FIELDS = [
  'key',
  'name',
  'filters',
  'active',
  'deleted',
  'ensure_experience_continuity',
  'tags',
  'evaluation_runtime',
  'evaluation_contexts',
  'bucketing_identifier',
] as const;

/** Who changed what, field by field. Belongs into the transaction of the change. */
export function recordFlagActivity(
  tx: Db,
  user_id: number | null,
  before: FeatureFlagRow | undefined,
  after: FeatureFlagRow,
): Promise<void> {
  const { id, team_id, key: name } = after;
  return recordActivity(tx, { scope: 'FeatureFlag', team_id, user_id, id, name, before, after, fields: LOGGED_FIELDS });
}
