// Persons and groups, as they come back and as they go.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import type { Errand } from '../../src/people/errand.ts';
import { startReadingApp } from './reading-app.ts';

const app = await startReadingApp();
after(() => app[Symbol.asyncDispose]());

const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString();

const ada = await app.addPerson({
  distinct_ids: ['0190aaaa-bbbb-cccc-dddd-eeeeffff0000', 'ada'],
  properties: { email: 'ada@example.com', plan: 'pro', age: 36 },
  is_identified: true,
  created_at: daysAgo(3),
});
const bob = await app.addPerson({
  distinct_ids: ['bob'],
  properties: { name: 'Bob', age: 20 },
  created_at: daysAgo(2),
});
const nobody = await app.addPerson({ distinct_ids: ['0190aaaa-bbbb-cccc-dddd-eeeeffff0001'], created_at: daysAgo(1) });
const stranger = await app.addPerson({
  team_id: app.other.id,
  distinct_ids: ['ada', 'stranger'],
  properties: { email: 'ada@example.com' },
});

async function names(query: string): Promise<string[]> {
  const { status, body } = await app.get(`/persons/?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.results.map(({ name }: { name: string }) => name);
}

test('persons are listed newest first, in the shape of the list', async () => {
  const { body } = await app.get('/persons');
  assert.deepEqual(Object.keys(body), ['results', 'next', 'previous']);
  assert.deepEqual(
    body.results.map(({ id }: { id: string }) => id),
    [nobody.uuid, bob.uuid, ada.uuid],
  );
  assert.deepEqual(body.results[2], {
    type: 'person',
    id: ada.uuid,
    uuid: ada.uuid,
    created_at: ada.created_at,
    properties: { email: 'ada@example.com', plan: 'pro', age: 36 },
    is_identified: true,
    name: 'ada@example.com',
    distinct_ids: ['0190aaaa-bbbb-cccc-dddd-eeeeffff0000', 'ada'],
    matched_recordings: [],
    value_at_data_point: null,
  });
});

test('persons are found by search, id, address and properties', async () => {
  const where = (...filters: unknown[]) => `properties=${encodeURIComponent(JSON.stringify(filters))}`;
  const cases: [string, string[]][] = [
    ['search=ADA@', ['ada@example.com']],
    ['search=ob', ['Bob']],
    ['search=%25', []],
    ['distinct_id=ada', ['ada@example.com']],
    ['distinct_id=stranger', []],
    ['email=ada@example.com', ['ada@example.com']],
    [where({ key: 'plan', value: 'pro' }), ['ada@example.com']],
    [where({ key: 'age', value: 18, operator: 'gt' }), ['Bob', 'ada@example.com']],
    [where({ key: 'email', operator: 'is_not_set' }), ['0190aaaa-bbbb-cccc-dddd-eeeeffff0001', 'Bob']],
    [`${where({ key: 'age', operator: 'is_set' })}&search=bo`, ['Bob']],
    [`${where({ key: 'age', operator: 'is_set' })}&distinct_id=ada`, ['ada@example.com']],
    [`${where({ key: 'age', operator: 'is_set' })}&distinct_id=stranger`, []],
    [`${where({ key: 'age', operator: 'is_set' })}&email=ada@example.com`, ['ada@example.com']],
    [`${where({ key: 'age', operator: 'is_set' })}&limit=1&offset=1`, ['ada@example.com']],
  ];
  for (const [query, expected] of cases) assert.deepEqual(await names(query), expected, query);
});

test('pages of persons are followed by `next` or counted by offset, and meet everyone once', async () => {
  const all = [nobody.uuid, bob.uuid, ada.uuid];
  const everyone = encodeURIComponent('[{"key":"nothing","operator":"is_not_set"}]');
  for (const query of ['limit=1', 'limit=1&offset=0', `limit=1&properties=${everyone}`, 'limit=2']) {
    const seen: string[] = [];
    let link: string | null = `${app.here}/persons/?${query}`;
    while (link) {
      assert.ok(seen.length <= 3, 'still paging');
      const { body }: Awaited<ReturnType<typeof app.get>> = await app.get(link);
      assert.notEqual(body.results.length, 0, 'a link led to an empty page');
      seen.push(...body.results.map(({ id }: { id: string }) => id));
      link = body.next;
    }
    assert.deepEqual(seen, all, query);
  }
  const second = await app.get('/persons/?limit=1&offset=1&include_total');
  assert.equal(second.body.count, 3);
  assert.equal(second.body.previous, `${app.here}/persons/?limit=1&offset=0&include_total=`);
  assert.equal((await app.get(`/persons/?include_total&properties=${everyone}`)).body.count, 3);
  assert.equal((await app.get('/persons/?cursor=abc')).status, 400);
});

test('a person is retrieved by uuid and by number, in its own project only', async () => {
  for (const id of [ada.uuid, ada.uuid.toUpperCase(), ada.id]) {
    const { status, body } = await app.get(`/persons/${id}/`);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      id: ada.id,
      name: 'ada@example.com',
      distinct_ids: ['ada', '0190aaaa-bbbb-cccc-dddd-eeeeffff0000'],
      properties: { email: 'ada@example.com', plan: 'pro', age: 36 },
      created_at: ada.created_at,
      uuid: ada.uuid,
    });
  }
  for (const id of [stranger.uuid, stranger.id, 0, '99999999999999999999']) {
    assert.equal((await app.get(`/persons/${id}/`)).status, 404, String(id));
  }
  const { status, body } = await app.get('/persons/ada/');
  assert.equal(status, 400);
  assert.match(body.detail, /please use \/persons\?distinct_id=ada instead/);
});

test('a person that is gone is not found by its properties', async () => {
  const gone = { id: randomUUID(), team_id: app.project.id, created_at: Date.now(), is_identified: false };
  const stored = { ...gone, properties: '{"ghost":"yes"}', inserted_at: Date.now() * 1_000 };
  await app.insert('person', [
    { ...stored, version: 1, is_deleted: false },
    { ...stored, version: 101, is_deleted: true },
  ]);
  const { body } = await app.get('/persons/?include_total&properties=[{"key":"ghost","operator":"is_set"}]');
  assert.deepEqual([body.count, body.results], [0, []]);
  assert.deepEqual((await app.get('/persons/values/?key=ghost')).body, []);
});

test('values of a property are counted over persons', async () => {
  assert.deepEqual(
    (await app.get('/persons/values/?key=age')).body.toSorted(
      (a: { name: number }, b: { name: number }) => a.name - b.name,
    ),
    [
      { name: 20, count: 1 },
      { name: 36, count: 1 },
    ],
  );
  assert.deepEqual((await app.get('/persons/values/?key=email')).body, [{ name: 'ada@example.com', count: 1 }]);
});

test('properties are changed by events, which everything else waits behind', async () => {
  app.captured.length = 0;
  const answers = [
    await app.send('POST', `/persons/${bob.uuid}/update_property/`, { body: { key: 'plan', value: null } }),
    await app.send('POST', `/persons/${bob.id}/delete_property/`, { body: { $unset: 'age' } }),
    await app.send('PATCH', `/persons/${bob.id}/`, { body: { properties: { a: 1, b: 2 } } }),
    await app.send('POST', `/persons/${bob.id}/update_property/`, { body: { key: 'plan' } }),
    await app.send('POST', `/persons/${stranger.id}/update_property/`, { body: { key: 'plan', value: 1 } }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 201, 202, 400, 404],
  );
  const common = { team_id: app.project.id, distinct_id: 'bob' };
  assert.deepEqual(app.captured, [
    { ...common, event: '$set', properties: { $set: { plan: null } } },
    { ...common, event: '$delete_person_property', properties: { $unset: ['age'] } },
    { ...common, event: '$set', properties: { $set: { a: 1, b: 2 } } },
  ]);
});

test('a split gives every other id a person of its own', async () => {
  const two = await app.addPerson({ distinct_ids: ['split-a', 'split-b', 'split-c'], properties: { k: 1 } });
  const refused = await app.send('POST', `/persons/${two.id}/split/`, { body: { main_distinct_id: 'bob' } });
  assert.deepEqual([refused.status, refused.body.attr], [400, 'main_distinct_id']);
  const { status, body } = await app.send('POST', `/persons/${two.id}/split/`, {
    body: { main_distinct_id: 'split-b' },
  });
  assert.deepEqual([status, body], [201, { success: true }]);
  assert.deepEqual((await app.get(`/persons/${two.id}`)).body.distinct_ids, ['split-b']);
  const others = await Promise.all(['split-a', 'split-c'].map((id) => app.get(`/persons/?distinct_id=${id}`)));
  for (const other of others) {
    assert.notEqual(other.body.results[0].uuid, two.uuid);
    assert.deepEqual(other.body.results[0].properties, {});
  }
});

test('a split of ids that are named leaves all others where they are', async () => {
  const { id, uuid } = await app.addPerson({ distinct_ids: ['part-a', 'part-b', 'part-c'], properties: { k: 1 } });
  const split = (body: object) => app.send('POST', `/persons/${id}/split/`, { body });
  const refusals = [['bob'], ['part-a', 'part-b', 'part-c']].map((ids) => split({ distinct_ids_to_split: ids }));
  for (const { status, body } of await Promise.all(refusals)) {
    assert.deepEqual([status, body.attr], [400, 'distinct_ids_to_split']);
  }
  assert.equal((await split({ distinct_ids_to_split: ['part-c'] })).status, 201);

  assert.deepEqual((await app.get(`/persons/${id}`)).body.distinct_ids, ['part-a', 'part-b']);
  assert.notEqual((await app.get('/persons/?distinct_id=part-c')).body.results[0].uuid, uuid);
});

test('a person is deleted, one at a time or many, never in another project', async () => {
  const [one, two, three] = await Promise.all(
    ['gone-1', 'gone-2', 'gone-3'].map((id) => app.addPerson({ distinct_ids: [id] })),
  );
  assert.ok(one && two && three);
  assert.equal((await app.send('DELETE', `/persons/${one.id}/?keep_person=true`)).status, 400);
  assert.equal((await app.send('DELETE', `/persons/${one.id}/?delete_events=true`)).status, 202);
  assert.equal((await app.get(`/persons/${one.id}/`)).status, 404);
  const many = await app.send('POST', '/persons/bulk_delete/', {
    body: { ids: [two.uuid, stranger.uuid], delete_events: true },
  });
  assert.equal(many.status, 202, many.text);
  assert.deepEqual(many.body, {
    persons_found: 1,
    persons_deleted: 1,
    events_queued_for_deletion: true,
    recordings_queued_for_deletion: false,
    deletion_errors: [],
  });
  const byId = await app.send('POST', '/persons/bulk_delete/', {
    body: { distinct_ids: ['gone-3', 'nobody', 'stranger'] },
  });
  assert.equal(byId.body.persons_deleted, 1);
  const errands = await app.db.selectFrom('ingestion_batch').select('errand').orderBy('id').execute();
  const withEvents = errands.flatMap(({ errand }) => (errand as Errand | null)?.delete_events_of ?? []);
  assert.deepEqual(withEvents, [one.uuid, two.uuid]);
  const elsewhere = `${app.url}/api/projects/${app.other.id}/persons/${stranger.uuid}/`;
  assert.equal((await app.get(elsewhere)).status, 200);
  for (const body of [{}, { ids: [], distinct_ids: [] }, { ids: ['x'] }, { ids: [one.uuid], distinct_ids: ['a'] }]) {
    assert.equal((await app.send('POST', '/persons/bulk_delete/', { body })).status, 400);
  }
});

test('an event shows the person it belongs to now, and is found by that person', async () => {
  const [first, second] = [
    await app.addPerson({
      distinct_ids: ['merged-main'],
      properties: { email: 'm@example.com', secret: 1 },
      is_identified: true,
    }),
    '11111111-1111-5111-8111-999999999999',
  ];
  await app.storeEvents([
    { event: 'm.own', distinct_id: 'merged-main', person_id: first.uuid, timestamp: Date.now() * 1_000 },
    { event: 'm.brought', distinct_id: 'merged-anon', person_id: second, timestamp: Date.now() * 1_000 },
    { event: 'm.lent', distinct_id: 'merged-lent', person_id: first.uuid, timestamp: Date.now() * 1_000 },
    {
      event: 'm.other',
      distinct_id: 'merged-main',
      person_id: first.uuid,
      team_id: app.other.id,
      timestamp: Date.now() * 1_000,
    },
  ]);
  const override = { team_id: app.project.id, is_deleted: false, inserted_at: Date.now() * 1_000 };
  await app.insert('person_distinct_id_overrides', [
    { ...override, distinct_id: 'merged-anon', person_id: first.uuid, version: 1 },
    { ...override, distinct_id: 'merged-lent', person_id: first.uuid, version: 1 },
    { ...override, distinct_id: 'merged-lent', person_id: second, version: 2 },
    { ...override, team_id: app.other.id, distinct_id: 'merged-main', person_id: second, version: 9 },
  ]);
  await app.db
    .insertInto('person_distinct_id')
    .values({ team_id: app.project.id, distinct_id: 'merged-anon', person_uuid: first.uuid, version: 1 })
    .execute();
  const events = async (person: string | number) =>
    (await app.get(`/events/?person_id=${person}`)).body.results
      .map(({ event }: { event: string }) => event)
      .toSorted();
  assert.deepEqual(await events(first.uuid), ['m.brought', 'm.own']);
  assert.deepEqual(await events(first.id), ['m.brought', 'm.own']);
  assert.deepEqual(await events(second), ['m.lent']);
  assert.deepEqual(await events(stranger.id), []);
  assert.deepEqual(await events('nonsense'), []);
  const [shown] = (await app.get('/events/?event=m.brought')).body.results;
  assert.deepEqual(shown.person, {
    is_identified: true,
    distinct_ids: ['merged-anon'],
    properties: { email: 'm@example.com' },
  });
  assert.equal((await app.get('/events/?event=m.lent')).body.results[0].person, null);
});

test('groups are listed by type, found by key, and their types are told', async () => {
  const group = { team_id: app.project.id, group_type_index: 0, created_at: daysAgo(1), version: 1 };
  const keys = Array.from({ length: 130 }, (_, n) => `company-${String(n).padStart(3, '0')}`);
  await app.db
    .insertInto('group_type')
    .values({ team_id: app.project.id, group_type: 'company', group_type_index: 0 })
    .execute();
  await app.db
    .insertInto('groups')
    .values([
      ...keys.map((group_key, n) => ({ ...group, group_key, properties: JSON.stringify({ name: `Firm ${n}` }) })),
      { ...group, group_type_index: 1, group_key: 'team-1', properties: '{}' },
      { ...group, team_id: app.other.id, group_key: 'company-x', properties: '{}' },
    ])
    .execute();
  const first = await app.get('/groups/?group_type_index=0');
  const rest = await app.get(first.body.next);
  assert.deepEqual([first.body.results.length, rest.body.results.length, rest.body.next], [100, 30, null]);
  assert.deepEqual(
    [...first.body.results, ...rest.body.results].map(({ group_key }: { group_key: string }) => group_key),
    keys,
  );
  assert.deepEqual((await app.get('/groups/?group_type_index=0&search=firm%20129')).body.results.length, 1);
  const found = await app.get('/groups/find?group_type_index=0&group_key=company-007');
  assert.deepEqual(found.body, {
    group_type_index: 0,
    group_key: 'company-007',
    group_properties: { name: 'Firm 7' },
    created_at: found.body.created_at,
  });
  assert.equal((await app.get('/groups/find?group_type_index=0&group_key=company-x')).status, 404);
  assert.equal((await app.get('/groups/find?group_type_index=0')).status, 400);
  assert.equal((await app.get('/groups/')).body.attr, 'group_type_index');
  assert.equal((await app.get('/groups/?group_type_index=x')).status, 400);
  const types = await app.get('/groups_types/');
  assert.deepEqual([types.body.length, types.body[0].group_type, types.body[0].group_type_index], [1, 'company', 0]);
});
