// Every refusal of the management API that its clients can meet, over the real server.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeCallers } from './refusals/callers.ts';
import { existenceRefusals } from './refusals/existence.cases.ts';
import { identityRefusals } from './refusals/identity.cases.ts';
import { permissionRefusals } from './refusals/permission.cases.ts';
import { requestRefusals } from './refusals/request.cases.ts';
import { valuesRefusals } from './refusals/values.cases.ts';

const callers = await makeCallers();
const { app, member, admin, session, key, writer, here, mine } = callers;
after(() => app[Symbol.asyncDispose]());

const tables = [identityRefusals, permissionRefusals, existenceRefusals, requestRefusals, valuesRefusals];
for (const [title, method, path, ask, status, type, code, detail, attr = null] of tables.flatMap((table) =>
  table(callers),
)) {
  test(`${title}: ${status} ${code}`, async () => {
    const answer = await app.send(method, path, ask);
    assert.equal(answer.status, status, answer.text);
    assert.deepEqual(answer.body, { type, code, detail, attr });
  });
}

test('405 names the methods that are allowed', async () => {
  const { headers } = await app.send('POST', here, { session, body: {} });
  assert.equal(headers.get('allow'), 'GET, PATCH, PUT, DELETE, HEAD, OPTIONS');
});

test('a body over 20 MB is refused', async () => {
  const { status, body } = await app.send('PATCH', here, { key, body: { name: 'x'.repeat(21 * 1024 * 1024) } });
  assert.equal(status, 413);
  assert.equal(body.code, 'request_too_large');
});

test('an organization can forbid keys to its members, not to its admins', async () => {
  const [memberKey, adminKey] = [await app.addKey(member.id), await app.addKey(admin.id)];
  await app.send('PATCH', mine, { key, body: { members_can_use_personal_api_keys: false } });
  const refused = await app.send('GET', here, { key: memberKey });
  const let_through = await app.send('GET', here, { key: adminKey });
  await app.send('PATCH', mine, { key, body: { members_can_use_personal_api_keys: true } });
  assert.equal(refused.status, 403);
  assert.equal(
    refused.body.detail,
    `Organization '${app.organization.name}' does not allow using personal API keys. Contact an admin to enable personal API keys for this organization.`,
  );
  assert.equal(let_through.status, 200);
});

test('the key of an inactive owner is no key', async () => {
  const gone = await app.addUser('gone@example.com');
  const goneKey = await app.addKey(gone.id);
  await app.db.updateTable('account').set({ is_active: false }).where('id', '=', gone.id).execute();
  const { status, body } = await app.send('GET', here, { key: goneKey });
  assert.deepEqual([status, body.code], [401, 'authentication_failed']);
});

test('write implies read', async () => assert.equal((await app.send('GET', here, { key: writer })).status, 200));

test('a request that fails for no fault of its own gets a bare 500, and the log the whole story', async () => {
  await app.db.schema.alterTable('project').renameTo('project_away').execute();
  const { status, body, headers } = await app.send('GET', here, { key });
  await app.db.schema.alterTable('project_away').renameTo('project').execute();
  assert.equal(status, 500);
  assert.deepEqual(body, { type: 'server_error', code: 'error', detail: 'A server error occurred.', attr: null });
  const line = app.lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'request failed');
  assert.equal(line.request_id, headers.get('x-request-id'));
  assert.match(line.err.message, /relation "project" does not exist/);
});

test('a path of two slashes names no other host', async () => {
  const { status } = await app.send('GET', '//elsewhere.example/api/projects/', { key });
  assert.equal(status, 404);
});
