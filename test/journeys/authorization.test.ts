// Who may do what, as one matrix: a row for each operation, a column for each caller.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Ask, startTestApp } from '../app.ts';

const app = await startTestApp();
after(() => app[Symbol.asyncDispose]());

const other = await app.addOrganization('Other');
const member = await app.addUser('member@example.com', 1);
const admin = await app.addUser('admin@example.com', 8);
const victim = await app.addUser('victim@example.com', 1);

const OBJECTS = ['project', 'organization', 'organization_member', 'user'];
const scoped = (action: string) => OBJECTS.map((object) => `${object}:${action}`);

const callers: Record<string, Ask> = {
  nobody: {},
  'bad key': { key: 'phx_nobody_has_this_key' },
  'no scope': { key: await app.addKey(app.owner.id, { scopes: ['dashboard:write'] }) },
  'read key': { key: await app.addKey(app.owner.id, { scopes: scoped('read') }) },
  'write key': { key: await app.addKey(app.owner.id, { scopes: scoped('write') }) },
  'key of other project': { key: await app.addKey(app.owner.id, { scoped_teams: [other.project.id] }) },
  'key of other organization': {
    key: await app.addKey(app.owner.id, { scoped_organizations: [other.organization.id] }),
  },
  'outsider key': { key: await app.addKey(other.user.id) },
  'member key': { key: await app.addKey(member.id) },
  outsider: { session: await app.signIn(other.user.email) },
  member: { session: await app.signIn(member.email) },
  admin: { session: await app.signIn(admin.email) },
  owner: { session: await app.signIn(app.owner.email) },
};

const project = `/api/projects/${app.project.id}`;
const environment = `/api/environments/${app.project.id}`;
const organization = `/api/organizations/${app.organization.id}`;

// Bodies that change nothing, or that are refused as invalid only after the caller was admitted: 400 means "let in".
const IN = [200, 400];
const matrix: [method: string, path: string, body: unknown, allowed: string][] = [
  ['GET', '/api/projects/', undefined, 'read key, write key, outsider key, member key, outsider, member, admin, owner'],
  ['GET', `${project}/`, undefined, 'read key, write key, member key, member, admin, owner'],
  ['GET', `${environment}/`, undefined, 'read key, write key, member key, member, admin, owner'],
  ['PATCH', `${project}/`, {}, 'write key, member key, member, admin, owner'],
  ['PATCH', `${environment}/`, {}, 'write key, member key, member, admin, owner'],
  ['PATCH', `${project}/reset_token/`, {}, 'write key, admin, owner'],
  ['POST', `${organization}/projects/`, { name: '' }, 'write key, member key, member, admin, owner'],
  ['GET', `${organization}/projects/`, undefined, 'read key, write key, member key, member, admin, owner'],
  ['GET', `${organization}/`, undefined, 'read key, write key, member key, member, admin, owner'],
  ['PATCH', `${organization}/`, {}, 'write key, admin, owner'],
  ['GET', `${organization}/members/`, undefined, 'read key, write key, member key, member, admin, owner'],
  ['PATCH', `${organization}/members/${victim.uuid}/`, {}, 'write key, admin, owner'],
  ['PATCH', `${organization}/members/${victim.uuid}/`, { level: 1 }, 'write key, admin, owner'],
  ['GET', `${organization}/invites/`, undefined, 'read key, write key, member key, member, admin, owner'],
  ['POST', `${organization}/invites/`, {}, 'write key, member key, member, admin, owner'],
  [
    'GET',
    '/api/organizations/',
    undefined,
    'read key, write key, outsider key, member key, outsider, member, admin, owner',
  ],
  [
    'GET',
    '/api/users/@me/',
    undefined,
    'read key, write key, key of other project, key of other organization, outsider key, member key, outsider, member, admin, owner',
  ],
  ['PATCH', '/api/users/@me/', {}, 'write key, outsider key, member key, outsider, member, admin, owner'],
  ['GET', '/api/personal_api_keys/', undefined, 'outsider, member, admin, owner'],
  ['POST', '/api/personal_api_keys/', {}, 'outsider, member, admin, owner'],
];

for (const [method, path, body, allowed] of matrix) {
  for (const [name, ask] of Object.entries(callers)) {
    const mayEnter = allowed.split(', ').includes(name);
    test(`${name} ${mayEnter ? 'may' : 'may not'} ${method} ${path.replace(app.organization.id, ':organization')} ${body ? JSON.stringify(body) : ''}`, async () => {
      const answer = await app.send(method, path, { ...ask, body });
      const refusal = name === 'nobody' || name === 'bad key' ? [401] : [403, 404];
      assert.ok((mayEnter ? IN : refusal).includes(answer.status), `${answer.status} ${answer.text}`);
    });
  }
}

test('nothing of another organization shows in a list', async () => {
  const mine = await app.send('GET', '/api/projects/', { key: app.key });
  const theirs = await app.send('GET', '/api/projects/', callers['outsider key']);
  assert.deepEqual(
    mine.body.results.map(({ id }: { id: number }) => id),
    [app.project.id],
  );
  assert.deepEqual(
    theirs.body.results.map(({ id }: { id: number }) => id),
    [other.project.id],
  );
});

test("a project token in the query selects its project, but opens no one else's", async () => {
  const own = await app.send('GET', `/api/projects/4711/?token=${app.project.api_token}`, { key: app.key });
  const foreign = await app.send('GET', `${project}/?token=${other.project.api_token}`, { key: app.key });
  // The token was renewed by the matrix above.
  assert.equal(own.status, 401);
  assert.equal(foreign.status, 403);
  const { api_token } = (await app.send('GET', `${project}/`, { key: app.key })).body;
  assert.equal((await app.send('GET', `/api/projects/4711/?token=${api_token}`, { key: app.key })).status, 200);
});
