import { type Kysely, sql } from 'kysely';
import type { Database, PersonalApiKeyRow } from '../../metadata/tables.ts';
import { inTransaction } from '../../metadata/transaction.ts';
import { digestKey, maskKey, newKeyId, newPersonalApiKey } from '../access/credentials.ts';

type Db = Kysely<Database>;
export const KEYS_PER_USER_MAX = 10;

export function listKeys(db: Db, user_id: number): Promise<PersonalApiKeyRow[]> {
  return db
    .selectFrom('personal_api_key')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export function findKey(db: Db, user_id: number, id: string): Promise<PersonalApiKeyRow | undefined> {
  return db
    .selectFrom('personal_api_key')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

export interface KeyDraft {
  label: string;
  scopes: string[];
  scoped_teams?: number[];
  scoped_organizations?: string[];
}

/** Makes a key, unless the user has as many as allowed; the value is returned here and never again. */
export function insertKey(
  db: Db,
  user_id: number,
  draft: KeyDraft,
  value = newPersonalApiKey(),
): Promise<{ key: PersonalApiKeyRow; value: string } | 'too many'> {
  return inTransaction(db, async (tx) => {
    // One key at a time per user, so that two requests at once cannot both take the last place.
    await tx.selectFrom('account').select('id').where('id', '=', user_id).forUpdate().execute();
    if ((await listKeys(tx, user_id)).length >= KEYS_PER_USER_MAX) return 'too many';
    const key = await tx
      .insertInto('personal_api_key')
      .values({ ...draft, id: newKeyId(), user_id, secure_value: digestKey(value), mask_value: maskKey(value) })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { key, value };
  });
}

export function updateKey(db: Db, id: string, changes: Partial<KeyDraft>): Promise<PersonalApiKeyRow> {
  return db
    .updateTable('personal_api_key')
    .set({ id, ...changes })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Gives a key another value; the old one stops working at once. */
export async function rollKey(db: Db, id: string): Promise<{ key: PersonalApiKeyRow; value: string }> {
  const value = newPersonalApiKey();
  const key = await db
    .updateTable('personal_api_key')
    .set({ secure_value: digestKey(value), mask_value: maskKey(value), last_rolled_at: sql`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { key, value };
}

export async function deleteKey(db: Db, id: string): Promise<void> {
  await db.deleteFrom('personal_api_key').where('id', '=', id).execute();
}

/** How many of these projects, and of these organizations, the user belongs to. */
export async function countAccessible(
  db: Db,
  user_id: number,
  teams: readonly number[],
  organizations: readonly string[],
): Promise<{ teams: number; organizations: number }> {
  const { rows } = await sql<{ teams: number; organizations: number }>`
    select (select count(*)::int from project join membership using (organization_id)
             where membership.user_id = ${user_id} and project.id = any(${[...teams]}::int[])) as teams,
           (select count(*)::int from membership
             where user_id = ${user_id} and organization_id = any(${[...organizations]}::uuid[])) as organizations
  `.execute(db);
  return rows[0] ?? { teams: 0, organizations: 0 };
}
