// Queries that run while nobody waits: what is known about each, in the database, so that any process can tell.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../metadata/tables.ts';
import type { QueryRunRow } from '../metadata/tables-query.ts';

type Db = Kysely<Database>;

export interface RunDraft {
  id: string;
  team_id: number;
  insight_id?: number | null | undefined;
  dashboard_id?: number | null | undefined;
  /** Of what is computed, by which the engine tells how far it is. */
  cache_key: string;
}

/** Undefined when one with this id is under way already. One that has ended begins anew. */
export async function startRun(db: Db, draft: RunDraft): Promise<QueryRunRow | undefined> {
  const { id, team_id, insight_id = null, dashboard_id = null, cache_key } = draft;
  const { rows } = await sql<QueryRunRow>`
    insert into query_run (id, team_id, insight_id, dashboard_id, cache_key, picked_up_at)
    values (${id}, ${team_id}, ${insight_id}, ${dashboard_id}, ${cache_key}, now())
        on conflict (team_id, id) do update
       set cache_key = excluded.cache_key, started_at = now(), picked_up_at = now(), ended_at = null, is_cancelled = false, error_status = null,
           error_message = null, answer = null, expires_at = now() + interval '1 hour'
     where query_run.ended_at is not null
    returning *`.execute(db);
  return rows[0];
}

export function findRun(db: Db, team_id: number, id: string): Promise<QueryRunRow | undefined> {
  return db
    .selectFrom('query_run')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst();
}

type Ending = { answer: string } | { error_status: number; error_message: string };

export async function endRun(db: Db, team_id: number, id: string, ending: Ending): Promise<void> {
  await db
    .updateTable('query_run')
    .set({ ...ending, ended_at: sql<string>`now()` })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
}

/** Whoever runs it looks for this. */
export async function cancelRun(db: Db, team_id: number, id: string): Promise<void> {
  await db
    .updateTable('query_run')
    .set({ is_cancelled: true })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .execute();
}

/** Those of these that somebody wants stopped. */
export async function listCancelled(db: Db, ids: readonly string[]): Promise<{ team_id: number; id: string }[]> {
  const { rows } = await sql<{ team_id: number; id: string }>`
    select team_id, id from query_run
     where id = any(${[...ids]}::text[]) and is_cancelled and ended_at is null`.execute(db);
  return rows;
}
