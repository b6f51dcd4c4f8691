// Who may call which operation on dashboards: a row for each operation of the interface, a column for each caller.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import type { Ask } from '../app.ts';
import { startDashboardsApp } from '../model/dashboards-app.ts';

const people = await startDashboardsApp();
after(() => people[Symbol.asyncDispose]());
const { app, other, users, get, make, makeInsight } = people;

const scoped = (...scopes: string[]) => app.addKey(app.owner.id, { scopes });

const open = await make('ada', { name: 'Open' });
const restricted = await make('ada', { name: 'Restricted', restriction_level: 37 });
const deleted = await make('ada', { name: 'Deleted' });
await get('ada', 'PATCH', `/dashboards/${deleted.id}/`, { deleted: true });
const insight = await makeInsight('ada', 'Sign-ups', [open.id]);
const foreign = await get('outsider', 'POST', `/api/projects/${other.project.id}/dashboards/`, { name: 'Theirs' });
const missing = { id: 2147483647 };
const elsewhere = await app.addKey(users.ada.id, { scoped_teams: [other.project.id] });

/** Bodies that do as little as possible; 400 means that the caller was let in. */
const operations: [method: string, path: (id: number) => string, body: unknown, scope: string][] = [
  ['POST', () => '/dashboards/', { name: [] }, 'dashboard:write'],
  ['GET', () => '/dashboards/', undefined, 'dashboard:read'],
  ['GET', (id) => `/dashboards/${id}/`, undefined, 'dashboard:read'],
  ['PATCH', (id) => `/dashboards/${id}/`, {}, 'dashboard:write'],
  ['PUT', (id) => `/dashboards/${id}/`, {}, 'dashboard:write'],
  ['DELETE', (id) => `/dashboards/${id}/`, undefined, 'dashboard:write'],
  ['PATCH', (id) => `/dashboards/${id}/move_tile/`, {}, 'dashboard:write'],
  ['POST', (id) => `/dashboards/${id}/copy_tile/`, {}, 'dashboard:write'],
  ['POST', (id) => `/dashboards/${id}/reorder_tiles/`, {}, 'dashboard:write'],
  ['POST', () => '/dashboards/create_from_template_json/', {}, 'dashboard:write'],
  ['GET', (id) => `/dashboards/${id}/collaborators/`, undefined, 'dashboard:read'],
  ['POST', (id) => `/dashboards/${id}/collaborators/`, {}, 'dashboard:write'],
  ['DELETE', (id) => `/dashboards/${id}/collaborators/${randomUUID()}/`, undefined, 'dashboard:write'],
  ['GET', (id) => `/dashboards/${id}/sharing/`, undefined, 'sharing_configuration:read'],
  ['PATCH', (id) => `/dashboards/${id}/sharing/`, {}, 'sharing_configuration:write'],
  ['POST', (id) => `/dashboards/${id}/sharing/refresh/`, {}, 'sharing_configuration:write'],
  ['GET', (id) => `/dashboards/${id}/access_controls/`, undefined, 'access_control:read'],
  ['PUT', (id) => `/dashboards/${id}/access_controls/`, {}, 'access_control:write'],
  ['GET', (id) => `/dashboards/${id}/activity/`, undefined, 'activity_log:read'],
  ['GET', () => '/dashboard_templates/', undefined, 'dashboard_template:read'],
  ['POST', () => '/dashboard_templates/', {}, 'dashboard_template:write'],
  ['GET', () => '/tags/', undefined, 'dashboard:read'],
  ['GET', () => '/activity_log/', undefined, 'activity_log:read'],
  ['GET', () => '/insights/', undefined, 'insight:read'],
  ['POST', () => '/insights/', { name: [] }, 'insight:write'],
  ['GET', () => `/insights/${insight.id}/`, undefined, 'insight:read'],
  ['PATCH', () => `/insights/${insight.id}/`, { name: [] }, 'insight:write'],
  ['GET', () => `/insights/${insight.id}/sharing/`, undefined, 'sharing_configuration:read'],
  ['GET', () => `/insights/${insight.id}/activity/`, undefined, 'activity_log:read'],
];

