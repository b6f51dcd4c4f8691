// Every refusal that dashboards, tiles, insights, templates, collaborators and shares have words for, over the real server.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accessRefusals } from './dashboards-refusals/access.cases.ts';
import { collaboratorsRefusals } from './dashboards-refusals/collaborators.cases.ts';
import { dashboardsRefusals } from './dashboards-refusals/dashboards.cases.ts';
import { insightsRefusals } from './dashboards-refusals/insights.cases.ts';
import { at, nobody } from './dashboards-refusals/refusal.ts';
import { sharingRefusals } from './dashboards-refusals/sharing.cases.ts';
import { templatesRefusals } from './dashboards-refusals/templates.cases.ts';
import { makeThings } from './dashboards-refusals/things.ts';
import { tilesRefusals } from './dashboards-refusals/tiles.cases.ts';

const things = await makeThings();
const { people, users, open, restricted, viewable, insight, locked, textTile, share } = things;
const { app, get } = people;
after(() => people[Symbol.asyncDispose]());

const tables = [
  dashboardsRefusals,
  tilesRefusals,
  templatesRefusals,
  accessRefusals,
  collaboratorsRefusals,
  sharingRefusals,
  insightsRefusals,
];
const refusals = tables.flatMap((table) => table(things));
for (const [title, who, method, path, body, status, [type, code], detail, attr = null] of refusals) {
  test(`${title} is refused with ${status}`, async () => {
    const answer = await people.ask(who, method, path, body);
    assert.equal(answer.status, status, answer.text);
    const { detail: said, ...rest } = answer.body;
    assert.deepEqual(rest, { type, code, attr });
    if (typeof detail === 'string') assert.equal(said, detail);
    else assert.match(said, detail);
  });
}

test('a refused change of filters leaves them as they were', async () => {
  await get('ada', 'PATCH', at(open), { filters: ['x'] }, 400);
  assert.deepEqual((await people.read('ada', open.id)).filters, {});
});

test('nothing of a refused change of tiles stays', async () => {
  const before = await people.read('ada', open.id);
  const half = {
    name: 'Half',
    tiles: [
      { id: textTile.id, color: 'black' },
      { id: 2147483647, color: 'black' },
    ],
  };
  await get('ada', 'PATCH', at(open), half, 400);
  const { last_accessed_at: _a, ...after } = await people.read('ada', open.id);
  const { last_accessed_at: _b, ...same } = before;
  assert.deepEqual(after, same);
});

test('DELETE of a dashboard, an insight or a template is 405 without a body, whatever the id', async () => {
  for (const path of [at(open), '/dashboards/abc', `/insights/${insight.id}/`, `/dashboard_templates/${nobody}/`]) {
    const { status, text } = await people.ask('ada', 'DELETE', path);
    assert.deepEqual([status, text], [405, ''], path);
  }
  assert.equal((await people.read('ada', open.id)).deleted, false);
});

const session = await app.signIn(users.ada.email);

test('methods that a path does not know are 405 in a session and 403 with a key', async () => {
  const path = at(restricted, 'collaborators/');
  const asKey = await people.ask('ada', 'PATCH', path, {});
  const asSession = await app.send('PATCH', people.project + path, { session, body: {} });
  assert.deepEqual([asKey.status, asKey.body.detail], [403, 'This action does not support personal API key access']);
  assert.deepEqual([asSession.status, asSession.body.detail], [405, 'Method "PATCH" not allowed.']);
});

test('what is viewed is noted in a session only', async () => {
  for (const [method, path] of [
    ['GET', '/insights/my_last_viewed/'],
    ['POST', `/insights/${insight.id}/viewed/`],
  ] as const) {
    const { status, body } = await people.ask('ada', method, path);
    assert.deepEqual([status, body.detail], [403, 'This action does not support personal API key access']);
  }
});

test('insights and templates take JSON only, dashboards also forms', async () => {
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  for (const path of ['/insights/', '/dashboards/create_from_template_json/']) {
    const { status, body } = await people.ask('ada', 'POST', path, 'name=replaced', form);
    assert.deepEqual([status, body.code], [415, 'unsupported_media_type'], path);
  }
  const replaced = await people.ask('ada', 'PATCH', at(viewable), 'name=replaced&pinned=true', form);
  assert.deepEqual([replaced.status, replaced.body.name, replaced.body.pinned], [200, 'replaced', true]);
});

test('a wrong sharing token opens nothing', async () => {
  const read = (path: string) => app.send('GET', people.project + path);
  const wrong = await read('/insights/?sharing_access_token=nonsense');
  assert.deepEqual([wrong.status, wrong.body.detail], [401, 'Sharing access token is invalid.']);
  const elsewhere = await read(`/insights/${locked.id}/?sharing_access_token=${share.access_token}`);
  assert.deepEqual([elsewhere.status, elsewhere.body.detail], [404, 'Not found.']);
  const dashboards = await read(`/dashboards/?sharing_access_token=${share.access_token}`);
  assert.equal(dashboards.status, 401);
});

test('no refusal was a failure of the server', () => assert.deepEqual(people.failures(), []));
