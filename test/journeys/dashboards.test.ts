// What dashboards promise: their shapes, their life from creation to deletion and back, and what happens to their tiles.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startDashboardsApp } from '../model/dashboards-app.ts';

const people = await startDashboardsApp();
after(() => people[Symbol.asyncDispose]());
const { app, get, make, makeInsight, read, users } = people;

const LIST_FIELDS = `id name description pinned created_at created_by is_shared deleted creation_mode tags
  restriction_level effective_restriction_level effective_privilege_level user_access_level access_control_version`;
const FULL_FIELDS = `use_template use_dashboard delete_insights filters variables tiles`;
const LATER_FIELDS = `breakdown_colors data_color_theme_id persisted_filters persisted_variables last_accessed_at
  last_refresh team_id`;
const INSIGHT_FIELDS = `columns created_at created_by dashboard_tiles dashboards deleted derived_name description
  effective_privilege_level effective_restriction_level favorited filters filters_hash hasMore id is_cached is_sample
  last_modified_at last_modified_by last_refresh name next_allowed_client_refresh cache_target_age order query
  query_status result saved short_id tags timezone updated_at user_access_level hogql types`;
const USER_FIELDS =
  'id uuid distinct_id first_name last_name email is_email_verified hedgehog_config role_at_organization';

const words = (...texts: string[]) => texts.join(' ').trim().split(/\s+/).sort();
const fieldsOf = (value: object) => Object.keys(value).sort();
const namesOf = (tiles: { insight: { name: string } | null; text: { body: string } | null }[]) =>
  tiles.map(({ insight, text }) => insight?.name ?? text?.body);
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
const sorted = (values: any[]) => [...values].sort();

test('a list shows exactly fifteen fields on both prefixes, a single dashboard all of them', async () => {
  const made = await make('ada', { name: 'Shapes' });
  assert.deepEqual(fieldsOf(made), words(LIST_FIELDS, FULL_FIELDS, LATER_FIELDS));
  assert.deepEqual(fieldsOf(await read('ada', made.id)), fieldsOf(made));
  assert.deepEqual(fieldsOf(await get('ada', 'PATCH', `/dashboards/${made.id}/`, { pinned: true })), fieldsOf(made));
  for (const prefix of ['projects', 'environments']) {
    const { results, ...page } = await get('ada', 'GET', `/api/${prefix}/${app.project.id}/dashboards/`);
    assert.deepEqual(page, { count: 1, next: null, previous: null });
    assert.deepEqual(fieldsOf(results[0]), words(LIST_FIELDS));
    assert.deepEqual(fieldsOf(results[0].created_by), words(USER_FIELDS));
  }
  await get('ada', 'PATCH', `/dashboards/${made.id}/`, { deleted: true });
});

test('an empty body makes a nameless dashboard with the defaults of the interface', async () => {
  const { id, created_at, created_by, ...made } = await make('ada');
  assert.deepEqual(made, {
    name: null,
    description: '',
    pinned: false,
    is_shared: false,
    deleted: false,
    creation_mode: 'default',
    tags: [],
    restriction_level: 21,
    effective_restriction_level: 21,
    effective_privilege_level: 37,
    user_access_level: 'editor',
    access_control_version: 'v2',
    use_template: '',
    use_dashboard: null,
    delete_insights: false,
    filters: {},
    variables: {},
    tiles: [],
    breakdown_colors: null,
    data_color_theme_id: null,
    persisted_filters: null,
    persisted_variables: null,
    last_accessed_at: null,
    last_refresh: null,
    team_id: app.project.id,
  });
  assert.equal(created_by.uuid, users.ada.uuid);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  await get('ada', 'PATCH', `/dashboards/${id}/`, { deleted: true });
});

