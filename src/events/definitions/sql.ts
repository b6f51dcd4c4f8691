// What is known of a project's events and properties, and what its people wrote about them.
import { type Kysely, type SelectQueryBuilder, sql, type Updateable } from 'kysely';
import type {
  AccountRow,
  Database,
  EventDefinitionRow,
  EventDefinitionTable,
  PropertyDefinitionRow,
  PropertyDefinitionTable,
  PropertyKindNumber,
} from '../../metadata/tables.ts';

type Db = Kysely<Database>;

export interface DefinitionFilter {
  /** Every word has to be part of the name. */
  search: string;
  /** Only these; undefined: all. */
  names: readonly string[] | undefined;
  excluded: readonly string[];
  excludeHidden: boolean;
}

export interface Slice {
  limit: number;
  offset: number;
}

/** A page, and how many there are in all. */
export interface Found<Row> {
  rows: Row[];
  count: number;
}

// Events

export interface EventDefinitionFilter extends DefinitionFilter {
  /** Names that begin with `$` come with the SDKs; the others are the project's own. */
  kind: 'all' | 'own' | 'standard';
  verified: boolean | undefined;
  tags: readonly string[];
}

const orders = {
  name: sql`name`,
  last_seen_at: sql`last_seen_at`,
  created_at: sql`created_at`,
  'last_seen_at::date': sql`last_seen_at::date`,
  'created_at::date': sql`created_at::date`,
};
export type EventOrder = { by: keyof typeof orders; direction: 'asc' | 'desc' };

export const isEventOrder = (name: string): name is keyof typeof orders => Object.hasOwn(orders, name);

export async function listEventDefinitions(
  db: Db,
  team_id: number,
  filter: EventDefinitionFilter,
  order: readonly EventOrder[],
  { limit, offset }: Slice,
): Promise<Found<EventDefinitionRow>> {
  let query = named(db.selectFrom('event_definition').where('team_id', '=', team_id), filter);
  if (filter.kind !== 'all') query = query.where('name', filter.kind === 'own' ? 'not like' : 'like', '$%');
  if (filter.verified !== undefined) query = query.where('verified', '=', filter.verified);
  if (filter.tags.length > 0) query = query.where(sql<boolean>`tags && ${[...filter.tags]}::text[]`);
  let ordered = query.selectAll();
  for (const { by, direction } of order) {
    ordered = ordered.orderBy(orders[by], (given) =>
      direction === 'asc' ? given.asc().nullsFirst() : given.desc().nullsLast(),
    );
  }
  // With a search the shortest name is the nearest. The name at the end keeps pages apart.
  if (order.length === 0) {
    if (filter.search) ordered = ordered.orderBy(sql`length(name)`);
    ordered = ordered.orderBy(orders['last_seen_at::date'], (given) => given.desc().nullsLast());
  }
  return {
    rows: await ordered.orderBy('name').limit(limit).offset(offset).execute(),
    count: await countRows(query),
  };
}

