// The endpoint of queries, over HTTP, on both engines.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { startQueryApp } from './query-app.ts';

const app = await startQueryApp();
after(() => app[Symbol.asyncDispose]());

const ANN = '11111111-1111-4111-8111-111111111111';
const BOB = '22222222-2222-4222-8222-222222222222';
const now = Date.now() * 1_000;
const HOUR = 3_600_000_000;
await app.storeEvents([
  {
    event: 'view',
    person_id: ANN,
    distinct_id: 'ann',
    timestamp: now - 2 * HOUR,
    properties: '{"plan":"pro","$current_url":"https://x.io/a"}',
  },
  { event: 'view', person_id: BOB, distinct_id: 'bob', timestamp: now - 3 * HOUR, properties: '{"plan":"free"}' },
  { event: 'buy', person_id: ANN, distinct_id: 'ann', timestamp: now - HOUR, properties: '{"price":5}' },
]);
await app.storeEvents([{ team_id: app.other.id, event: 'foreign', timestamp: now - HOUR }]);

const trends = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'view' }],
  dateRange: { date_from: '-3d' },
};

test('SQL is answered with its columns, types and everything around it', async () => {
  const { status, body } = await app.sql(
    'select event, count() as total from events group by event order by total desc',
  );
  assert.equal(status, 200);
  assert.deepEqual(body.results, [
    ['view', 2],
    ['buy', 1],
  ]);
  assert.deepEqual(body.columns, ['event', 'total']);
  assert.deepEqual(body.types, [
    ['event', 'LowCardinality(String)'],
    ['total', 'UInt64'],
  ]);
  assert.deepEqual(
    [body.hasMore, body.limit, body.offset, body.is_cached, body.query_status, body.timezone],
    [false, 100, 0, false, null, 'UTC'],
  );
  assert.match(body.cache_key, /^cache_/);
});

test('an answer is computed once while it is fresh', async () => {
  const first = await app.query(trends);
  assert.equal(first.status, 200, first.text);
  assert.equal(first.body.is_cached, false);
  assert.equal(first.body.results[0].count, 2);
  const second = await app.query({ kind: 'InsightVizNode', source: trends });
  assert.equal(second.body.is_cached, true);
  assert.deepEqual(second.body.results, first.body.results);
  assert.equal(second.body.last_refresh, first.body.last_refresh);
  const forced = await app.query(trends, { refresh: 'force_blocking' });
  assert.equal(forced.body.is_cached, false);
  assert.ok(forced.body.last_refresh > first.body.last_refresh);
});

test('a query runs while nobody waits, and its answer is fetched', async () => {
  const { status, body } = await app.sql('select count() from events', {
    refresh: 'force_async',
    client_query_id: 'mine',
  });
  assert.equal(status, 202);
  assert.equal(body.query_status.id, 'mine');
  assert.equal(body.query_status.complete, false);
  await eventually('the run ends', async () => (await app.send('GET', '/query/mine/')).status === 200);
  const ended = await app.send('GET', '/query/mine/');
  assert.equal(ended.body.query_status.complete, true);
  assert.deepEqual(ended.body.query_status.results.results, [[3]]);
  assert.equal((await app.send('GET', '/query/unknown/')).status, 404);
  assert.equal((await app.send('GET', `/api/projects/${app.other.id}/query/mine/`)).status, 404);
});

test('a run that fails says why', async () => {
  await app.sql('select nothing from events', { refresh: 'force_async', client_query_id: 'bad' });
  await eventually('the run fails', async () => (await app.send('GET', '/query/bad/')).status === 400);
  const { body } = await app.send('GET', '/query/bad/');
  assert.equal(body.query_status.error, true);
  assert.match(body.query_status.error_message, /Unable to resolve field: nothing/);
});

const ENDLESS =
  'select count() from (select arrayJoin(range(30000)) as a) x cross join (select arrayJoin(range(30000)) as b) y cross join (select arrayJoin(range(30000)) as c) z where cityHash64(a, b, c) = 1';

/** How many such statements the engine runs. */
const running = async () => {
  const rows = await app.tables.ask<{ n: number }>(
    "select toUInt32(count()) as n from system.processes where query like '%range(30000)%' and query not like '%processes%'",
  );
  return rows[0]!.n;
};