test('pinned dashboards come first, then names in order, nameless ones last; paging follows', async () => {
  for (const name of ['b dashboard', null, 'a dashboard']) await make('ada', { name });
  await make('ada', { name: 'z pinned', pinned: 'true' });
  const page = (query: string) => get('bob', 'GET', `/dashboards/${query}`);
  const all = await page('');
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  const names = ({ results }: any) => results.map(({ name }: { name: string }) => name);
  assert.deepEqual(names(all), ['z pinned', 'a dashboard', 'b dashboard', null]);
  const second = await page('?limit=2&offset=2');
  assert.deepEqual([second.count, names(second), second.next], [4, ['b dashboard', null], null]);
  assert.match(second.previous, /\/dashboards\/\?limit=2$/);
  assert.deepEqual([(await page('?offset=9')).count, (await page('?offset=9')).results], [4, []]);
  assert.match((await page('?limit=1')).next, /\?limit=1&offset=1$/);
});

test('lists find by search, by tag and by how a dashboard was made', async () => {
  await make('ada', { name: 'Needle 100%', tags: ['  Growth ', 'growth', 'Q3'] });
  await make('ada', { description: 'a needle in the hay' });
  await make('ada', { name: 'tagged', tags: ['needlework'] });
  const count = async (query: string) => (await get('ada', 'GET', `/dashboards/?${query}`)).count;
  assert.equal(await count('search=NEEDLE'), 3);
  assert.equal(await count('search=100%25'), 1);
  assert.equal(await count('search=100_'), 0);
  assert.equal(await count('tags=growth'), 1);
  assert.equal(await count('tags=q3&tags=needlework'), 2);
  assert.equal(await count('creation_mode=template'), 0);
  assert.deepEqual(await get('ada', 'GET', '/tags/'), ['growth', 'needlework', 'q3']);
});

test('tags replace each other, are kept once in lower case, and go with an empty list', async () => {
  const { id, tags } = await make('ada', { tags: ['B', 'a', ' b '] });
  assert.deepEqual(tags, ['a', 'b']);
  const change = async (body: object) => (await get('ada', 'PATCH', `/dashboards/${id}/`, body)).tags;
  assert.deepEqual(await change({ name: 'x' }), ['a', 'b']);
  assert.deepEqual(await change({ tags: ['c'] }), ['c']);
  assert.deepEqual(await change({ tags: [] }), []);
});

test('filters and variables are replaced, cleared by an empty object and left by null', async () => {
  const { id, filters } = await make('ada', { filters: { date_from: '-14d', extra: 1 } });
  assert.deepEqual(filters, { date_from: '-14d', extra: 1 });
  const change = async (body: object) => {
    const { filters, variables } = await get('ada', 'PATCH', `/dashboards/${id}/`, body);
    return [filters, variables];
  };
  assert.deepEqual(await change({ filters: { date_to: '-1d' }, variables: { v: { value: 1 } } }), [
    { date_to: '-1d' },
    { v: { value: 1 } },
  ]);
  assert.deepEqual(await change({ filters: null, variables: null }), [{ date_to: '-1d' }, { v: { value: 1 } }]);
  assert.deepEqual(await change({ filters: {}, variables: {} }), [{}, {}]);
});

test("a dashboard's filters show inside its tiles, for this dashboard alone", async () => {
  const { id } = await make('ada', { filters: { date_from: '-14d' } });
  const insight = await makeInsight('ada', 'Filtered', [id]);
  const [tile] = (await read('ada', id)).tiles;
  const [overridden] = (await get('ada', 'GET', `/dashboards/${id}/?filters_override={"date_from":"-1d"}`)).tiles;
  const alone = await get('ada', 'GET', `/insights/${insight.id}/`);
  const there = await get('ada', 'GET', `/insights/${insight.id}/?from_dashboard=${id}`);
  assert.deepEqual(tile.insight.query.dateRange, { date_from: '-14d', date_to: null });
  assert.equal(overridden.insight.query.dateRange.date_from, '-1d');
  assert.equal(alone.query.dateRange, undefined);
  assert.deepEqual([there.query.dateRange.date_from, there.color, there.layouts], ['-14d', null, {}]);
  assert.notEqual(alone.filters_hash, there.filters_hash);
});

test('reading computes nothing: an insight on a tile has all its fields and no result', async () => {
  const { id } = await make('ada');
  await makeInsight('ada', 'Uncomputed', [id]);
  for (const refresh of ['', '?refresh=force_blocking', '?refresh=true']) {
    const { tiles } = await get('ada', 'GET', `/dashboards/${id}/${refresh}`);
    assert.deepEqual(fieldsOf(tiles[0].insight), words(INSIGHT_FIELDS));
    const { result, last_refresh, is_cached } = tiles[0].insight;
    assert.deepEqual([result, last_refresh, is_cached, tiles[0].is_cached], [null, null, false, false]);
  }
});

