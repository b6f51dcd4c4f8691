// Changes to people that come from their project's own people instead of from events. The pipeline is told: it forgets
// what it remembers of them, and brings the change to the event store as part of its own sequence of batches.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../metadata/tables.ts';
import { inTransaction } from '../metadata/transaction.ts';
import type { Errand } from './errand.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/** A deleted row's version is far above any that a late update may still carry. */
const TOMBSTONE_VERSION = 100;

/** Deletes persons with their ids; their events stay, unless asked for. Returns how many of them there were. */
export function deletePersons(
  db: Db,
  team_id: number,
  uuids: readonly string[],
  { delete_events = false }: { delete_events?: boolean } = {},
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const insertedAt = await announceChange(tx);
    const persons = await tx
      .deleteFrom('person')
      .where('team_id', '=', team_id)
      .where(sql<boolean>`uuid = any(${[...uuids]}::uuid[])`)
      .returning(['uuid', 'version', 'is_identified'])
      .execute();
    const found = persons.map(({ uuid }) => uuid);
    const ids = await tx
      .deleteFrom('person_distinct_id')
      .where('team_id', '=', team_id)
      .where(sql<boolean>`person_uuid = any(${found}::uuid[])`)
      .returning(['distinct_id', 'person_uuid', 'version'])
      .execute();
    if (persons.length === 0) return 0;
    const deadPersons = persons.map((row) => ({ ...row, version: row.version + TOMBSTONE_VERSION }));
    const deadIds = ids.map((row) => ({ ...row, version: row.version + TOMBSTONE_VERSION }));
    await buryPersons(tx, team_id, deadPersons);
    await buryIds(tx, team_id, deadIds);
    await leaveErrand(tx, insertedAt, {
      team_id,
      persons: deadPersons.map(({ uuid, version }) => ({ uuid, version, deleted: true })),
      distinct_ids: deadIds.map((row) => ({ ...row, deleted: true })),
      delete_events_of: delete_events ? found : [],
    });
    return persons.length;
  });
}

/**
 * Gives each of these ids of a person a person of its own, without properties. Events follow their ids. Returns the new
 * persons' uuids by id; an id that is not the person's, or not any more, is left alone, and so is the last one.
 */
export function splitPerson(
  db: Db,
  team_id: number,
  uuid: string,
  distinct_ids: readonly string[],
): Promise<Map<string, string>> {
  return inTransaction(db, async (tx) => {
    const insertedAt = await announceChange(tx);
    const person = await tx
      .selectFrom('person')
      .selectAll()
      .where('team_id', '=', team_id)
      .where('uuid', '=', uuid)
      .forUpdate()
      .executeTakeFirst();
    const ids = await tx
      .selectFrom('person_distinct_id')
      .select(['distinct_id', 'version'])
      .where('team_id', '=', team_id)
      .where('person_uuid', '=', uuid)
      .orderBy('distinct_id')
      .execute();
    const others = ids.filter(({ distinct_id }) => distinct_ids.includes(distinct_id));
    if (!person || others.length === 0 || others.length === ids.length) return new Map();
    // Above whatever version the event store has seen of a person by that name.
    const made = await sql<{ distinct_id: string; uuid: string; version: number; created_at: string }>`
      with made as (
        select distinct_id, gen_random_uuid() as uuid
          from unnest(${others.map(({ distinct_id }) => distinct_id)}::text[]) as other (distinct_id)
      ), inserted as (
        insert into person (team_id, uuid, created_at, properties, is_identified, version)
        select ${team_id}, uuid, ${person.created_at}::timestamptz, '{}', false, 0 from made
      )
      select distinct_id, uuid, 0::bigint as version from made`.execute(tx);
    const newPersons = new Map(made.rows.map((row) => [row.distinct_id, row.uuid]));
    const moved = others.map(({ distinct_id, version }) => ({
      distinct_id,
      person_uuid: newPersons.get(distinct_id)!,
      version: version + TOMBSTONE_VERSION + 1,
    }));
    await sql`
      update person_distinct_id as id
         set person_uuid = moved.person_uuid, version = moved.version
        from unnest(${moved.map((row) => row.distinct_id)}::text[], ${moved.map((row) => row.person_uuid)}::uuid[],
                    ${moved.map((row) => row.version)}::bigint[]) as moved (distinct_id, person_uuid, version)
       where id.team_id = ${team_id} and id.distinct_id = moved.distinct_id`.execute(tx);
    await leaveErrand(tx, insertedAt, {
      team_id,
      persons: moved.map(({ person_uuid }) => ({
        uuid: person_uuid,
        version: 0,
        deleted: false,
        created_at: person.created_at,
      })),
      distinct_ids: moved.map((row) => ({ ...row, deleted: false })),
      delete_events_of: [],
    });
    return newPersons;
  });
}

/**
 * Takes the clock's row first: a pipeline that is writing a batch finishes it before, and reads anew after.
 * The answer is the change's place in the sequence of batches.
 */
async function announceChange(tx: Tx): Promise<number> {
  const { inserted_at } = await tx
    .updateTable('ingestion_clock')
    .set({
      inserted_at: sql<number>`greatest(inserted_at + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)`,
      people_changes: sql<number>`people_changes + 1`,
    })
    .returning('inserted_at')
    .executeTakeFirstOrThrow();
  return inserted_at;
}

async function leaveErrand(tx: Tx, inserted_at: number, errand: Errand): Promise<void> {
  await tx
    .insertInto('ingestion_batch')
    .values({ inserted_at, positions: '[]', before: null, errand: JSON.stringify(errand), counts: '[]' })
    .execute();
}

async function buryPersons(tx: Tx, team_id: number, persons: { uuid: string; version: number }[]): Promise<void> {
  await sql`
    insert into person_tombstone (team_id, uuid, version)
    select ${team_id}, uuid, version
      from unnest(${persons.map((row) => row.uuid)}::uuid[], ${persons.map((row) => row.version)}::bigint[])
        as dead (uuid, version)
        on conflict (team_id, uuid) do update set version = greatest(person_tombstone.version, excluded.version)`.execute(
    tx,
  );
}

async function buryIds(tx: Tx, team_id: number, ids: { distinct_id: string; version: number }[]): Promise<void> {
  await sql`
    insert into distinct_id_tombstone (team_id, distinct_id, version)
    select ${team_id}, distinct_id, version
      from unnest(${ids.map((row) => row.distinct_id)}::text[], ${ids.map((row) => row.version)}::bigint[])
        as dead (distinct_id, version)
        on conflict (team_id, distinct_id) do update
           set version = greatest(distinct_id_tombstone.version, excluded.version)`.execute(tx);
}
