// Insights and dashboards show what queries have answered: exactly as `refresh` says, and never somebody else's.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { startQueryApp } from './query-app.ts';

const app = await startQueryApp();
after(() => app[Symbol.asyncDispose]());

const now = Date.now() * 1_000;
await app.storeEvents([
  { event: 'view', timestamp: now - 3_600_000_000, properties: '{"plan":"pro"}' },
  { event: 'view', timestamp: now - 7_200_000_000, properties: '{"plan":"free"}' },
]);
const source = (event: string) => ({ kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event }] });
const make = async (event: string, more: object = {}) => {
  const made = await app.send('POST', '/insights/', {
    query: { kind: 'InsightVizNode', source: source(event) },
    ...more,
  });
  assert.equal(made.status, 201, made.text);
  return made.body;
};

test('an insight has no result until one is computed, and keeps it afterwards', async () => {
  const { id, result, last_refresh } = await make('view');
  assert.deepEqual([result, last_refresh], [null, null]);
  assert.equal((await app.send('GET', `/insights/${id}/`)).body.result, null);

  const computed = (await app.send('GET', `/insights/${id}/?refresh=blocking`)).body;
  assert.equal(computed.result[0].count, 2);
  assert.equal(computed.is_cached, false);

  const read = (await app.send('GET', `/insights/${id}/`)).body;
  assert.deepEqual([read.result[0].count, read.is_cached, read.last_refresh], [2, true, computed.last_refresh]);
  assert.equal((await make('view')).result[0].count, 2, 'an equal question is answered already');
});

test('a dashboard shows the results of its tiles, with its own filters', async () => {
  const { body: dashboard } = await app.send('POST', '/dashboards/', { name: 'Numbers' });
  await make('view', { dashboards: [dashboard.id] });
  const path = `/dashboards/${dashboard.id}/`;
  const read = async (more = '') => (await app.send('GET', path + more)).body.tiles[0];
  assert.equal((await read()).insight.result[0].count, 2);

  await app.send('PATCH', path, { filters: { properties: [{ key: 'plan', value: 'pro', type: 'event' }] } });
  const filtered = await read();
  assert.deepEqual([filtered.insight.result, filtered.last_refresh, filtered.is_cached], [null, null, false]);
  const computed = await read('?refresh=force_blocking');
  assert.equal(computed.insight.result[0].count, 1);
  assert.deepEqual((await read()).insight.result[0].count, 1);
});

test('what is asked for later is computed in the background', async () => {
  const { id } = await make('later');
  const { body } = await app.send('GET', `/insights/${id}/?refresh=async`);
  assert.equal(body.result, null);
  assert.equal(body.query_status.complete, false);
  assert.equal(body.query_status.insight_id, id);
  await eventually('the result is there', async () => (await app.send('GET', `/insights/${id}/`)).body.result !== null);
});

test('a shared insight is computed for its visitors', async () => {
  const { id } = await make('shared');
  const { body } = await app.send('PATCH', `/insights/${id}/sharing/`, { enabled: true });
  const visit = async () => (await app.send('GET', `/shared/${body.access_token}.json`)).body.insight;
  await visit();
  await eventually('the result is there', async () => (await visit()).result !== null);
});

test('an insight that cannot be computed says why, beside others that can', async () => {
  const { body: made } = await app.send('POST', '/insights/', {
    query: { kind: 'HogQLQuery', query: 'select nothing' },
  });
  const { status, body } = await app.send('GET', `/insights/${made.id}/?refresh=blocking`);
  assert.equal(status, 200);
  assert.equal(body.result, null);
  assert.match(body.query_status.error_message, /Unable to resolve field: nothing/);
});

test('the older form of a question is answered too', async () => {
  const filters = { insight: 'TRENDS', events: [{ id: 'view', type: 'events', order: 0 }], date_from: '-1d' };
  const { body: made } = await app.send('POST', '/insights/', { filters });
  const { body } = await app.send('GET', `/insights/${made.id}/?refresh=blocking`);
  assert.equal(body.result[0].count, 2, JSON.stringify(body.query_status));
  const asked = await app.send('POST', '/insights/trend/', { events: filters.events, date_from: '-1d' });
  assert.equal(asked.body.result[0].count, 2, asked.text);
  const query = `events=${encodeURIComponent(JSON.stringify(filters.events))}&properties=nonsense`;
  const bad = await app.send('GET', `/insights/trend/?${query}`);
  assert.deepEqual([bad.status, bad.body.detail], [400, 'Properties are unparsable!']);
  assert.equal((await app.send('POST', '/insights/cancel/', {})).body.detail, 'Field is required.');
  assert.equal((await app.send('POST', '/insights/cancel/', { client_query_id: 'x' })).status, 201);
});

for (const [path, filters] of [
  [
    'funnel',
    {
      events: [
        { id: 'view', order: 0 },
        { id: 'buy', order: 1 },
      ],
    },
  ],
  ['retention', { target_entity: { id: 'view', type: 'events' }, returning_entity: { id: 'view', type: 'events' } }],
  ['path', { include_event_types: ['custom_event'] }],
] as const) {
  test(`the older address of ${path} answers`, async () => {
    const { status, body, text } = await app.send('POST', `/insights/${path}/`, filters);
    assert.equal(status, 200, text);
    assert.ok(Array.isArray(body.result), text);
  });
}

test('another project’s answers are not shown', async () => {
  const there = `/api/projects/${app.other.id}/insights/`;
  const made = await app.send('POST', there, { query: source('view') });
  assert.equal(made.body.result, null);
  const { body } = await app.send('GET', `${there}${made.body.id}/?refresh=blocking`);
  assert.equal(body.result[0].count, 0);
});