test('reading notes when a dashboard was last looked at', async () => {
  const { id } = await make('ada');
  await read('bob', id);
  assert.ok((await read('bob', id)).last_accessed_at);
});

test('a deleted dashboard is gone from everywhere, and comes back with every tile it ever had', async () => {
  const { id } = await make('ada', { name: 'Phoenix' });
  const insight = await makeInsight('ada', 'Kept', [id]);
  await get('ada', 'PATCH', `/dashboards/${id}/`, { tiles: [{ text: { body: 'Removed before' } }] });
  const text = (await read('ada', id)).tiles.find((tile: { text: unknown }) => tile.text);
  await get('ada', 'PATCH', `/dashboards/${id}/`, { tiles: [{ id: text.id, deleted: true }] });
  await get('ada', 'PATCH', `/api/projects/${app.project.id}/`, { primary_dashboard: id });

  const gone = await get('ada', 'PATCH', `/dashboards/${id}/`, { deleted: true });
  assert.deepEqual([gone.deleted, gone.tiles], [true, []]);
  await get('ada', 'GET', `/dashboards/${id}/`, undefined, 404);
  assert.equal((await get('ada', 'GET', '/dashboards/?search=Phoenix')).count, 0);
  const { dashboards, dashboard_tiles } = await get('ada', 'GET', `/insights/${insight.id}/`);
  assert.deepEqual([dashboards, dashboard_tiles], [[], []]);
  assert.equal((await get('ada', 'GET', `/api/projects/${app.project.id}/`)).primary_dashboard, null);

  const back = await get('ada', 'PATCH', `/dashboards/${id}/`, { deleted: false });
  assert.deepEqual([back.deleted, sorted(namesOf(back.tiles))], [false, ['Kept', 'Removed before']]);
});

test('delete_insights takes the insights that stand nowhere else, and restoring brings them back', async () => {
  const [one, two] = [await make('ada'), await make('ada')];
  const only = await makeInsight('ada', 'Only here', [one.id]);
  const both = await makeInsight('ada', 'On both', [one.id, two.id]);
  await get('ada', 'PATCH', `/dashboards/${one.id}/`, { deleted: true, delete_insights: true });
  await get('ada', 'GET', `/insights/${only.id}/`, undefined, 404);
  assert.deepEqual((await get('ada', 'GET', `/insights/${both.id}/`)).dashboards, [two.id]);
  await get('ada', 'PATCH', `/dashboards/${one.id}/`, { deleted: false });
  assert.deepEqual((await get('ada', 'GET', `/insights/${only.id}/`)).dashboards, [one.id]);
});

test('a shallow copy shows the same insights and texts on tiles of its own', async () => {
  const source = await make('ada', {
    name: 'Source',
    tags: ['x'],
    filters: { date_from: '-3d' },
    restriction_level: 37,
  });
  await makeInsight('ada', 'Shared', [source.id]);
  const { tiles } = await get('ada', 'PATCH', `/dashboards/${source.id}/`, {
    tiles: [{ text: { body: 'Text' }, color: 'blue', layouts: { sm: { x: 0, y: 0 } } }, { text: { body: 'Gone' } }],
  });
  const removed = tiles.find((tile: { text: { body: string } | null }) => tile.text?.body === 'Gone');
  await get('ada', 'PATCH', `/dashboards/${source.id}/`, { tiles: [{ id: removed.id, deleted: true }] });
  const before = await read('ada', source.id);

  const copy = await make('ada', { use_dashboard: source.id });
  assert.deepEqual(
    [copy.name, copy.tags, copy.restriction_level, copy.creation_mode, copy.filters],
    [null, [], 21, 'duplicate', { date_from: '-3d' }],
  );
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  const content = ({ tiles }: any) => tiles.map((t: any) => [t.insight?.id, t.text?.id, t.color, t.layouts]);
  assert.deepEqual(content(copy), content(before));
  const ids = new Set([...copy.tiles, ...before.tiles].map(({ id }) => id));
  assert.equal(ids.size, copy.tiles.length * 2);
});

