import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestDatabase, type TestDatabase } from '../../test/db.ts';
import { countPersons, findPersonById, findPersonsOfIds, listGroups, listPersons } from './read.ts';

const TEAM_ID = 1;
const uuidOf = (n: number) => `11111111-1111-4111-8111-${String(n).padStart(12, '0')}`;

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase();
  for (const [n, name] of ['Ann', 'Bob', 'C_d'].entries()) {
    for (const team_id of [TEAM_ID, 2]) {
      await database.db
        .insertInto('person')
        .values({
          team_id,
          uuid: uuidOf(n),
          created_at: `2025-01-0${n + 1}T00:00:00Z`,
          properties: JSON.stringify({ name, email: `${name}@example.com`, n }),
          is_identified: false,
          version: 0,
        })
        .execute();
      await database.db
        .insertInto('person_distinct_id')
        .values([
          { team_id, distinct_id: `${name}-2`, person_uuid: uuidOf(n), version: 0 },
          { team_id, distinct_id: `${name}-1`, person_uuid: uuidOf(n), version: 0 },
        ])
        .execute();
    }
  }
});
after(() => database.close());

const names = async (filter: Parameters<typeof listPersons>[2], page = {}) =>
  (await listPersons(database.db, TEAM_ID, filter, { limit: 10, ...page })).map((person) => person.properties.name);

test('persons are listed newest first, in pages, of one project only', async () => {
  assert.deepEqual(await names({}), ['C_d', 'Bob', 'Ann']);
  const [newest] = await listPersons(database.db, TEAM_ID, {}, { limit: 1 });
  assert.deepEqual(newest?.distinct_ids, ['C_d-1', 'C_d-2']);
  assert.deepEqual(await names({}, { after: { created_at: newest!.created_at, id: newest!.id } }), ['Bob', 'Ann']);
  assert.deepEqual(await names({}, { limit: 1, offset: 2 }), ['Ann']);
  assert.equal(await countPersons(database.db, TEAM_ID, {}), 3);
});

const cases: { filter: Parameters<typeof listPersons>[2]; found: string[] }[] = [
  { filter: { search: 'ann' }, found: ['Ann'] },
  { filter: { search: 'BOB-1' }, found: ['Bob'] },
  { filter: { search: '_' }, found: ['C_d'] },
  { filter: { search: '%' }, found: [] },
  { filter: { distinct_id: 'Ann-2' }, found: ['Ann'] },
  { filter: { distinct_id: 'ann-2' }, found: [] },
  { filter: { email: 'Bob@example.com' }, found: ['Bob'] },
  { filter: { properties: { n: 1 } }, found: ['Bob'] },
  { filter: { properties: { n: '1' } }, found: [] },
  { filter: { uuids: [uuidOf(0), uuidOf(2)] }, found: ['C_d', 'Ann'] },
];
for (const { filter, found } of cases) {
  test(`${JSON.stringify(filter)} finds ${found.join(' and ') || 'nobody'}`, async () => {
    assert.deepEqual(await names(filter), found);
    assert.equal(await countPersons(database.db, TEAM_ID, filter), found.length);
  });
}

test('a person of another project is nobody here', async () => {
  const [other] = await listPersons(database.db, 2, {}, { limit: 1 });
  assert.equal(await findPersonById(database.db, TEAM_ID, other!.id), undefined);
});

test('ids lead to the persons who have them now', async () => {
  const found = await findPersonsOfIds(database.db, TEAM_ID, ['Ann-1', 'Ann-2', 'nobody']);
  assert.deepEqual([...found].map(([id, { uuid }]) => [id, uuid]).sort(), [
    ['Ann-1', uuidOf(0)],
    ['Ann-2', uuidOf(0)],
  ]);
});

test('groups are listed by key and found by part of key or name', async () => {
  const group = { team_id: TEAM_ID, group_type_index: 0, created_at: '2025-01-01T00:00:00Z', version: 1 };
  await database.db
    .insertInto('groups')
    .values([
      { ...group, group_key: 'b', properties: '{"name":"Acme"}' },
      { ...group, group_key: 'a', properties: '{}' },
      { ...group, group_key: 'a', group_type_index: 1, properties: '{}' },
    ])
    .execute();
  const keys = async (search?: string, after?: string) =>
    (
      await listGroups(
        database.db,
        TEAM_ID,
        { group_type_index: 0, ...(search !== undefined && { search }) },
        { limit: 5, ...(after !== undefined && { after }) },
      )
    ).map(({ group_key }) => group_key);
  assert.deepEqual(await keys(), ['a', 'b']);
  assert.deepEqual(await keys('acm'), ['b']);
  assert.deepEqual(await keys(undefined, 'a'), ['b']);
});