const LET_IN = [200, 400, 404, 405];
const SOMETHING_ELSE = ['feature_flag:write', 'project:write'];

for (const [method, path, body, scope] of operations) {
  const [object, action] = scope.split(':');
  const name = `${method} ${path(0)}`.replace(/[0-9a-f]{8}-[-0-9a-f]+/, ':user').replaceAll('/0/', '/:id/');

  test(`${name} needs ${scope}`, async () => {
    const send = (ask: Ask) => app.send(method, people.project + path(open.id), { body, ...ask });
    const refused = await send({ key: await scoped(...SOMETHING_ELSE) });
    assert.deepEqual([refused.status, refused.body.detail], [403, `API key missing required scope '${scope}'`]);
    if (action === 'write') {
      const reading = await send({ key: await scoped(`${object}:read`) });
      assert.deepEqual([reading.status, reading.body.detail], [403, `API key missing required scope '${scope}'`]);
    }
    // Writing implies reading.
    for (const granted of [scope, `${object}:write`, '*']) {
      const { status, text } = await send({ key: await scoped(granted) });
      assert.ok(LET_IN.includes(status), `${granted}: ${status} ${text}`);
    }
    await app.db
      .deleteFrom('personal_api_key')
      .where('label', '=', 'test')
      .where('user_id', '=', app.owner.id)
      .execute();
  });

  test(`${name} is for the people of the project alone`, async () => {
    const here = people.project + path(open.id);
    const there = `/api/projects/${other.project.id}${path(foreign.id)}`;
    const answers = await Promise.all([
      app.send(method, here, { body }),
      app.send(method, here, { body, key: 'phx_wrong' }),
      app.send(method, here, { body, key: people.keys.outsider }),
      app.send(method, there, { body, key: people.keys.ada }),
      app.send(method, here, { body, key: elsewhere }),
      app.send(method, `/api/projects/4711${path(1)}`, { body, key: people.keys.ada }),
      app.send(method, here.replace('/projects/', '/environments/'), { body, key: people.keys.ada }),
    ]);
    assert.deepEqual(
      answers.slice(0, -1).map(({ status }) => status),
      [401, 401, 403, 403, 403, 404],
    );
    const environment = answers.at(-1)!;
    assert.ok([...LET_IN, 403].includes(environment.status), environment.text);
    assert.notEqual(environment.body?.detail, 'Endpoint not found.');
  });

  const isAboutOne = path(1) !== path(2) && method !== 'DELETE';
  if (isAboutOne) {
    test(`${name} knows no dashboard that is missing, deleted or another project's`, async () => {
      for (const { id } of [missing, deleted, foreign]) {
        // A deleted one is seen by the one change that brings it back.
        const { status, body: said } = await people.ask('ada', method, path(id), body);
        assert.equal(status, 404);
        assert.match(said.detail, /^(Not found\.|Dashboard not found\.)$/);
      }
    });
  }
}

const writes = operations.filter(([method, path]) => method !== 'GET' && path(1) !== path(2));
for (const [method, path, body, scope] of writes.filter(([, , , each]) => each !== 'access_control:write')) {
  if (method === 'DELETE' && path(1) === '/dashboards/1/') continue;
  test(`${method} ${path(0).replace(/[0-9a-f]{8}-[-0-9a-f]+/, ':user')} of a restricted dashboard is for those who may edit it (${scope})`, async () => {
    const refused = await people.ask('bob', method, path(restricted.id), body);
    assert.deepEqual(
      [refused.status, refused.body.detail],
      [403, "You don't have edit permissions for this dashboard."],
    );
    for (const who of ['ada', 'admin', 'owner'] as const) {
      const { status } = await people.ask(who, method, path(restricted.id), body);
      assert.notEqual(status, 403, who);
    }
  });
}

test('nothing that was asked here failed', () => assert.deepEqual(people.failures(), []));