test('a cancelled query is stopped in the engine', async () => {
  const asked = app.sql(ENDLESS, { client_query_id: 'endless' });
  await eventually('the query runs', async () => (await running()) > 0);
  const { status } = await app.send('DELETE', '/query/endless/');
  assert.equal(status, 200);
  const answer = await asked;
  assert.equal(answer.status, 400);
  assert.equal(answer.body.code, 'cancelled');
  await eventually('the engine has stopped', async () => (await running()) === 0);
});

test('a query whose client leaves is stopped in the engine', async () => {
  const body = JSON.stringify({ query: { kind: 'HogQLQuery', query: ENDLESS } });
  await leaveWhileItRuns('/query/', { method: 'POST', body });
});

test('a dashboard whose reader leaves computes no more of its tiles', async () => {
  const { body: dashboard } = await app.send('POST', '/dashboards/', { name: 'Endless' });
  for (const n of [1, 2, 3, 4, 5, 6]) {
    const query = {
      kind: 'DataVisualizationNode',
      source: { kind: 'HogQLQuery', query: `${ENDLESS} and ${n} = ${n}` },
    };
    const { status, text } = await app.send('POST', '/insights/', { query, dashboards: [dashboard.id] });
    assert.equal(status, 201, text);
  }

  await leaveWhileItRuns(`/dashboards/${dashboard.id}/?refresh=blocking`);
});

/** Asks for what never ends, and goes. */
async function leaveWhileItRuns(path: string, init: RequestInit = {}): Promise<void> {
  const leave = new AbortController();
  const asked = fetch(`${app.url}/api/projects/${app.project.id}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${await app.addKey(['*'])}`, 'content-type': 'application/json' },
    signal: leave.signal,
  });
  await eventually('the query runs', async () => (await running()) > 0);
  leave.abort();
  await assert.rejects(asked, { name: 'AbortError' });
  await eventually('the engine has stopped', async () => (await running()) === 0);
}

test('a run tells how far it is', async () => {
  const text = ENDLESS.replace('select count() from', 'select count() from events cross join');
  await app.sql(text, { refresh: 'force_async', client_query_id: 'far' });
  let progress: Record<string, number> | null = null;
  await eventually('something was read', async () => {
    const { body } = await app.send('GET', '/query/far/');
    assert.equal(body.query_status.complete, false);
    progress = body.query_status.query_progress;
    return progress !== null && progress.rows_read! > 0;
  });
  const names = ['active_cpu_time', 'bytes_read', 'estimated_rows_total', 'rows_read', 'time_elapsed'];
  assert.deepEqual(Object.keys(progress!).sort(), names);
  await app.send('DELETE', '/query/far/');
  await eventually('it has ended', async () => {
    const { body } = await app.send('GET', '/query/far/');
    return body.query_status.complete && body.query_status.query_progress === null;
  });
});

const refused: [title: string, query: unknown, status: number, detail: RegExp][] = [
  ['no query', undefined, 400, /required/],
  ['a text', 'select 1', 400, /valid dictionary/],
  ['an unknown kind', { kind: 'Nonsense' }, 400, /"Nonsense" is no kind of query/],
  ['an unknown key', { kind: 'HogQLQuery', query: 'select 1', nonsense: 1 }, 400, /JSON parse error - query.*nonsense/],
  ['a mistake in SQL', { kind: 'HogQLQuery', query: 'select count(' }, 400, /Syntax error/],
  ['types that do not fit', { kind: 'HogQLQuery', query: 'select arrayMap(x -> x, 5)' }, 400, /[Aa]rray/],
];
for (const [title, query, status, detail] of refused) {
  test(`${title} is refused`, async () => {
    const answer = await app.query(query);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.body.detail, detail);
  });
}

test('whoever may read queries may ask; others may not', async () => {
  const ask = (key: string) => app.send('POST', '/query/', { query: { kind: 'HogQLQuery', query: 'select 1' } }, key);
  assert.equal((await ask(await app.addKey(['query:read']))).status, 200);
  assert.equal((await ask(await app.addKey(['insight:read']))).status, 403);
});