export function findEventDefinition(db: Db, team_id: number, id: string): Promise<EventDefinitionRow | undefined> {
  return db
    .selectFrom('event_definition')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function findEventDefinitionByName(
  db: Db,
  team_id: number,
  name: string,
): Promise<EventDefinitionRow | undefined> {
  return db
    .selectFrom('event_definition')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('name', '=', name)
    .executeTakeFirst();
}

export function updateEventDefinition(
  db: Db,
  { team_id, id }: EventDefinitionRow,
  changes: Updateable<EventDefinitionTable>,
): Promise<EventDefinitionRow> {
  return db
    .updateTable('event_definition')
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

// Properties

export interface PropertyDefinitionFilter extends DefinitionFilter {
  kind: PropertyKindNumber;
  /** -1 but for groups. */
  group_type_index: number;
  onlyNumerical: boolean;
  isFeatureFlag: boolean | undefined;
  /** Events on which a property may have been seen; undefined: nobody asked. */
  event_names: readonly string[] | undefined;
  onlySeen: boolean;
}

export interface SeenPropertyDefinition extends PropertyDefinitionRow {
  /** Whether it was seen on one of the events that were asked about; null when none were. */
  is_seen: boolean | null;
}

const FEATURE_FLAGS = '$feature/%';

export async function listPropertyDefinitions(
  db: Db,
  team_id: number,
  filter: PropertyDefinitionFilter,
  { limit, offset }: Slice,
): Promise<Found<SeenPropertyDefinition>> {
  let query = named(
    db
      .selectFrom('property_definition')
      .where('team_id', '=', team_id)
      .where('kind', '=', filter.kind)
      .where('group_type_index', '=', filter.group_type_index),
    filter,
  );
  const seen = seenOn(team_id, filter.event_names);
  if (filter.onlyNumerical) query = query.where('property_type', '=', 'Numeric');
  if (filter.isFeatureFlag !== undefined) {
    query = query.where('name', filter.isFeatureFlag ? 'like' : 'not like', FEATURE_FLAGS);
  }
  if (filter.onlySeen) query = query.where(sql<boolean>`${seen} is not false`);
  const rows = await query
    .selectAll()
    .select(seen.as('is_seen'))
    .orderBy(sql`is_seen`, (given) => given.desc().nullsLast())
    .orderBy('verified', 'desc')
    .orderBy('name')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countRows(query) };
}

function seenOn(team_id: number, event_names: readonly string[] | undefined) {
  if (!event_names) return sql<boolean | null>`null::boolean`;
  return sql<boolean | null>`exists (
    select from event_property
     where event_property.team_id = ${team_id}
       and event_property.property = property_definition.name
       and event_property.event = any(${[...event_names]}::text[]))`;
}

export function findPropertyDefinition(
  db: Db,
  team_id: number,
  id: string,
): Promise<PropertyDefinitionRow | undefined> {
  return db
    .selectFrom('property_definition')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function updatePropertyDefinition(
  db: Db,
  { team_id, id }: PropertyDefinitionRow,
  changes: Updateable<PropertyDefinitionTable>,
): Promise<PropertyDefinitionRow> {
  return db
    .updateTable('property_definition')
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Those of the events on which the property was seen. */
export async function listEventsWith(
  db: Db,
  team_id: number,
  property: string,
  events: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('event_property')
    .select('event')
    .where('team_id', '=', team_id)
    .where('property', '=', property)
    .where(sql<boolean>`event = any(${[...events]}::text[])`)
    .execute();
  return new Set(rows.map(({ event }) => event));
}

// Both

type DefinitionQuery = SelectQueryBuilder<Database, 'event_definition' | 'property_definition', object>;

/** Both tables have the columns that are asked for here. */
function named<Query>(given: Query, { search, names, excluded, excludeHidden }: DefinitionFilter): Query {
  let query = given as DefinitionQuery;
  for (const word of search.split(/\s+/).filter(Boolean)) query = query.where('name', 'ilike', likePattern(word));
  if (names) query = query.where(sql<boolean>`name = any(${[...names]}::text[])`);
  if (excluded.length > 0) query = query.where(sql<boolean>`name <> all(${[...excluded]}::text[])`);
  if (excludeHidden) query = query.where('hidden', '=', false);
  return query as Query;
}

async function countRows(query: unknown): Promise<number> {
  const { count } = await (query as DefinitionQuery)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** A text to be found anywhere, with the signs that mean something to LIKE taken literally. */
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The accounts that rows refer to, by id. */
export async function findAccounts(db: Db, ids: readonly (number | null)[]): Promise<Map<number, AccountRow>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const rows = await db.selectFrom('account').selectAll().where('id', 'in', wanted).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether the account belongs to the organization. */
export async function isMember(db: Db, organization_id: string, user_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return row !== undefined;
}
