// Insights as objects: their fields, their place on dashboards, how lists find them, and who looked at them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startDashboardsApp } from '../model/dashboards-app.ts';

const people = await startDashboardsApp();
after(() => people[Symbol.asyncDispose]());
const { app, get, make, makeInsight, users } = people;

const BASIC_FIELDS = `id short_id name derived_name filters query dashboards dashboard_tiles description last_refresh
  refreshing saved tags updated_at created_by created_at last_modified_at favorited`;

test('an insight is made of nothing, or of a question', async () => {
  const empty = await get('ada', 'POST', '/insights/', {}, 201);
  assert.match(empty.short_id, /^[0-9a-zA-Z]{8}$/);
  assert.deepEqual([empty.name, empty.query, empty.filters, empty.result], [null, null, { insight: 'TRENDS' }, null]);
  assert.deepEqual([empty.created_by.id, empty.last_modified_by.id], [users.ada.id, users.ada.id]);
  const query = {
    kind: 'InsightVizNode',
    source: { kind: 'FunnelsQuery', series: [{ kind: 'EventsNode', event: 'a' }] },
  };
  const asked = await get('ada', 'POST', '/insights/', { name: 'Funnel', query, filters: { insight: 'FUNNELS' } }, 201);
  assert.deepEqual([asked.query, asked.filters], [query, {}]);
  assert.deepEqual(
    await get('bob', 'GET', `/insights/${asked.short_id}/`),
    await get('bob', 'GET', `/insights/${asked.id}/`),
  );
});

test('only a change of substance moves the modification, and any change ends being a sample', async () => {
  const { tiles } = await make('ada', { use_template: 'DEFAULT_APP' });
  const { id, is_sample, created_by, last_modified_at } = tiles[0].insight;
  assert.deepEqual([is_sample, created_by], [true, null]);
  const change = (body: object) => get('bob', 'PATCH', `/insights/${id}/`, body, 200);
  const favoured = await change({ favorited: true, tags: ['x'] });
  assert.deepEqual(
    [favoured.last_modified_at, favoured.last_modified_by, favoured.is_sample],
    [last_modified_at, null, false],
  );
  const same = await change({ name: tiles[0].insight.name });
  assert.equal(same.last_modified_at, last_modified_at);
  const renamed = await change({ name: 'Renamed' });
  assert.ok(renamed.last_modified_at > last_modified_at);
  assert.equal(renamed.last_modified_by.id, users.bob.id);
});

test('dashboards are a set: added, kept, removed, and a tile comes back as it was', async () => {
  const [a, b, c] = [await make('ada'), await make('ada'), await make('ada')];
  const { id } = await makeInsight('ada', 'Set', [a.id, b.id, a.id]);
  const place = async (dashboards: number[]) => {
    const body = await get('ada', 'PATCH', `/insights/${id}/`, { dashboards }, 200);
    return [...body.dashboards].sort((x: number, y: number) => x - y);
  };
  const [tile] = (await people.read('ada', b.id)).tiles;
  await get('ada', 'PATCH', `/dashboards/${b.id}/`, { tiles: [{ id: tile.id, color: 'blue' }] });
  assert.deepEqual(await place([a.id, c.id]), [a.id, c.id]);
  assert.deepEqual((await people.read('ada', b.id)).tiles, []);
  assert.deepEqual(await place([b.id]), [b.id]);
  const [back] = (await people.read('ada', b.id)).tiles;
  assert.deepEqual([back.id, back.color], [tile.id, 'blue']);
  const { name, dashboards } = await get('ada', 'PATCH', `/insights/${id}/`, { name: 'Still there' });
  assert.deepEqual([name, dashboards], ['Still there', [b.id]]);
});

test('a deleted insight is off every dashboard and unknown, and comes back without them', async () => {
  const dashboard = await make('ada');
  const { id } = await makeInsight('ada', 'Gone', [dashboard.id]);
  const gone = await get('ada', 'PATCH', `/insights/${id}/`, { deleted: true, dashboards: [dashboard.id] }, 200);
  assert.deepEqual([gone.deleted, gone.dashboards], [true, []]);
  await get('ada', 'GET', `/insights/${id}/`, undefined, 404);
  await get('ada', 'PATCH', `/insights/${id}/`, { name: 'x' }, 404);
  assert.deepEqual((await people.read('ada', dashboard.id)).tiles, []);
  assert.equal((await get('ada', 'PATCH', `/insights/${id}/`, { deleted: false }, 200)).deleted, false);
});