test('events are listed by columns of one’s own', async () => {
  const { status, body, text } = await app.query({
    kind: 'EventsQuery',
    select: ['*', 'event', 'properties.plan -- Plan', 'person', 'timestamp'],
    properties: [{ key: 'plan', value: 'pro' }],
  });
  assert.equal(status, 200, text);
  assert.deepEqual(body.columns.slice(1, 3), ['event', 'Plan']);
  const [[whole, event, plan, person]] = body.results;
  assert.equal(body.results.length, 1);
  assert.deepEqual([event, plan, person.uuid, person.distinct_id], ['view', 'pro', ANN, 'ann']);
  assert.deepEqual([whole.event, whole.properties.plan, whole.distinct_id], ['view', 'pro', 'ann']);
});

test('events are counted by columns of one’s own', async () => {
  const { body, text } = await app.query({ kind: 'EventsQuery', select: ['event', 'count()'], after: '-7d' });
  assert.deepEqual(
    body.results,
    [
      ['view', 2],
      ['buy', 1],
    ],
    text,
  );
});

test('the persons behind a point are listed', async () => {
  const source = {
    kind: 'InsightActorsQuery',
    source: trends,
    day: new Date((now - 2 * HOUR) / 1_000).toISOString().slice(0, 10),
    series: 0,
  };
  const { status, body, text } = await app.query({ kind: 'ActorsQuery', source, select: ['id', 'event_count'] });
  assert.equal(status, 200, text);
  assert.ok(
    body.results.some(([id]: [string]) => id === ANN),
    text,
  );
});

test('an action is made, used in a query, and deleted', async () => {
  const made = await app.send('POST', '/actions/', { name: 'Looked', steps: [{ event: 'view', url: 'x.io' }] });
  assert.equal(made.status, 201, made.text);
  const series = [{ kind: 'ActionsNode', id: made.body.id }];
  const counted = await app.query({ ...trends, series });
  assert.equal(counted.body.results?.[0].count, 1, counted.text);
  assert.equal(counted.body.results[0].label, 'Looked');
  assert.equal((await app.send('POST', '/actions/', { name: 'Looked' })).status, 400);
  assert.equal((await app.send('PATCH', `/actions/${made.body.id}/`, { deleted: true })).status, 200);
  assert.equal((await app.send('GET', `/actions/${made.body.id}/`)).status, 404);
  const gone = await app.query({ ...trends, series }, { refresh: 'force_blocking' });
  assert.equal(gone.status, 400);
  assert.match(gone.body.detail, /does not exist/);
});

test('events of an action are listed', async () => {
  const made = await app.send('POST', '/actions/', {
    name: 'Of somebody who pays',
    steps: [{ event: 'buy' }, { event: 'view', properties: [{ key: 'plan', value: 'pro', type: 'event' }] }],
  });
  assert.equal(made.status, 201, made.text);
  const listed = async (id: number) =>
    (await app.send('GET', `/events/?action_id=${id}`)).body.results.map(({ event }: { event: string }) => event);
  assert.deepEqual(await listed(made.body.id), ['buy', 'view']);
  assert.deepEqual(await listed(99999), []);
});

test('an annotation is made, found, changed and deleted', async () => {
  const made = await app.send('POST', '/annotations/', {
    content: 'Launch',
    date_marker: '2025-03-01T00:00:00Z',
    scope: 'project',
  });
  assert.equal(made.status, 201, made.text);
  const path = `/annotations/${made.body.id}/`;
  assert.equal((await app.send('GET', '/annotations/?search=laun')).body.count, 1);
  assert.equal((await app.send('PATCH', path, { content: 'Relaunch' })).body.content, 'Relaunch');
  assert.equal((await app.send('GET', `/api/projects/${app.other.id}${path}`)).status, 404);
  assert.equal((await app.send('DELETE', path)).status, 405);
  assert.equal((await app.send('PATCH', path, { deleted: true })).status, 200);
  assert.equal((await app.send('GET', '/annotations/')).body.count, 0);
});

test('a cohort by its filters is asked for in SQL', async () => {
  const { body, status, text } = await app.sql('select count() from events where person_id in cohort 99999');
  assert.equal(status, 400, text);
  assert.match(body.detail, /Cohort with ID 99999 does not exist/);
});

test('who is in which cohort is asked for in SQL', async () => {
  const made = await app.send('POST', '/cohorts/', { name: 'Named', is_static: true });
  assert.equal(made.status, 201, made.text);
  for (const table of ['cohort_people', 'static_cohort_people']) {
    const { status, text, body } = await app.sql(`select cohort_id, person_id from ${table}`);
    assert.equal(status, 200, text);
    assert.deepEqual(body.results, []);
  }
});
