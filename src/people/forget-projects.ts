// What a deleted project leaves behind, its people and its events, is removed in the background: there may be millions.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../metadata/tables.ts';
import type { Logger } from '../platform/logger.ts';
import { periodically, type Repeated } from '../platform/periodically.ts';
import type { EventStore } from '../store/open.ts';
import { deleteRowsOfTeam } from '../store/tables/delete-rows.ts';

export interface ForgetParts {
  db: Kysely<Database>;
  store: EventStore;
  /** The name of the ClickHouse cluster; empty for one machine. */
  cluster: string;
  log: Logger;
}

const LOOK_EVERY_MS = 60_000;
/** Events that were accepted before are on their way for some time; after this none comes any more. */
const SETTLED_AFTER_MS = 10 * 60_000;
/** Few enough for the locks not to be noticed. */
const ROWS_AT_ONCE = 10_000;

/** Tables without a foreign key to the project, which would cost every event. */
const TABLES = [
  'person',
  'person_distinct_id',
  'personless_id',
  'person_tombstone',
  'distinct_id_tombstone',
  'groups',
  'group_type',
  'event_definition',
  'property_definition',
  'event_property',
  'ingestion_count',
] as const;

export function startForgetting(parts: ForgetParts): Repeated {
  const turn = async (signal: AbortSignal) => {
    while (!signal.aborted && (await forgetNext(parts, SETTLED_AFTER_MS, signal)));
  };
  return periodically(LOOK_EVERY_MS, turn, { log: parts.log, what: 'removing what deleted projects left' });
}

/** Removes what one deleted project left; says whether there was one. Doing it twice, or half, does no harm. */
export async function forgetNext({ db, store, cluster, log }: ForgetParts, afterMs: number, signal?: AbortSignal) {
  const due = await db
    .selectFrom('deleted_project')
    .select('id')
    .where('forgotten_at', 'is', null)
    .where('deleted_at', '<', sql<string>`clock_timestamp() - ${afterMs} * interval '1 millisecond'`)
    .orderBy('deleted_at')
    .limit(1)
    .executeTakeFirst();
  if (!due) return false;
  for (const table of TABLES) {
    while (!signal?.aborted && (await deleteSome(db, table, due.id)) === ROWS_AT_ONCE);
  }
  if (signal?.aborted) return false;
  await deleteRowsOfTeam(store.client, due.id, cluster);
  await db
    .updateTable('deleted_project')
    .set({ forgotten_at: sql`clock_timestamp()` })
    .where('id', '=', due.id)
    .execute();
  log.info({ project: due.id }, 'everything of a deleted project is removed');
  return true;
}

async function deleteSome(db: Kysely<Database>, table: (typeof TABLES)[number], id: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where team_id = ${id} limit ${ROWS_AT_ONCE}))`.execute(db);
  return Number(numAffectedRows);
}
