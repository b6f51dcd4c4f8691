// Statements about cohorts and who is in them.
import { type Kysely, sql } from 'kysely';
import type { CohortRow, CohortUpdate, Database } from '../metadata/tables.ts';
import { inTransaction } from '../metadata/transaction.ts';

export type Db = Kysely<Database>;

export function findCohort(db: Db, team_id: number, id: number): Promise<CohortRow | undefined> {
  return db.selectFrom('cohort').selectAll().where('team_id', '=', team_id).where('id', '=', id).executeTakeFirst();
}

/** Newest first. */
export function listLiveCohorts(db: Db, team_id: number): Promise<CohortRow[]> {
  return db
    .selectFrom('cohort')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('deleted', '=', false)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

type Draft = Omit<CohortUpdate, 'filters' | 'query'> & {
  filters?: Record<string, unknown> | null;
  query?: Record<string, unknown> | null;
};

const toColumns = ({ filters, query, ...columns }: Draft) => ({
  ...columns,
  ...(filters !== undefined && { filters: JSON.stringify(filters) }),
  ...(query !== undefined && { query: JSON.stringify(query) }),
});

export function insertCohort(db: Db, team_id: number, draft: Draft): Promise<CohortRow> {
  return db
    .insertInto('cohort')
    .values({ ...toColumns(draft), team_id, name: draft.name ?? null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function updateCohort(db: Db, id: number, changes: Draft): Promise<CohortRow> {
  return db
    .updateTable('cohort')
    .set({ ...toColumns(changes), team_id: sql`team_id` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Adds those of these ids that have a person; the others, a file's headline among them, are nobody. */
export async function addMembers(
  db: Db,
  { id, team_id }: Pick<CohortRow, 'id' | 'team_id'>,
  distinct_ids: readonly string[],
): Promise<void> {
  await sql`
    insert into cohort_member (team_id, cohort_id, distinct_id)
    select team_id, ${id}, distinct_id from person_distinct_id
     where team_id = ${team_id} and distinct_id = any(${[...distinct_ids]}::text[])
        on conflict do nothing`.execute(db);
}

export async function addMembersByUuid(
  db: Db,
  { id, team_id }: Pick<CohortRow, 'id' | 'team_id'>,
  uuids: readonly string[],
): Promise<void> {
  await sql`
    insert into cohort_member (team_id, cohort_id, distinct_id)
    select team_id, ${id}, min(distinct_id) from person_distinct_id
     where team_id = ${team_id} and person_uuid = any(${[...uuids]}::uuid[])
     group by team_id, person_uuid
        on conflict do nothing`.execute(db);
}

const CHUNK = 10_000;

/** From now on exactly these persons are in it. Whoever reads meanwhile sees those before, or these. */
export function replaceMembers(
  db: Db,
  cohort: Pick<CohortRow, 'id' | 'team_id'>,
  uuids: readonly string[],
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const before = await listMemberUuids(tx, cohort);
    const gone = [...new Set(before).difference(new Set(uuids))];
    const come = [...new Set(uuids).difference(new Set(before))];
    for (let from = 0; from < gone.length; from += CHUNK) {
      await removeMembers(tx, cohort, gone.slice(from, from + CHUNK));
    }
    for (let from = 0; from < come.length; from += CHUNK) {
      await addMembersByUuid(tx, cohort, come.slice(from, from + CHUNK));
    }
  });
}

async function removeMembers(
  tx: Db,
  { id, team_id }: Pick<CohortRow, 'id' | 'team_id'>,
  uuids: readonly string[],
): Promise<void> {
  await sql`
    delete from cohort_member as member using person_distinct_id as own
     where member.team_id = ${team_id} and cohort_id = ${id} and own.team_id = member.team_id
       and own.distinct_id = member.distinct_id and person_uuid = any(${[...uuids]}::uuid[])`.execute(tx);
}

/** The persons with kept membership, each once however many of their ids are in it. */
export async function listMemberUuids(db: Db, { id, team_id }: Pick<CohortRow, 'id' | 'team_id'>): Promise<string[]> {
  const { rows } = await sql<{ person_uuid: string }>`
    select distinct person_uuid from cohort_member join person_distinct_id using (team_id, distinct_id)
     where team_id = ${team_id} and cohort_id = ${id} order by person_uuid`.execute(db);
  return rows.map(({ person_uuid }) => person_uuid);
}