test('a deep copy has insights and texts of its own, named as copies; a nameless one stays nameless', async () => {
  const source = await make('ada');
  const insight = await get('ada', 'POST', '/insights/', { name: 'Original', tags: ['t'], dashboards: [source.id] });
  await get('ada', 'POST', '/insights/', { dashboards: [source.id] });
  await get('ada', 'POST', '/insights/', { name: 'n'.repeat(400), dashboards: [source.id] });
  await get('ada', 'PATCH', `/dashboards/${source.id}/`, { tiles: [{ text: { body: 'Text' } }] });
  const { tiles } = await make('bob', { name: 'Mine', use_dashboard: source.id, duplicate_tiles: true });
  assert.deepEqual(namesOf(tiles), ['Original (Copy)', undefined, `${'n'.repeat(393)} (Copy)`, 'Text']);
  assert.notEqual(tiles[0].insight.id, insight.id);
  assert.deepEqual([tiles[0].insight.tags, tiles[0].insight.created_by.id], [['t'], users.bob.id]);
});

test('text tiles are written, changed, coloured, removed and brought back', async () => {
  const { id } = await make('ada');
  const patch = async (...tiles: object[]) => (await get('bob', 'PATCH', `/dashboards/${id}/`, { tiles })).tiles;
  const [made] = await patch({
    text: { body: '## Notes' },
    layouts: { sm: { x: 0, y: 10, w: 12, h: 2 } },
    color: null,
  });
  const { text, ...tile } = made;
  assert.deepEqual(tile, {
    id: made.id,
    layouts: { sm: { x: 0, y: 10, w: 12, h: 2 } },
    color: null,
    insight: null,
    order: 0,
    last_refresh: null,
    is_cached: false,
  });
  assert.deepEqual(fieldsOf(text), words('id body created_by last_modified_at last_modified_by team'));
  assert.deepEqual([text.body, text.created_by.id, text.last_modified_by], ['## Notes', users.bob.id, null]);

  const [changed] = await patch({ ...made, text: { ...text, body: 'Changed' } });
  assert.deepEqual(
    [changed.id, changed.text.id, changed.text.body, changed.text.last_modified_by.id],
    [made.id, text.id, 'Changed', users.bob.id],
  );
  assert.ok(changed.text.last_modified_at > text.last_modified_at);
  const [coloured] = await patch({ id: made.id, color: 'purple', is_cached: true, order: 7 });
  assert.deepEqual([coloured.color, coloured.order, coloured.text.body], ['purple', 0, 'Changed']);
  assert.deepEqual(await patch({ id: made.id, deleted: true }), []);
  assert.equal((await patch({ id: made.id, deleted: false }))[0].text.body, 'Changed');
  const [renewed] = await patch({ id: made.id, text: { body: 'Another text' } });
  assert.equal(renewed.id, made.id);
  assert.notEqual(renewed.text.id, text.id);
  const orphans = await app.db.selectFrom('dashboard_text').select('id').where('id', '=', text.id).execute();
  assert.deepEqual(orphans, [], 'a text that nothing shows is gone');
});

test('tiles are listed as they are read, and laid out anew in a given order', async () => {
  const { id } = await make('ada');
  const place = (body: string, x: number, y: number) => ({ text: { body }, layouts: { sm: { x, y } } });
  const tiles = [place('d', 6, 5), place('c', 0, 5), place('b', 6, 0), { text: { body: 'e' } }, place('a', 0, 0)];
  const listed = (await get('ada', 'PATCH', `/dashboards/${id}/`, { tiles })).tiles;
  assert.deepEqual(namesOf(listed), ['a', 'b', 'c', 'd', 'e']);
  assert.deepEqual(
    listed.map(({ order }: { order: number }) => order),
    [0, 1, 2, 3, 4],
  );
  const tile_order = listed.map(({ id }: { id: number }) => id).reverse();
  const reordered = (await get('ada', 'POST', `/dashboards/${id}/reorder_tiles/`, { tile_order })).tiles;
  assert.deepEqual(namesOf(reordered), ['e', 'd', 'c', 'b', 'a']);
  assert.deepEqual(reordered[3].layouts, { sm: { x: 6, y: 5, w: 6, h: 5 }, xs: { x: 0, y: 15, w: 6, h: 5 } });
});

