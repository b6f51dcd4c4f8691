// What PostgreSQL knows about the people and groups that a batch mentions: a few statements for all of them.
import type { Pool, PoolClient } from 'pg';
import { type JsonObject, parseExact } from '../capture/exact-json.ts';
import type { StoredGroup } from './group-ledger.ts';
import type { Person } from './merge-persons.ts';
import type { DistinctId, StoredPeople } from './people-ledger.ts';
import { personUuid } from './person-uuid.ts';
import type { Mentioned } from './settle-batch.ts';

type Queryable = Pool | PoolClient;

const MICROS = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`;

interface IdRow extends DistinctId {
  team_id: number;
}

/** Every project that is mentioned gets an answer, if only an empty one. */
export async function loadPeople(
  db: Queryable,
  mentioned: ReadonlyMap<number, Mentioned>,
): Promise<Map<number, Required<StoredPeople>>> {
  const found = new Map<number, Required<StoredPeople>>();
  for (const team_id of mentioned.keys()) {
    found.set(team_id, { persons: [], distinct_ids: [], personless: [], uuids: [], former_ids: [] });
  }
  if (mentioned.size === 0) return found;
  const ids = await loadIds(
    db,
    pairsOf(mentioned, ({ ids, linked }) => ids.union(linked)),
  );
  const linked = ids.filter(({ team_id, distinct_id }) => mentioned.get(team_id)!.linked.has(distinct_id));
  const rows = linked.length === 0 ? ids : await withSiblings(db, ids, linked);
  for (const { team_id, distinct_id, person_uuid, version } of rows) {
    found.get(team_id)!.distinct_ids.push({ distinct_id, person_uuid, version });
  }
  await Promise.all([loadPersons(db, rows, found), loadUnknown(db, mentioned, found)]);
  return found;
}

/** Ids as two lists of the same length, as `unnest` takes them. */
type Pairs = [team_ids: number[], texts: string[]];

function pairsOf(mentioned: ReadonlyMap<number, Mentioned>, pick: (of: Mentioned) => Iterable<string>): Pairs {
  const pairs: Pairs = [[], []];
  for (const [team_id, of] of mentioned) {
    for (const text of pick(of)) {
      pairs[0].push(team_id);
      pairs[1].push(text);
    }
  }
  return pairs;
}

async function loadIds(db: Queryable, pairs: Pairs): Promise<IdRow[]> {
  const { rows } = await db.query<IdRow>(
    `select id.team_id, id.distinct_id, id.person_uuid, id.version
       from unnest($1::integer[], $2::text[]) as mentioned (team_id, distinct_id)
       join person_distinct_id as id using (team_id, distinct_id)`,
    pairs,
  );
  return rows;
}

/** All ids of the persons who may be merged, for they move together. */
async function withSiblings(db: Queryable, ids: IdRow[], linked: IdRow[]): Promise<IdRow[]> {
  const persons = new Map(linked.map((row) => [`${row.team_id} ${row.person_uuid}`, row]));
  const { rows } = await db.query<IdRow>(
    `select id.team_id, id.distinct_id, id.person_uuid, id.version
       from unnest($1::integer[], $2::uuid[]) as linked (team_id, person_uuid)
       join person_distinct_id as id using (team_id, person_uuid)`,
    [[...persons.values()].map((row) => row.team_id), [...persons.values()].map((row) => row.person_uuid)],
  );
  const all = new Map(ids.concat(rows).map((row) => [`${row.team_id} ${row.distinct_id}`, row]));
  return [...all.values()];
}

type PersonRow = Omit<Person, 'properties'> & { team_id: number; properties: string };

async function loadPersons(db: Queryable, ids: IdRow[], found: Map<number, StoredPeople>): Promise<void> {
  const persons = new Map(ids.map((row) => [`${row.team_id} ${row.person_uuid}`, row]));
  if (persons.size === 0) return;
  const { rows } = await db.query<PersonRow>(
    `select person.team_id, person.uuid, ${MICROS('person.created_at')} as created_at,
            person.properties::text as properties, person.is_identified, person.version
       from unnest($1::integer[], $2::uuid[]) as wanted (team_id, uuid)
       join person using (team_id, uuid)`,
    [[...persons.values()].map((row) => row.team_id), [...persons.values()].map((row) => row.person_uuid)],
  );
  for (const { team_id, properties, ...person } of rows) {
    found.get(team_id)!.persons.push({ ...person, properties: parseExact(properties) as JsonObject });
  }
}

/** About ids without a row: whether they were seen without a person, and what there was under their names before. */
async function loadUnknown(
  db: Queryable,
  mentioned: ReadonlyMap<number, Mentioned>,
  found: Map<number, Required<StoredPeople>>,
): Promise<void> {
  const known = new Map(
    [...found].map(([team_id, { distinct_ids }]) => [team_id, new Set(distinct_ids.map((row) => row.distinct_id))]),
  );
  const unknown = new Map<number, Set<string>>();
  for (const [team_id, { ids, linked }] of mentioned)
    unknown.set(team_id, ids.union(linked).difference(known.get(team_id)!));
  const team_ids: number[] = [];
  const texts: string[] = [];
  const uuids: string[] = [];
  for (const [team_id, distinct_ids] of unknown) {
    for (const distinct_id of distinct_ids) {
      team_ids.push(team_id);
      texts.push(distinct_id);
      uuids.push(personUuid(team_id, distinct_id));
    }
  }
  if (texts.length === 0) return;
  const { rows } = await db.query<{
    team_id: number;
    distinct_id: string;
    uuid: string;
    personless: boolean;
    former_id: number | null;
    former_person: number | null;
    taken: boolean;
  }>(
    `select team_id, distinct_id, uuid,
            personless_id.team_id is not null as personless, former_id.version as former_id,
            former_person.version as former_person, person.id is not null as taken
       from unnest($1::integer[], $2::text[], $3::uuid[]) as unknown (team_id, distinct_id, uuid)
       left join personless_id using (team_id, distinct_id)
       left join distinct_id_tombstone as former_id using (team_id, distinct_id)
       left join person_tombstone as former_person using (team_id, uuid)
       left join person using (team_id, uuid)
      where num_nonnulls(personless_id.team_id, former_id.version, former_person.version, person.id) > 0`,
    [team_ids, texts, uuids],
  );
  for (const row of rows) {
    const people = found.get(row.team_id)!;
    if (row.personless) people.personless.push(row.distinct_id);
    if (row.former_id !== null) people.former_ids.push({ distinct_id: row.distinct_id, version: row.former_id });
    if (row.former_person !== null || row.taken) {
      people.uuids.push({ uuid: row.uuid, version: row.former_person ?? 0, taken: row.taken });
    }
  }
}

type GroupRow = Omit<StoredGroup, 'properties'> & { team_id: number; properties: string };

/** Groups that the batch changes. `typesOf` gives a project's group types; a type without a number has no groups yet. */
export async function loadGroups(
  db: Queryable,
  mentioned: ReadonlyMap<number, Mentioned>,
  typesOf: (team_id: number) => ReadonlyMap<string, number>,
): Promise<Map<number, StoredGroup[]>> {
  const wanted: [number[], number[], string[]] = [[], [], []];
  for (const [team_id, { groups }] of mentioned) {
    for (const [group_type, keys] of groups) {
      const index = typesOf(team_id).get(group_type);
      if (index === undefined) continue;
      for (const key of keys) {
        wanted[0].push(team_id);
        wanted[1].push(index);
        wanted[2].push(key);
      }
    }
  }
  const found = new Map<number, StoredGroup[]>();
  if (wanted[2].length === 0) return found;
  const { rows } = await db.query<GroupRow>(
    `select groups.team_id, groups.group_type_index, groups.group_key, groups.properties::text as properties,
            ${MICROS('groups.created_at')} as created_at, groups.version
       from unnest($1::integer[], $2::smallint[], $3::text[]) as wanted (team_id, group_type_index, group_key)
       join groups using (team_id, group_type_index, group_key)`,
    wanted,
  );
  for (const { team_id, properties, ...group } of rows) {
    const groups = found.get(team_id) ?? [];
    groups.push({ ...group, properties: parseExact(properties) as JsonObject });
    found.set(team_id, groups);
  }
  return found;
}
