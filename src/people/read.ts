// What others may ask about people, groups and definitions. Every question is bound to one project.
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type {
  Database,
  EventDefinitionRow,
  GroupsRow,
  GroupTypeRow,
  PropertyDefinitionRow,
  PropertyKindNumber,
  Timestamp,
} from '../metadata/tables.ts';

type Db = Kysely<Database>;

export interface PersonWithIds {
  id: number;
  team_id: number;
  uuid: string;
  created_at: Timestamp;
  properties: Record<string, unknown>;
  is_identified: boolean;
  version: number;
  /** Sorted, so that an answer does not change by itself. */
  distinct_ids: string[];
}

export interface PersonFilter {
  /** Finds part of an id, of the e-mail address or of the name, in any case. */
  search?: string;
  distinct_id?: string;
  email?: string;
  uuids?: readonly string[];
  /** Properties with exactly these values. */
  properties?: Record<string, unknown>;
}

/** Newest first. A cursor is where the page before ended; an offset is for clients that count. */
export interface PersonPage {
  limit: number;
  offset?: number;
  after?: { created_at: Timestamp; id: number };
}

export async function findPersonByUuid(db: Db, team_id: number, uuid: string): Promise<PersonWithIds | undefined> {
  const [person] = await withIds(db, persons(db, team_id).where('uuid', '=', uuid));
  return person;
}

export async function findPersonById(db: Db, team_id: number, id: number): Promise<PersonWithIds | undefined> {
  const [person] = await withIds(db, persons(db, team_id).where('id', '=', id));
  return person;
}

export async function findPersonByDistinctId(
  db: Db,
  team_id: number,
  distinct_id: string,
): Promise<PersonWithIds | undefined> {
  const [person] = await listPersons(db, team_id, { distinct_id }, { limit: 1 });
  return person;
}

export function listPersons(db: Db, team_id: number, filter: PersonFilter, page: PersonPage): Promise<PersonWithIds[]> {
  let query = filtered(persons(db, team_id), team_id, filter);
  if (page.after) {
    const { created_at, id } = page.after;
    query = query.where(sql<boolean>`(created_at, id) < (${created_at}::timestamptz, ${id}::bigint)`);
  }
  query = query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(page.limit);
  return withIds(db, page.offset ? query.offset(page.offset) : query);
}