test('lists find by everything they offer, in every order they offer', async () => {
  const dashboard = await make('ada');
  const second = await make('ada');
  const ask = (name: string, kind: string, more: object = {}) =>
    get('ada', 'POST', '/insights/', {
      name,
      query: { kind: 'InsightVizNode', source: { kind } },
      tags: ['listed'],
      ...more,
    });
  const trend = await ask('Listed trend', 'TrendsQuery', { dashboards: [dashboard.id, second.id], favorited: true });
  const funnel = await ask('Listed funnel', 'FunnelsQuery', { saved: true, description: 'a haystack' });
  const other = await ask('Listed other', 'EventsQuery', { dashboards: [dashboard.id] });
  const legacy = await get('bob', 'POST', '/insights/', {
    name: 'Listed legacy',
    tags: ['listed'],
    filters: { insight: 'RETENTION', breakdown: '$feature/beta' },
  });
  const names = async (query: string) => {
    const { results } = await get('ada', 'GET', `/insights/?tags=["listed"]&${query}`);
    return results.map(({ name }: { name: string }) => name.replace('Listed ', '')).sort();
  };
  const table: Record<string, string[]> = {
    '': ['funnel', 'legacy', 'other', 'trend'],
    [`short_id=${funnel.short_id}`]: ['funnel'],
    [`created_by=${users.bob.id}`]: ['legacy'],
    'user=true': ['funnel', 'other', 'trend'],
    'favorited=true': ['trend'],
    'saved=true': ['funnel', 'other', 'trend'],
    'saved=false': ['legacy'],
    'insight=TRENDS': ['trend'],
    'insight=funnels': ['funnel'],
    'insight=RETENTION': ['legacy'],
    'insight=JSON': ['other'],
    'search=HAYSTACK': ['funnel'],
    'search=listed+t': ['trend'],
    'feature_flag=beta': ['legacy'],
    'feature_flag=bet': [],
    [`dashboards=[${dashboard.id}]`]: ['other', 'trend'],
    [`dashboards=[${dashboard.id},${second.id}]`]: ['trend'],
    'dashboards=[0]': [],
    'date_from=-1d': ['funnel', 'legacy', 'other', 'trend'],
    'date_to=-1d': [],
    'unknown=1': ['funnel', 'legacy', 'other', 'trend'],
  };
  for (const [query, expected] of Object.entries(table)) assert.deepEqual(await names(query), expected, query);

  const ids = async (query: string) => {
    const { results } = await get('ada', 'GET', `/insights/?tags=["listed"]&${query}`);
    return results.map(({ id }: { id: number }) => id);
  };
  const made = [trend.id, funnel.id, other.id, legacy.id];
  assert.deepEqual(await ids('order=created_at'), made);
  assert.deepEqual(await ids('order=-created_at'), made.toReversed());
  assert.deepEqual(await ids('order=name'), [funnel.id, legacy.id, other.id, trend.id]);
  assert.deepEqual(await ids('limit=1&offset=1&order=id'), [funnel.id]);
  const { results, count } = await get('ada', 'GET', '/insights/?tags=["listed"]&basic=true&limit=2');
  assert.equal(count, 4);
  assert.deepEqual(Object.keys(results[0]).sort(), BASIC_FIELDS.split(/\s+/).sort());
});

test('what somebody looked at is theirs, the latest first', async () => {
  const session = await app.signIn(users.ada.email);
  const ids: number[] = [];
  for (let n = 0; n < 6; n += 1) ids.push((await makeInsight('ada', `Viewed ${n}`)).id);
  for (const id of [...ids, ids[0]]) {
    const viewed = await app.send('POST', `${people.project}/insights/${id}/viewed/`, { session });
    assert.deepEqual([viewed.status, viewed.text], [201, '']);
  }
  const { body } = await app.send('GET', `${people.project}/insights/my_last_viewed/`, { session });
  assert.deepEqual(
    body.map(({ id }: { id: number }) => id),
    [ids[0], ids[5], ids[4], ids[3], ids[2]],
  );
  const bob = await app.send('GET', `${people.project}/insights/my_last_viewed/`, {
    session: await app.signIn(users.bob.email),
  });
  assert.deepEqual(bob.body, []);
});

test('the log tells who changed an insight and where it stands', async () => {
  const dashboard = await make('ada');
  const { id, short_id } = await makeInsight('ada', 'Logged');
  await get('bob', 'PATCH', `/insights/${id}/`, { dashboards: [dashboard.id], saved: true });
  const { results } = await get('ada', 'GET', `/insights/${id}/activity/`);
  assert.deepEqual(
    results.map(({ activity }: { activity: string }) => activity),
    ['updated', 'created'],
  );
  assert.equal(results[0].detail.short_id, short_id);
  assert.deepEqual(results[0].detail.changes, [
    { type: 'Insight', action: 'changed', field: 'saved', before: false, after: true },
    { type: 'Insight', action: 'changed', field: 'dashboards', before: [], after: [dashboard.id] },
  ]);
});
