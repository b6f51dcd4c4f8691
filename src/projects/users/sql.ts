import { type Kysely, sql } from 'kysely';
import type { AccountRow, Database, ProjectRow } from '../../metadata/tables.ts';
import { randomText } from '../../platform/random.ts';

type Db = Kysely<Database>;

export interface NewUser {
  email: string;
  password_hash: string | null;
  first_name?: string;
  role_at_organization?: string | null;
}

export function insertAccount(db: Db, user: NewUser): Promise<AccountRow> {
  return db
    .insertInto('account')
    .values({ ...user, distinct_id: randomText(32) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export type AccountChange = Partial<
  Pick<AccountRow, 'first_name' | 'last_name' | 'email' | 'role_at_organization' | 'password_hash'>
> &
  Partial<Pick<AccountRow, 'current_organization_id' | 'current_project_id'>> & {
    hedgehog_config?: Record<string, unknown> | null;
    preferences?: Record<string, unknown>;
  };

export function updateAccount(db: Db, id: number, change: AccountChange): Promise<AccountRow> {
  const { hedgehog_config, preferences = {}, ...columns } = change;
  return db
    .updateTable('account')
    .set({
      ...columns,
      ...(hedgehog_config !== undefined && { hedgehog_config: sql`${JSON.stringify(hedgehog_config)}::jsonb` }),
      preferences: sql`preferences || ${JSON.stringify(preferences)}::jsonb`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function listProjectsOf(db: Db, organization_id: string | null): Promise<ProjectRow[]> {
  if (organization_id === null) return Promise.resolve([]);
  return db.selectFrom('project').selectAll().where('organization_id', '=', organization_id).orderBy('id').execute();
}

export function findProject(db: Db, id: number): Promise<ProjectRow | undefined> {
  return db.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirst();
}

/** PostgreSQL's word for a second row where only one may be: here, a second account with one e-mail. */
export const isDuplicate = (error: unknown) => (error as { code?: string }).code === '23505';
