// Writes what a batch changed about people, groups and definitions: a few statements, whatever the number of rows.
// Every row that is changed must still have the version that the batch was settled with.
import { DatabaseError, type PoolClient } from 'pg';
import type { GroupChanges, StoredGroup } from './group-ledger.ts';
import type { NewDefinitions } from './known-definitions.ts';
import type { Person } from './merge-persons.ts';
import type { DistinctId, PeopleChanges, StoredPeople } from './people-ledger.ts';
import type { ProjectBefore, ProjectChanges } from './settle-batch.ts';

/** Somebody else changed the same people meanwhile; settle the batch again with what is there now. */
export class PeopleChanged extends Error {}

const TIME = (micros: string) => `timestamptz 'epoch' + ${micros} * interval '1 microsecond'`;
const UNIQUE_VIOLATION = '23505';

export async function writePeople(
  tx: PoolClient,
  changes: ReadonlyMap<number, ProjectChanges>,
  before: ReadonlyMap<number, ProjectBefore>,
): Promise<void> {
  const lists = new PeopleLists();
  for (const [team_id, { people, groups }] of changes) {
    const project = before.get(team_id)!;
    lists.addPeople(team_id, people, project.people);
    lists.addGroups(team_id, groups, project.groups);
  }
  try {
    await lists.write(tx);
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) {
      throw new PeopleChanged(error.detail ?? error.message, { cause: error });
    }
    throw error;
  }
}

type Row = readonly unknown[];

/** The rows of all projects, sorted by what happens to them. */
class PeopleLists {
  readonly #newPersons: Row[] = [];
  readonly #changedPersons: Row[] = [];
  readonly #deletedPersons: Row[] = [];
  readonly #tombstones: Row[] = [];
  readonly #untouchedPersons: Row[] = [];
  readonly #newIds: Row[] = [];
  readonly #movedIds: Row[] = [];
  readonly #personless: Row[] = [];
  readonly #newTypes: Row[] = [];
  readonly #newGroups: Row[] = [];
  readonly #changedGroups: Row[] = [];

  addPeople(team_id: number, changes: PeopleChanges, stored: StoredPeople): void {
    const versions = new Map(stored.persons.map(({ uuid, version }) => [uuid, version]));
    const idVersions = new Map(stored.distinct_ids.map(({ distinct_id, version }) => [distinct_id, version]));
    const changed = new Set<string>();
    for (const person of changes.persons) {
      const version = versions.get(person.uuid);
      changed.add(person.uuid);
      if (version === undefined) this.#newPersons.push(personRow(team_id, person));
      else this.#changedPersons.push([...personRow(team_id, person), version]);
    }
    for (const { uuid, version } of changes.deleted) {
      const known = versions.get(uuid);
      if (known !== undefined) this.#deletedPersons.push([team_id, uuid, known]);
      this.#tombstones.push([team_id, uuid, version]);
    }
    for (const row of changes.distinct_ids) {
      const version = idVersions.get(row.distinct_id);
      if (version === undefined) this.#newIds.push(idRow(team_id, row));
      else this.#movedIds.push([...idRow(team_id, row), version]);
      // A person who only gets one more id must still be there.
      if (!changed.has(row.person_uuid)) this.#untouchedPersons.push([team_id, row.person_uuid]);
    }
    for (const distinct_id of changes.personless) this.#personless.push([team_id, distinct_id]);
  }

  addGroups(team_id: number, changes: GroupChanges, stored: readonly StoredGroup[]): void {
    for (const { group_type, group_type_index } of changes.types) {
      this.#newTypes.push([team_id, group_type, group_type_index]);
    }
    const versions = new Map(stored.map((group) => [`${group.group_type_index} ${group.group_key}`, group.version]));
    for (const group of changes.groups) {
      const version = versions.get(`${group.group_type_index} ${group.group_key}`);
      if (version === undefined) this.#newGroups.push(groupRow(team_id, group));
      else this.#changedGroups.push([...groupRow(team_id, group), version]);
    }
  }

  async write(tx: PoolClient): Promise<void> {
    await this.#writePersons(tx);
    await this.#writeIds(tx);
    await this.#writeGroups(tx);
  }