export async function countPersons(db: Db, team_id: number, filter: PersonFilter): Promise<number> {
  const { count } = await filtered(persons(db, team_id), team_id, filter)
    .clearSelect()
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The persons that now have these ids; ids without one are missing. */
export async function findPersonsOfIds(
  db: Db,
  team_id: number,
  distinct_ids: readonly string[],
): Promise<Map<string, PersonWithIds>> {
  const rows = await db
    .selectFrom('person_distinct_id')
    .select(['distinct_id', 'person_uuid'])
    .where('team_id', '=', team_id)
    .where('distinct_id', '=', sql<string>`any(${[...distinct_ids]}::text[])`)
    .execute();
  const uuids = [...new Set(rows.map(({ person_uuid }) => person_uuid))];
  const found = await listPersons(db, team_id, { uuids }, { limit: uuids.length });
  const byUuid = new Map(found.map((person) => [person.uuid, person]));
  return new Map(
    rows.flatMap(({ distinct_id, person_uuid }): [string, PersonWithIds][] => {
      const person = byUuid.get(person_uuid);
      return person ? [[distinct_id, person]] : [];
    }),
  );
}

export function listGroupTypes(db: Db, team_id: number): Promise<GroupTypeRow[]> {
  return db.selectFrom('group_type').selectAll().where('team_id', '=', team_id).orderBy('group_type_index').execute();
}

export interface GroupFilter {
  group_type_index: number;
  /** Finds part of the key or of the group's name, in any case. */
  search?: string;
}

/** In the order of their keys. */
export function listGroups(
  db: Db,
  team_id: number,
  { group_type_index, search }: GroupFilter,
  { limit, after }: { limit: number; after?: string },
): Promise<GroupsRow[]> {
  let query = db
    .selectFrom('groups')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('group_type_index', '=', group_type_index);
  if (search) {
    const pattern = likePattern(search);
    query = query.where(sql<boolean>`(group_key ilike ${pattern} or properties->>'name' ilike ${pattern})`);
  }
  if (after !== undefined) query = query.where('group_key', '>', after);
  return query.orderBy('group_key').limit(limit).execute();
}

export function findGroup(
  db: Db,
  team_id: number,
  group_type_index: number,
  group_key: string,
): Promise<GroupsRow | undefined> {
  return db
    .selectFrom('groups')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('group_type_index', '=', group_type_index)
    .where('group_key', '=', group_key)
    .executeTakeFirst();
}

export interface DefinitionFilter {
  search?: string;
  names?: readonly string[];
}

export function listEventDefinitions(
  db: Db,
  team_id: number,
  filter: DefinitionFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<EventDefinitionRow[]> {
  return named(db.selectFrom('event_definition').selectAll().where('team_id', '=', team_id), filter)
    .orderBy('name')
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countEventDefinitions(db: Db, team_id: number, filter: DefinitionFilter): Promise<number> {
  const { count } = await named(db.selectFrom('event_definition').where('team_id', '=', team_id), filter)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export interface PropertyDefinitionFilter extends DefinitionFilter {
  kind: PropertyKindNumber;
  group_type_index?: number;
  /** Only properties that were seen on one of these events. */
  event_names?: readonly string[];
  is_numerical?: boolean;
}

export function listPropertyDefinitions(
  db: Db,
  team_id: number,
  filter: PropertyDefinitionFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<PropertyDefinitionRow[]> {
  return propertyDefinitions(db, team_id, filter).selectAll().orderBy('name').limit(limit).offset(offset).execute();
}

export async function countPropertyDefinitions(
  db: Db,
  team_id: number,
  filter: PropertyDefinitionFilter,
): Promise<number> {
  const { count } = await propertyDefinitions(db, team_id, filter)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function propertyDefinitions(db: Db, team_id: number, filter: PropertyDefinitionFilter) {
  const { kind, group_type_index, event_names, is_numerical } = filter;
  let query = named(
    db.selectFrom('property_definition').where('team_id', '=', team_id).where('kind', '=', kind),
    filter,
  );
  if (group_type_index !== undefined) query = query.where('group_type_index', '=', group_type_index);
  if (is_numerical !== undefined) query = query.where(sql<boolean>`(property_type = 'Numeric') is ${is_numerical}`);
  if (event_names) {
    query = query.where(
      sql<boolean>`exists (
        select from event_property
         where event_property.team_id = ${team_id}
           and event_property.property = property_definition.name
           and event_property.event = any(${[...event_names]}::text[]))`,
    );
  }
  return query;
}

type Definitions<Output> = SelectQueryBuilder<Database, 'event_definition' | 'property_definition', Output>;

/** The tables of definitions share the columns that are asked for here. */
function named<Query>(query: Query, { search, names }: DefinitionFilter): Query {
  let some = query as Definitions<object>;
  if (search) some = some.where('name', 'ilike', likePattern(search));
  if (names) some = some.where(sql<boolean>`name = any(${[...names]}::text[])`);
  return some as Query;
}

function persons(db: Db, team_id: number) {
  return db.selectFrom('person').selectAll().where('team_id', '=', team_id);
}

type PersonQuery = ReturnType<typeof persons>;

function filtered(query: PersonQuery, team_id: number, filter: PersonFilter): PersonQuery {
  const { search, distinct_id, email, uuids, properties } = filter;
  const ofIds = (condition: ReturnType<typeof sql<boolean>>) =>
    sql<boolean>`uuid in (select person_uuid from person_distinct_id where team_id = ${team_id} and ${condition})`;
  let some = query;
  if (distinct_id !== undefined) some = some.where(ofIds(sql`distinct_id = ${distinct_id}`));
  if (email !== undefined) some = some.where(sql<boolean>`properties->>'email' = ${email}`);
  if (uuids) some = some.where(sql<boolean>`uuid = any(${[...uuids]}::uuid[])`);
  if (properties) some = some.where(sql<boolean>`properties @> ${JSON.stringify(properties)}::jsonb`);
  if (search) {
    const pattern = likePattern(search);
    const byProperty = sql<boolean>`properties->>'email' ilike ${pattern} or properties->>'name' ilike ${pattern}`;
    some = some.where(sql<boolean>`(${byProperty} or ${ofIds(sql`distinct_id ilike ${pattern}`)})`);
  }
  return some;
}

async function withIds(db: Db, query: PersonQuery): Promise<PersonWithIds[]> {
  const found = await query.execute();
  if (found.length === 0) return [];
  const rows = await db
    .selectFrom('person_distinct_id')
    .select(['person_uuid', sql<string[]>`array_agg(distinct_id order by distinct_id)`.as('distinct_ids')])
    .where('team_id', '=', found[0]!.team_id)
    .where(sql<boolean>`person_uuid = any(${found.map(({ uuid }) => uuid)}::uuid[])`)
    .groupBy('person_uuid')
    .execute();
  const ids = new Map(rows.map(({ person_uuid, distinct_ids }) => [person_uuid, distinct_ids]));
  return found.map((person) => ({ ...person, distinct_ids: ids.get(person.uuid) ?? [] }));
}

/** A text to be found anywhere, with the signs that mean something to LIKE taken literally. */
const likePattern = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`;