test('a tile moves whole, answers with nothing, and takes the place of one that was removed there', async () => {
  const [from, to] = [await make('ada'), await make('ada')];
  const insight = await makeInsight('ada', 'Mover', [from.id, to.id]);
  await get('ada', 'PATCH', `/insights/${insight.id}/`, { dashboards: [from.id] });
  const [tile] = (await read('ada', from.id)).tiles;
  const moved = await people.ask('ada', 'PATCH', `/dashboards/${from.id}/move_tile/`, {
    tile: { ...tile, color: 'ignored' },
    toDashboard: to.id,
  });
  assert.deepEqual([moved.status, moved.text], [200, '']);
  assert.deepEqual((await read('ada', from.id)).tiles, []);
  const [arrived] = (await read('ada', to.id)).tiles;
  assert.deepEqual([arrived.id, arrived.insight.id, arrived.color], [tile.id, insight.id, null]);
});

test('a tile is copied to another dashboard, insight or text', async () => {
  const [from, to] = [await make('ada'), await make('ada')];
  await makeInsight('ada', 'Copied', [from.id]);
  const { tiles } = await get('ada', 'PATCH', `/dashboards/${from.id}/`, { tiles: [{ text: { body: 'Note' } }] });
  for (const { id } of tiles) {
    await get('ada', 'POST', `/dashboards/${to.id}/copy_tile/`, { fromDashboardId: from.id, tileId: id }, 200);
  }
  assert.deepEqual(namesOf((await read('ada', to.id)).tiles), ['Copied', 'Note']);
  const again = await get(
    'ada',
    'POST',
    `/dashboards/${to.id}/copy_tile/`,
    { fromDashboardId: from.id, tileId: tiles[1].id },
    400,
  );
  assert.equal(again.detail, 'This text card is already on the destination dashboard.');
});

test('tiles are copied onto their own dashboard', async () => {
  const { id } = await make('ada');
  await makeInsight('ada', 'Twice', [id]);
  const [tile] = (await read('ada', id)).tiles;
  const layouts = { sm: { x: 6, y: 0 } };
  const { tiles } = await get('ada', 'PATCH', `/dashboards/${id}/`, { duplicate_tiles: [{ id: tile.id, layouts }] });
  assert.deepEqual(sorted(namesOf(tiles)), ['Twice', 'Twice (Copy)']);
  assert.deepEqual(tiles.find((each: { id: number }) => each.id !== tile.id).layouts, layouts);
});

test('levels: who restricts, who may still edit, and what each of them sees', async () => {
  const { id } = await make('ada');
  const seen = async (who: 'ada' | 'bob' | 'admin') => {
    const { restriction_level, effective_restriction_level, effective_privilege_level, access_control_version } =
      await read(who, id);
    return [restriction_level, effective_restriction_level, effective_privilege_level, access_control_version];
  };
  assert.deepEqual(await seen('bob'), [21, 21, 37, 'v2']);
  await get('ada', 'PATCH', `/dashboards/${id}/`, { restriction_level: 37 });
  assert.deepEqual(await seen('ada'), [37, 37, 37, 'v1']);
  assert.deepEqual(await seen('admin'), [37, 37, 37, 'v1']);
  assert.deepEqual(await seen('bob'), [37, 37, 21, 'v1']);

  const added = await get(
    'ada',
    'POST',
    `/dashboards/${id}/collaborators/`,
    { user_uuid: users.bob.uuid, level: 37 },
    201,
  );
  assert.deepEqual(fieldsOf(added), words('id dashboard_id user level added_at updated_at user_uuid'));
  assert.deepEqual(await get('bob', 'GET', `/dashboards/${id}/collaborators/`), [added]);
  assert.deepEqual(await seen('bob'), [37, 37, 37, 'v1']);
  await get('bob', 'PATCH', `/dashboards/${id}/`, { name: 'Edited by Bob' }, 200);
  await get('bob', 'PATCH', `/dashboards/${id}/`, { restriction_level: 21 }, 403);
  const removed = await people.ask('ada', 'DELETE', `/dashboards/${id}/collaborators/${users.bob.uuid}/`);
  assert.deepEqual([removed.status, removed.text], [204, '']);
  assert.deepEqual(await get('ada', 'GET', `/dashboards/${id}/collaborators/`), []);
  await get('bob', 'PATCH', `/dashboards/${id}/`, { name: 'x' }, 403);
});

