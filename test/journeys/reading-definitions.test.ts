// Definitions of events and properties: what was seen, and what people wrote about it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startReadingApp } from './reading-app.ts';

const app = await startReadingApp();
after(() => app[Symbol.asyncDispose]());

const team_id = app.project.id;
const now = Date.now();
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();

await app.db
  .insertInto('event_definition')
  .values([
    { team_id, name: 'signed up', last_seen_at: daysAgo(5) },
    { team_id, name: 'signed_up%', last_seen_at: daysAgo(1) },
    { team_id, name: '$pageview', last_seen_at: daysAgo(1) },
    { team_id: app.other.id, name: 'elsewhere' },
  ])
  .execute();
await app.db
  .insertInto('property_definition')
  .values([
    { team_id, name: 'plan', kind: 1, property_type: 'String' },
    { team_id, name: 'price', kind: 1, property_type: 'Numeric' },
    { team_id, name: '$feature/beta', kind: 1 },
    { team_id, name: '$group_0', kind: 1 },
    { team_id, name: 'email', kind: 2, property_type: 'String' },
    { team_id, name: 'size', kind: 3, group_type_index: 1 },
    { team_id: app.other.id, name: 'elsewhere', kind: 1 },
  ])
  .execute();
await app.db
  .insertInto('event_property')
  .values([
    { team_id, event: 'signed up', property: 'plan' },
    { team_id: app.other.id, event: 'signed up', property: 'price' },
  ])
  .execute();

async function names(path: string): Promise<string[]> {
  const { status, body } = await app.get(path);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.count >= body.results.length, true);
  return body.results.map(({ name }: { name: string }) => name);
}

test('event definitions are listed and searched', async () => {
  const cases: [string, string[]][] = [
    ['', ['$pageview', 'signed_up%', 'signed up']],
    ['ordering=name', ['$pageview', 'signed up', 'signed_up%']],
    ['ordering=-last_seen_at', ['$pageview', 'signed_up%', 'signed up']],
    ['ordering=;drop table person', ['$pageview', 'signed_up%', 'signed up']],
    ['search=up SIGN', ['signed up', 'signed_up%']],
    ['search=%25', ['signed_up%']],
    ['event_type=event_custom', ['signed_up%', 'signed up']],
    ['event_type=event_posthog', ['$pageview']],
    ['names=$pageview,elsewhere', ['$pageview']],
    ['excluded_properties=["$pageview"]', ['signed_up%', 'signed up']],
    ['limit=1&offset=2', ['signed up']],
  ];
  for (const [query, expected] of cases) {
    const found = await names(`/event_definitions/?${new URLSearchParams(query)}`);
    assert.deepEqual(found, expected, query);
  }
  assert.equal((await app.get('/event_definitions/?event_type=nope')).status, 400);
  assert.equal((await app.get('/event_definitions/?tags={')).body.attr, 'tags');
});

test('an event definition is described, tagged, verified and hidden', async () => {
  const { body: found } = await app.get('/event_definitions/by_name/?name=signed%20up');
  const path = `/event_definitions/${found.id}/`;
  assert.equal((await app.get(path)).body.name, 'signed up');
  const change = (body: unknown) => app.send('PATCH', path, { body });
  const described = await change({
    description: 'New here',
    tags: [' Growth', 'growth', 'A'],
    owner: app.owner.id,
    verified: true,
    name: 'x',
  });
  assert.equal(described.status, 200, described.text);
  const { description, tags, owner, verified, verified_by, updated_by, name } = described.body;
  assert.deepEqual(
    [description, tags, owner.id, verified, verified_by.id, updated_by.id, name],
    ['New here', ['a', 'growth'], app.owner.id, true, app.owner.id, app.owner.id, 'signed up'],
  );
  assert.deepEqual(await names('/event_definitions/?verified=true'), ['signed up']);
  assert.deepEqual(await names('/event_definitions/?tags=["growth","z"]'), ['signed up']);
  const hidden = await change({ hidden: true });
  assert.deepEqual([hidden.body.hidden, hidden.body.verified, hidden.body.verified_by], [true, false, null]);
  assert.equal((await names('/event_definitions/?exclude_hidden=true')).includes('signed up'), false);
  assert.equal((await change({ hidden: true, verified: true })).status, 400);
  assert.equal((await change({ owner: 999 })).body.attr, 'owner');
  assert.equal((await change({ tags: 'growth' })).body.attr, 'tags');
});

