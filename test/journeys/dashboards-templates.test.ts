// Templates: dashboards made from those built in, from those kept, and from whole ones that a client sends.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { builtInTemplates } from '../../src/dashboards/templates/built-in.ts';
import { startDashboardsApp } from '../model/dashboards-app.ts';

const people = await startDashboardsApp();
after(() => people[Symbol.asyncDispose]());
const { app, get, make, users } = people;

const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'a' }] };
const template = {
  template_name: 'Launch',
  dashboard_description: 'How the launch goes',
  dashboard_filters: { date_from: '-7d' },
  tags: ['Launch'],
  tiles: [
    {
      type: 'INSIGHT',
      name: 'Visits',
      description: 'All',
      query,
      filters: { insight: 'TRENDS' },
      color: 'blue',
      layouts: { sm: { x: 0, y: 0 } },
    },
    { type: 'TEXT', body: 'Read me', layouts: { sm: { x: 0, y: 5 } }, color: null },
    { type: 'BUTTON', url: 'elsewhere' },
  ],
};

for (const { template_name, tiles } of builtInTemplates) {
  test(`a dashboard is made from the template ${template_name}`, async () => {
    const made = await make('ada', { use_template: template_name });
    assert.deepEqual([made.creation_mode, made.name, made.tiles.length], ['template', template_name, tiles.length]);
    assert.deepEqual(
      made.tiles.map(({ insight }: { insight: { name: string } }) => insight.name),
      tiles.map(({ name }) => name),
    );
    const named = await make('ada', { name: 'Mine', use_template: template_name, use_dashboard: null });
    assert.equal(named.name, 'Mine');
  });
}

test('an empty template name makes an empty dashboard', async () => {
  const { creation_mode, tiles } = await make('ada', { use_template: '' });
  assert.deepEqual([creation_mode, tiles], ['default', []]);
});

test('a whole template becomes a dashboard, with 200; its tiles are samples that nobody wrote', async () => {
  const made = await get(
    'bob',
    'POST',
    '/dashboards/create_from_template_json/',
    { template, creation_context: 'onboarding' },
    200,
  );
  assert.deepEqual(
    [made.name, made.description, made.filters, made.tags, made.creation_mode, made.created_by.id],
    ['Launch', 'How the launch goes', { date_from: '-7d' }, ['launch'], 'default', users.bob.id],
  );
  const [insight, text] = made.tiles;
  assert.deepEqual(
    [insight.insight.name, insight.insight.is_sample, insight.insight.created_by, insight.color],
    ['Visits', true, null, 'blue'],
  );
  assert.deepEqual(insight.insight.filters, {});
  const { id, text: words, ...tile } = text;
  assert.deepEqual(tile, {
    color: null,
    insight: null,
    is_cached: false,
    last_refresh: null,
    layouts: { sm: { x: 0, y: 5 } },
    order: 1,
  });
  assert.deepEqual(Object.keys(words).sort(), [
    'body',
    'created_by',
    'id',
    'last_modified_at',
    'last_modified_by',
    'team',
  ]);
  assert.deepEqual([words.body, words.created_by, words.team], ['Read me', null, app.project.id]);
  assert.equal(made.tiles.length, 2);
});

test('a template that cannot be used leaves nothing behind', async () => {
  const before = (await get('ada', 'GET', '/dashboards/')).count;
  const wrong = { ...template, tiles: [template.tiles[0], { type: 'TEXT', body: 'x'.repeat(4001) }] };
  await get('ada', 'POST', '/dashboards/create_from_template_json/', { template: wrong }, 400);
  assert.equal((await get('ada', 'GET', '/dashboards/')).count, before);
});

test('a kept template is listed, found, used, changed and deleted', async () => {
  const made = await get('admin', 'POST', '/dashboard_templates/', template, 201);
  assert.deepEqual(
    [made.scope, made.team_id, made.created_by, made.tags],
    ['team', app.project.id, users.admin.id, ['launch']],
  );
  assert.deepEqual(await get('ada', 'GET', `/dashboard_templates/${made.id}/`), made);
  const names = async (queryText: string) => {
    const { results } = await get('ada', 'GET', `/dashboard_templates/?${queryText}`);
    return results.map(({ template_name }: { template_name: string }) => template_name);
  };
  assert.deepEqual(await names(''), ['Launch', ...builtInTemplates.map(({ template_name }) => template_name)]);
  assert.deepEqual(await names('scope=team'), ['Launch']);
  assert.equal((await names('scope=global')).length, builtInTemplates.length);
  assert.deepEqual(await names('search=LAUNCH'), ['Launch']);
  assert.deepEqual(await names('search=web traffic'), ['Web traffic']);
  assert.deepEqual(await names('limit=1&offset=1'), ['DEFAULT_APP']);
  assert.equal((await make('bob', { use_template: 'Launch' })).tiles.length, 2);

  const renamed = await get('admin', 'PATCH', `/dashboard_templates/${made.id}/`, { template_name: 'Relaunch' }, 200);
  assert.deepEqual([renamed.template_name, renamed.tiles], ['Relaunch', made.tiles]);
  await get('ada', 'PATCH', `/dashboard_templates/${made.id}/`, { template_name: 'Mine' }, 403);
  await get('admin', 'PATCH', `/dashboard_templates/${made.id}/`, { deleted: true }, 200);
  await get('ada', 'GET', `/dashboard_templates/${made.id}/`, undefined, 404);
  assert.equal((await names('scope=team')).length, 0);
});

test('a template for all is shown in every project, and changed where it was made', async () => {
  await app.db.updateTable('account').set({ is_staff: true }).where('id', '=', users.owner.id).execute();
  const made = await get(
    'owner',
    'POST',
    '/dashboard_templates/',
    { ...template, template_name: 'For all', scope: 'global' },
    201,
  );
  const there = `/api/projects/${people.other.project.id}/dashboard_templates/`;
  const seen = await get('outsider', 'GET', `${there}?search=For all`);
  assert.deepEqual(
    seen.results.map(({ id }: { id: string }) => id),
    [made.id],
  );
  assert.equal(
    (await get('outsider', 'PATCH', `${there}${made.id}/`, { deleted: true }, 403)).code,
    'permission_denied',
  );
  await app.db.updateTable('account').set({ is_staff: true }).where('id', '=', users.outsider.id).execute();
  const hidden = await get('outsider', 'PATCH', `${there}${made.id}/`, { scope: 'team' }, 400);
  assert.equal(hidden.detail, 'The original templates cannot be made private as they would be lost.');
  const kept = builtInTemplates[0]!;
  await get('owner', 'PATCH', `/dashboard_templates/${kept.id}/`, { deleted: true }, 403);
  assert.deepEqual(await get('ada', 'GET', `/dashboard_templates/${kept.id}/`), kept);
});

test('the schema of a template is served, and may be kept for two minutes', async () => {
  const { status, body, headers } = await people.ask('ada', 'GET', '/dashboard_templates/json_schema/');
  assert.deepEqual([status, headers.get('cache-control')], [200, 'public, max-age=120']);
  assert.deepEqual(body.required, ['template_name', 'dashboard_description', 'dashboard_filters', 'tiles']);
});
