// Cohorts over the management API, and flags that go by them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { type FlagsApp, startFlagsApp } from './flags-app.ts';

let app: FlagsApp;
before(async () => {
  app = await startFlagsApp();
  await app.addPerson({ distinct_ids: ['ann', 'ann@home'], properties: { plan: 'pro' } });
  await app.addPerson({ distinct_ids: ['bob'], properties: { plan: 'free' } });
});
after(() => app[Symbol.asyncDispose]());

const plan = (value: string) => ({ type: 'person', key: 'plan', operator: 'exact', value });
const filters = (...values: unknown[]) => ({ properties: { type: 'OR', values: [{ type: 'AND', values }] } });
const create = (body: object) => app.api('POST', '/cohorts/', body);
const change = (id: number, body: object) => app.api('PATCH', `/cohorts/${id}/`, body);
const idsIn = async (id: number) =>
  (await app.api('GET', `/cohorts/${id}/persons/`)).body.results.flatMap(
    (one: { distinct_ids: string[] }) => one.distinct_ids,
  );

test('a cohort by filters is counted while nobody waits, and decides flags at once', async () => {
  const { status, body } = await create({ name: 'Pros', filters: filters(plan('pro')) });
  assert.equal(status, 201);
  assert.equal(body.is_calculating, true);
  await eventually('it is counted', async () => (await app.api('GET', `/cohorts/${body.id}/`)).body.count === 1);
  assert.deepEqual(await idsIn(body.id), ['ann', 'ann@home']);

  const groups = [{ properties: [{ key: 'id', type: 'cohort', value: body.id }], rollout_percentage: 100 }];
  const flag = await app.api('POST', '/feature_flags/', { key: 'for-pros', filters: { groups } });
  assert.equal(flag.body.filters.groups[0].properties[0].cohort_name, 'Pros');
  const ask = async (distinct_id: string) =>
    (await app.post('/decide/?v=3', { distinct_id })).body.featureFlags['for-pros'];
  assert.deepEqual([await ask('ann'), await ask('bob')], [true, false]);
  await change(body.id, { filters: filters(plan('free')) });
  assert.deepEqual([await ask('ann'), await ask('bob')], [false, true]);

  const lately = { time_value: 30, time_interval: 'day' };
  const behavioral = { type: 'behavioral', key: 'paid', value: 'performed_event', event_type: 'events', ...lately };
  const refused = await change(body.id, { filters: filters(behavioral) });
  assert.deepEqual(
    [refused.body.code, refused.body.detail],
    ['behavioral_cohort_found', 'Behavioral filters cannot be added to cohorts used in feature flags.'],
  );
});

test('a static cohort holds those of a list who are known, counted once each', async () => {
  const { body } = await create({ name: 'Friends', is_static: true, csv: 'distinct_id\nann\nann@home\nnobody\n' });
  assert.deepEqual([body.count, body.is_calculating], [1, false]);
  await change(body.id, { csv: 'bob' });
  assert.deepEqual((await idsIn(body.id)).sort(), ['ann', 'ann@home', 'bob']);
  const copied = await app.api('GET', `/cohorts/${body.id}/duplicate_as_static_cohort/`);
  assert.equal(copied.body.detail, 'Cannot duplicate a static cohort as a static cohort.');
});

test('a copy stays as the cohort was', async () => {
  const { body } = await create({ name: 'Now', filters: filters(plan('pro')) });
  const copy = await app.api('GET', `/cohorts/${body.id}/duplicate_as_static_cohort/`);
  assert.deepEqual([copy.body.name, copy.body.is_static, copy.body.count], ['Now (static copy)', true, 1]);
});

test('a cohort is deleted by PATCH and never by DELETE', async () => {
  const { body } = await create({ name: 'Gone' });
  assert.equal((await app.api('DELETE', `/cohorts/${body.id}/`)).status, 405);
  assert.equal((await change(body.id, { deleted: true })).body.deleted, true);
  const { results } = (await app.api('GET', '/cohorts/?search=gone')).body;
  assert.deepEqual(results, []);
});

test('refused: cohorts in a loop, cohorts that are not there, and filters that lack something', async () => {
  const inner = (value: unknown) => ({ type: 'cohort', key: 'id', value });
  const first = (await create({ name: 'First', filters: filters(plan('pro')) })).body.id;
  const second = (await create({ name: 'Second', filters: filters(inner(first)) })).body.id;
  const detail = async (answer: ReturnType<typeof create>) => (await answer).body.detail;
  assert.equal(
    await detail(change(first, { filters: filters(inner(second)) })),
    'Cohorts cannot reference other cohorts in a loop.',
  );
  assert.equal(
    await detail(change(first, { filters: filters(inner(first)) })),
    'Cohorts cannot reference other cohorts in a loop.',
  );
  assert.equal(await detail(create({ filters: filters(inner(99_999)) })), 'Invalid Cohort ID in filter');
  assert.equal(await detail(create({ filters: filters(inner('x')) })), 'Invalid Cohort ID in filter');
  assert.equal(await detail(create({ filters: {} })), "Must contain a 'properties' key with type and values");
  assert.equal(
    await detail(create({ filters: filters({ type: 'person', key: 'a' }) })),
    'Missing required keys for person filter: value, operator',
  );
  assert.equal(
    await detail(create({ filters: filters(plan('a')), query: {} })),
    'Cannot set both query and filters at the same time.',
  );
  assert.equal(
    await detail(create({ query: {} })),
    'Cannot create a dynamic cohort with a query. Set is_static to true.',
  );
});