  async #writePersons(tx: PoolClient): Promise<void> {
    await run(
      tx,
      this.#changedPersons,
      (rows) => `
        update person
           set created_at = ${TIME('new.created_at')}, properties = new.properties::jsonb,
               is_identified = new.is_identified, version = new.version
          from ${rows('integer', 'uuid', 'bigint', 'text', 'boolean', 'bigint', 'bigint')}
            as new (team_id, uuid, created_at, properties, is_identified, version, expected)
         where person.team_id = new.team_id and person.uuid = new.uuid and person.version = new.expected`,
    );
    await run(
      tx,
      this.#newPersons,
      (rows) => `
        insert into person (team_id, uuid, created_at, properties, is_identified, version)
        select team_id, uuid, ${TIME('created_at')}, properties::jsonb, is_identified, version
          from ${rows('integer', 'uuid', 'bigint', 'text', 'boolean', 'bigint')}
            as new (team_id, uuid, created_at, properties, is_identified, version)`,
    );
    await run(
      tx,
      this.#deletedPersons,
      (rows) => `
        delete from person
         using ${rows('integer', 'uuid', 'bigint')} as gone (team_id, uuid, expected)
         where person.team_id = gone.team_id and person.uuid = gone.uuid and person.version = gone.expected`,
    );
    await run(
      tx,
      this.#tombstones,
      (rows) => `
        insert into person_tombstone (team_id, uuid, version)
        select team_id, uuid, version from ${rows('integer', 'uuid', 'bigint')} as gone (team_id, uuid, version)
            on conflict (team_id, uuid) do update set version = greatest(person_tombstone.version, excluded.version)`,
    );
  }

  async #writeIds(tx: PoolClient): Promise<void> {
    await run(
      tx,
      this.#newIds,
      (rows) => `
        insert into person_distinct_id (team_id, distinct_id, person_uuid, version)
        select team_id, distinct_id, person_uuid, version
          from ${rows('integer', 'text', 'uuid', 'bigint')} as new (team_id, distinct_id, person_uuid, version)`,
    );
    await run(
      tx,
      this.#movedIds,
      (rows) => `
        update person_distinct_id as id set person_uuid = new.person_uuid, version = new.version
          from ${rows('integer', 'text', 'uuid', 'bigint', 'bigint')}
            as new (team_id, distinct_id, person_uuid, version, expected)
         where id.team_id = new.team_id and id.distinct_id = new.distinct_id and id.version = new.expected`,
    );
    await run(
      tx,
      unique(this.#untouchedPersons),
      (rows) => `
        select from person join ${rows('integer', 'uuid')} as used (team_id, uuid) using (team_id, uuid)
           for share of person`,
    );
    await run(
      tx,
      this.#personless,
      (rows) => `
        insert into personless_id (team_id, distinct_id)
        select team_id, distinct_id from ${rows('integer', 'text')} as new (team_id, distinct_id)`,
    );
  }

  async #writeGroups(tx: PoolClient): Promise<void> {
    await run(
      tx,
      this.#newTypes,
      (rows) => `
        insert into group_type (team_id, group_type, group_type_index)
        select * from ${rows('integer', 'text', 'smallint')}`,
    );
    await run(
      tx,
      this.#newGroups,
      (rows) => `
        insert into groups (team_id, group_type_index, group_key, properties, created_at, version)
        select team_id, group_type_index, group_key, properties::jsonb, ${TIME('created_at')}, version
          from ${rows('integer', 'smallint', 'text', 'text', 'bigint', 'bigint')}
            as new (team_id, group_type_index, group_key, properties, created_at, version)`,
    );
    await run(
      tx,
      this.#changedGroups,
      (rows) => `
        update groups
           set properties = new.properties::jsonb, created_at = ${TIME('new.created_at')}, version = new.version
          from ${rows('integer', 'smallint', 'text', 'text', 'bigint', 'bigint', 'bigint')}
            as new (team_id, group_type_index, group_key, properties, created_at, version, expected)
         where groups.team_id = new.team_id and groups.group_type_index = new.group_type_index
           and groups.group_key = new.group_key and groups.version = new.expected`,
    );
  }
}

const personRow = (team_id: number, { uuid, created_at, properties, is_identified, version }: Person): Row => [
  team_id,
  uuid,
  created_at,
  JSON.stringify(properties),
  is_identified,
  version,
];

const idRow = (team_id: number, { distinct_id, person_uuid, version }: DistinctId): Row => [
  team_id,
  distinct_id,
  person_uuid,
  version,
];

const groupRow = (team_id: number, group: StoredGroup): Row => [
  team_id,
  group.group_type_index,
  group.group_key,
  JSON.stringify(group.properties),
  group.created_at,
  group.version,
];

const unique = (rows: readonly Row[]): Row[] => [...new Map(rows.map((row) => [row.join(' '), row])).values()];

/** Runs one statement over all rows, as columns, and requires that it reached each of them. */
async function run(
  tx: PoolClient,
  rows: readonly Row[],
  statement: (rows: (...types: string[]) => string) => string,
): Promise<void> {
  if (rows.length === 0) return;
  const text = statement((...types) => `unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})`);
  const columns = rows[0]!.map((_, column) => rows.map((row) => row[column]));
  const { rowCount } = await tx.query(text, columns);
  if (rowCount !== rows.length) throw new PeopleChanged(`${rowCount} of ${rows.length} rows were as expected`);
}

/** New names, types that were not known yet, and when events were last seen; harmless when repeated. */
export async function writeDefinitions(tx: PoolClient, definitions: NewDefinitions): Promise<void> {
  const { events, properties, event_properties } = definitions;
  if (events.length > 0) {
    await tx.query(
      `insert into event_definition (team_id, name)
       select * from unnest($1::integer[], $2::text[])
           on conflict (team_id, name) do update set last_seen_at = excluded.last_seen_at`,
      [events.map((row) => row.team_id), events.map((row) => row.name)],
    );
  }
  if (properties.length > 0) {
    await tx.query(
      `insert into property_definition (team_id, kind, group_type_index, name, property_type)
       select * from unnest($1::integer[], $2::smallint[], $3::smallint[], $4::text[], $5::text[])
           on conflict (team_id, kind, group_type_index, name) do update set property_type = excluded.property_type
        where property_definition.property_type is null and excluded.property_type is not null`,
      [
        properties.map((row) => row.team_id),
        properties.map((row) => KINDS[row.kind]),
        properties.map((row) => row.group_type_index),
        properties.map((row) => row.name),
        properties.map((row) => row.type),
      ],
    );
  }
  if (event_properties.length > 0) {
    await tx.query(
      `insert into event_property (team_id, event, property)
       select * from unnest($1::integer[], $2::text[], $3::text[]) on conflict do nothing`,
      [
        event_properties.map((row) => row.team_id),
        event_properties.map((row) => row.event),
        event_properties.map((row) => row.property),
      ],
    );
  }
}

const KINDS = { event: 1, person: 2, group: 3 } as const;