test('access controls: a rule for everyone, a rule for one, and lists that hide', async () => {
  const { id } = await make('ada', { name: 'Secret garden' });
  const found = async (who: 'ada' | 'bob' | 'admin') => (await get(who, 'GET', '/dashboards/?search=Secret')).count;
  const rule = (body: object, status = 200) => get('ada', 'PUT', `/dashboards/${id}/access_controls/`, body, status);

  const none = await rule({ access_level: 'none' });
  assert.deepEqual(
    [none.access_level, none.resource, none.resource_id, none.organization_member, none.role, none.created_by],
    ['none', 'dashboard', String(id), null, null, users.ada.id],
  );
  assert.deepEqual([await found('ada'), await found('bob'), await found('admin')], [1, 0, 1]);
  assert.equal((await read('admin', id)).user_access_level, 'editor');

  const { results } = await get('owner', 'GET', `/api/organizations/${app.organization.id}/members/`);
  const bob = results.find(({ user }: { user: { id: number } }) => user.id === users.bob.id);
  await rule({ access_level: 'viewer', organization_member: bob.id });
  assert.equal(await found('bob'), 1);
  assert.equal((await read('bob', id)).user_access_level, 'viewer');
  await get('bob', 'PATCH', `/dashboards/${id}/`, { name: 'x' }, 403);

  const all = await get('bob', 'GET', `/dashboards/${id}/access_controls/`);
  assert.deepEqual(
    [
      all.access_controls.length,
      all.available_access_levels,
      all.default_access_level,
      all.user_access_level,
      all.user_can_edit_access_levels,
    ],
    [2, ['none', 'viewer', 'editor'], 'editor', 'viewer', false],
  );
  await rule({ access_level: null, organization_member: bob.id }, 204);
  assert.equal(await found('bob'), 0);
  await rule({ access_level: null }, 204);
  assert.equal((await read('bob', id)).user_access_level, 'editor');
});

test('the log tells who changed what, from what, to what', async () => {
  const { id } = await make('ada', { name: 'Logged' });
  await get('bob', 'PATCH', `/dashboards/${id}/`, { name: 'Renamed', pinned: false, tags: ['t'] });
  await get('bob', 'PATCH', `/dashboards/${id}/`, { name: 'Renamed' });
  await get('ada', 'PATCH', `/dashboards/${id}/`, { deleted: true });
  await get('ada', 'PATCH', `/dashboards/${id}/`, { deleted: false });
  const log = await get('ada', 'GET', `/dashboards/${id}/activity/`);
  assert.deepEqual(
    log.results.map((entry: { user: { id: number }; activity: string }) => [entry.user.id, entry.activity]),
    [
      [users.ada.id, 'restored'],
      [users.ada.id, 'deleted'],
      [users.bob.id, 'updated'],
      [users.ada.id, 'created'],
    ],
  );
  assert.deepEqual(log.results[2].detail, {
    name: 'Renamed',
    short_id: null,
    type: null,
    changes: [
      { type: 'Dashboard', action: 'changed', field: 'name', before: 'Logged', after: 'Renamed' },
      { type: 'Dashboard', action: 'changed', field: 'tags', before: [], after: ['t'] },
    ],
  });
  const first = await get('ada', 'GET', `/activity_log/?scope=Dashboard&item_id=${id}&limit=3`);
  assert.deepEqual([first.results.length, first.total_count, first.previous], [3, 4, null]);
  assert.match(first.next, /page=2/);
  await get('ada', 'PUT', `/dashboards/${id}/access_controls/`, { access_level: 'none' });
  assert.equal((await get('bob', 'GET', `/activity_log/?item_id=${id}&scope=Dashboard`)).total_count, 0);
});
