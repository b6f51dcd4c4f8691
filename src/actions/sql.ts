// Statements about actions.
import { type Kysely, sql } from 'kysely';
import type { Page } from '../http/paging.ts';
import type { AccountRow, Database } from '../metadata/tables.ts';
import type { ActionRow, ActionUpdate } from '../metadata/tables-query.ts';

export type Db = Kysely<Database>;

export async function listActions(db: Db, team_id: number, { limit, offset }: Page) {
  const live = db.selectFrom('action').where('team_id', '=', team_id).where('deleted', '=', false);
  const { count } = await live.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  const rows = await live.selectAll().orderBy('name').orderBy('id').limit(limit).offset(offset).execute();
  return { count: Number(count), rows };
}

export function findAction(db: Db, team_id: number, id: number): Promise<ActionRow | undefined> {
  return db.selectFrom('action').selectAll().where('team_id', '=', team_id).where('id', '=', id).executeTakeFirst();
}

/** Whether another live action of the project has the name. */
export async function isNameTaken(db: Db, team_id: number, name: string, except: number | undefined): Promise<boolean> {
  const found = await db
    .selectFrom('action')
    .select('id')
    .where('team_id', '=', team_id)
    .where('name', '=', name)
    .where('deleted', '=', false)
    .where('id', '!=', except ?? 0)
    .executeTakeFirst();
  return found !== undefined;
}

export function insertAction(
  db: Db,
  draft: ActionUpdate & { team_id: number; created_by_id: number },
): Promise<ActionRow> {
  const { name = null, ...columns } = draft;
  return db
    .insertInto('action')
    .values({ ...columns, name })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function updateAction(db: Db, id: number, changes: ActionUpdate): Promise<ActionRow> {
  return db
    .updateTable('action')
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The people behind ids, by id. */
export async function findAuthors(db: Db, ids: readonly (number | null)[]): Promise<Map<number, AccountRow>> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return new Map();
  const rows = await db.selectFrom('account').selectAll().where('id', 'in', known).execute();
  return new Map(rows.map((account) => [account.id, account]));
}