test('property definitions are listed by what they belong to', async () => {
  const cases: [string, string[]][] = [
    ['', ['$feature/beta', 'plan', 'price']],
    ['type=person', ['email']],
    ['type=group&group_type_index=1', ['size']],
    ['type=group&group_type_index=0', []],
    ['type=session', []],
    ['search=p', ['plan', 'price']],
    ['properties=plan,email', ['plan']],
    ['is_numerical=true', ['price']],
    ['is_feature_flag=true', ['$feature/beta']],
    ['is_feature_flag=false', ['plan', 'price']],
    ['excluded_properties=["plan"]', ['$feature/beta', 'price']],
    ['event_names=["signed up"]', ['plan', '$feature/beta', 'price']],
    ['event_names=["signed up"]&filter_by_event_names=true', ['plan']],
    ['event_names=[]&filter_by_event_names=true', ['$feature/beta', 'plan', 'price']],
  ];
  for (const [query, expected] of cases) {
    assert.deepEqual(await names(`/property_definitions/?${new URLSearchParams(query)}`), expected, query);
  }
  const { body } = await app.get(`/property_definitions/?${new URLSearchParams('event_names=["signed up"]')}`);
  assert.deepEqual(
    body.results.map((row: { is_seen_on_filtered_events: boolean }) => row.is_seen_on_filtered_events),
    [true, false, false],
  );
  for (const query of [
    'type=nope',
    'type=group',
    'group_type_index=1',
    'type=group&group_type_index=9',
    'type=person&event_names=["a"]',
  ]) {
    assert.equal((await app.get(`/property_definitions/?${query}`)).status, 400, query);
  }
});

test('a property definition is retrieved and changed', async () => {
  const { body: list } = await app.get('/property_definitions/?properties=plan');
  const path = `/property_definitions/${list.results[0].id}/`;
  const changed = await app.send('PATCH', path, {
    body: { description: 'What they pay for', property_type: 'Numeric' },
  });
  assert.equal(changed.status, 200, changed.text);
  const { body } = await app.get(path);
  assert.deepEqual([body.description, body.property_type, body.is_numerical], ['What they pay for', 'Numeric', true]);
  assert.equal((await app.send('PATCH', path, { body: { property_type: 'Text' } })).body.code, 'invalid_choice');
});

test('a property and events are told whether they were seen together', async () => {
  const query = new URLSearchParams({ event_names: '["signed up","$pageview"]', property_name: 'plan' });
  const { body } = await app.get(`/property_definitions/seen_together/?${query}`);
  assert.deepEqual(body, { 'signed up': true, $pageview: false });
});

test('definitions of another project are not found', async () => {
  const theirs = await app.db
    .selectFrom('event_definition')
    .select('id')
    .where('team_id', '=', app.other.id)
    .executeTakeFirstOrThrow();
  const property = await app.db
    .selectFrom('property_definition')
    .select('id')
    .where('team_id', '=', app.other.id)
    .executeTakeFirstOrThrow();
  assert.equal((await app.get(`/event_definitions/${theirs.id}/`)).status, 404);
  assert.equal(
    (await app.send('PATCH', `/property_definitions/${property.id}/`, { body: { description: 'x' } })).status,
    404,
  );
  assert.equal((await app.get('/event_definitions/nope/')).status, 404);
  assert.equal((await app.get('/event_definitions/by_name/?name=elsewhere')).status, 404);
});
