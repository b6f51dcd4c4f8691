// Every refusal of the management API that its clients can meet, over the real server.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Ask, startTestApp } from '../app.ts';

const app = await startTestApp();
after(() => app[Symbol.asyncDispose]());

const other = await app.addOrganization('Other');
const member = await app.addUser('member@example.com');
const admin = await app.addUser('admin@example.com', 8);
const session = await app.signIn(app.owner.email);
const memberSession = await app.signIn(member.email);

const key = app.key;
const reader = await app.addKey(app.owner.id, { scopes: ['project:read'] });
const writer = await app.addKey(app.owner.id, { scopes: ['project:write'] });
const bare = await app.addKey(app.owner.id, { scopes: ['dashboard:read'] });
const elsewhere = await app.addKey(app.owner.id, { scoped_teams: [4711] });
const otherOrganization = await app.addKey(app.owner.id, { scoped_organizations: [other.organization.id] });
const here = `/api/projects/${app.project.id}/`;
const mine = `/api/organizations/${app.organization.id}/`;
const json = (text: string): Ask => ({ body: text, headers: { 'content-type': 'application/json' } });

type Row = [
  title: string,
  method: string,
  path: string,
  ask: Ask,
  status: number,
  type: string | null,
  code: string | null,
  detail: string | null,
  attr?: string | null,
];

const AUTH = 'authentication_error';
const REQUEST = 'invalid_request';
const VALUE = 'validation_error';

const rows: Row[] = [
  // Who are you?
  ['no credential', 'GET', here, {}, 401, AUTH, 'not_authenticated', 'Authentication credentials were not provided.'],
  [
    'a wrong key in the header',
    'GET',
    here,
    { key: 'phx_wrong' },
    401,
    AUTH,
    'authentication_failed',
    'Personal API key found in request Authorization header is invalid.',
  ],
  [
    'a wrong key in the body',
    'PATCH',
    here,
    { body: { personal_api_key: 'phx_wrong' } },
    401,
    AUTH,
    'authentication_failed',
    'Personal API key found in request body is invalid.',
  ],
  [
    'a wrong key in the query',
    'GET',
    `${here}?personal_api_key=phx_wrong`,
    {},
    401,
    AUTH,
    'authentication_failed',
    'Personal API key found in request query string is invalid.',
  ],
  ['an OAuth token', 'GET', here, { key: 'pha_anything' }, 401, AUTH, 'authentication_failed', 'Invalid access token.'],
  [
    'a header that is no Bearer',
    'GET',
    here,
    { headers: { authorization: `Basic ${key}` } },
    401,
    AUTH,
    'not_authenticated',
    'Authentication credentials were not provided.',
  ],
  [
    'a cookie that is no session',
    'GET',
    here,
    { headers: { cookie: 'sessionid=nonsense' } },
    401,
    AUTH,
    'not_authenticated',
    'Authentication credentials were not provided.',
  ],
  [
    'an unknown project token',
    'GET',
    `${here}?token=phc_unknown`,
    { key },
    401,
    AUTH,
    'authentication_failed',
    'Incorrect authentication credentials.',
  ],

  // You may not.
  [
    'a missing scope',
    'GET',
    here,
    { key: bare },
    403,
    AUTH,
    'permission_denied',
    "API key missing required scope 'project:read'",
  ],
  [
    'reading does not imply writing',
    'PATCH',
    here,
    { key: reader, body: {} },
    403,
    AUTH,
    'permission_denied',
    "API key missing required scope 'project:write'",
  ],
  [
    'an action that keys cannot do',
    'GET',
    '/api/personal_api_keys/',
    { key },
    403,
    AUTH,
    'permission_denied',
    'This action does not support personal API key access',
  ],
  [
    'a method that the path does not know, with a key',
    'POST',
    here,
    { key, body: {} },
    403,
    AUTH,
    'permission_denied',
    'This action does not support personal API key access',
  ],
  [
    'a key for another project',
    'GET',
    here,
    { key: elsewhere },
    403,
    AUTH,
    'permission_denied',
    `API key does not have access to the requested project: ID ${app.project.id}.`,
  ],
  [
    'a key for some projects, on a route of none',
    'GET',
    '/api/projects/',
    { key: elsewhere },
    403,
    AUTH,
    'permission_denied',
    'API keys with scoped projects are only supported on project-based endpoints.',
  ],
  [
    'a key for another organization',
    'GET',
    here,
    { key: otherOrganization },
    403,
    AUTH,
    'permission_denied',
    `API key does not have access to the requested organization: ID ${app.organization.id}.`,
  ],
  [
    "another organization's project",
    'GET',
    `/api/projects/${other.project.id}/`,
    { key },
    403,
    AUTH,
    'permission_denied',
    "You don't have access to the project.",
  ],
  [
    'a member doing what admins do',
    'DELETE',
    here,
    { session: memberSession },
    403,
    AUTH,
    'permission_denied',
    'Your organization access level is insufficient.',
  ],
  [
    'a session without its CSRF token',
    'PATCH',
    here,
    { headers: { cookie: session.cookie }, body: {} },
    403,
    AUTH,
    'permission_denied',
    'CSRF Failed: CSRF token missing.',
  ],
  [
    'a session with a wrong CSRF token',
    'PATCH',
    here,
    { session: { ...session, csrf: 'wrong' }, body: {} },
    403,
    AUTH,
    'permission_denied',
    "CSRF Failed: CSRF token from the 'X-Csrftoken' HTTP header incorrect.",
  ],
  [
    "a session with another session's CSRF token",
    'PATCH',
    here,
    { session: { ...session, csrf: memberSession.csrf }, body: {} },
    403,
    AUTH,
    'permission_denied',
    "CSRF Failed: CSRF token from the 'X-Csrftoken' HTTP header incorrect.",
  ],

  // It is not there.
  ['an unknown project', 'GET', '/api/projects/4711/', { key }, 404, REQUEST, 'not_found', 'Project not found.'],
  [
    'a project id that is no number',
    'GET',
    '/api/projects/mine/',
    { key },
    404,
    REQUEST,
    'not_found',
    'Project not found.',
  ],
  [
    'a project id beyond all numbers',
    'GET',
    '/api/projects/99999999999/',
    { key },
    404,
    REQUEST,
    'not_found',
    'Project not found.',
  ],
  [
    'an unknown environment',
    'GET',
    '/api/environments/4711/',
    { key },
    404,
    REQUEST,
    'not_found',
    'Project not found.',
  ],
  [
    'an organization id that is no uuid',
    'GET',
    '/api/organizations/mine/',
    { key },
    404,
    REQUEST,
    'not_found',
    'Organization not found.',
  ],
  [
    "another's organization",
    'GET',
    `/api/organizations/${other.organization.id}/`,
    { key },
    404,
    REQUEST,
    'not_found',
    'Organization not found.',
  ],
  [
    'an unknown member',
    'PATCH',
    `${mine}members/${other.user.uuid}/`,
    { key, body: {} },
    404,
    REQUEST,
    'not_found',
    'Not found.',
  ],
  ['an id that does not parse', 'DELETE', `${mine}invites/abc/`, { key }, 404, REQUEST, 'not_found', 'Not found.'],
  [
    'an object before its body: unknown comes first',
    'PATCH',
    `${mine}members/${other.user.uuid}/`,
    { key, body: { level: 'x' } },
    404,
    REQUEST,
    'not_found',
    'Not found.',
  ],
  ['an unknown path', 'GET', '/api/nothing/here/', { key }, 404, REQUEST, 'not_found', 'Endpoint not found.'],
  ['an unknown path without credentials', 'GET', '/api/nothing/', {}, 404, REQUEST, 'not_found', 'Endpoint not found.'],

  // The request does not fit.
  [
    'a method that the path does not know, in a session',
    'POST',
    here,
    { session, body: {} },
    405,
    REQUEST,
    'method_not_allowed',
    'Method "POST" not allowed.',
  ],
  [
    'bad JSON',
    'PATCH',
    here,
    { key, ...json('nope') },
    400,
    REQUEST,
    'parse_error',
    'JSON parse error - Expecting value: line 1 column 1 (char 0)',
  ],
  [
    'bad JSON from nobody: the body may hold the key',
    'PATCH',
    here,
    json('{'),
    400,
    REQUEST,
    'parse_error',
    'JSON parse error - Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
  ],
  [
    'bad JSON with a bad key: the key comes first',
    'PATCH',
    here,
    { key: 'phx_wrong', ...json('{') },
    401,
    AUTH,
    'authentication_failed',
    'Personal API key found in request Authorization header is invalid.',
  ],
  [
    'bad JSON with too small a key: the scope comes first',
    'PATCH',
    here,
    { key: reader, ...json('{') },
    403,
    AUTH,
    'permission_denied',
    "API key missing required scope 'project:write'",
  ],
  [
    'JSON nested too deep',
    'PATCH',
    here,
    { key, ...json(`{"modifiers":${'['.repeat(5000)}${']'.repeat(5000)}}`) },
    400,
    REQUEST,
    'parse_error',
    'JSON parse error - nested deeper than 200 levels',
  ],
  [
    'a body that is a list',
    'PATCH',
    here,
    { key, body: [] },
    400,
    VALUE,
    'invalid_input',
    'Invalid data. Expected a dictionary, but got list.',
  ],
  [
    'a content type nobody reads',
    'PATCH',
    here,
    { key, body: 'x', headers: { 'content-type': 'text/plain' } },
    415,
    REQUEST,
    'unsupported_media_type',
    'Unsupported media type "text/plain" in request.',
  ],
  [
    'an answer nobody writes',
    'GET',
    here,
    { key, headers: { accept: 'text/csv' } },
    406,
    REQUEST,
    'not_acceptable',
    'Could not satisfy the request Accept header.',
  ],

  // A value does not fit.
  [
    'an empty name',
    'PATCH',
    here,
    { key, body: { name: '' } },
    400,
    VALUE,
    'blank',
    'This field may not be blank.',
    'name',
  ],
  [
    'a null name',
    'PATCH',
    here,
    { key, body: { name: null } },
    400,
    VALUE,
    'null',
    'This field may not be null.',
    'name',
  ],
  [
    'a name that is a list',
    'PATCH',
    here,
    { key, body: { name: [] } },
    400,
    VALUE,
    'invalid_input',
    'Not a valid string.',
    'name',
  ],
  [
    'too long a name',
    'PATCH',
    here,
    { key, body: { name: 'x'.repeat(201) } },
    400,
    VALUE,
    'max_length',
    'Ensure this field has no more than 200 characters.',
    'name',
  ],
  [
    'a boolean that is none',
    'PATCH',
    here,
    { key, body: { anonymize_ips: 'maybe' } },
    400,
    VALUE,
    'invalid_input',
    'Must be a valid boolean.',
    'anonymize_ips',
  ],
  [
    'an integer that is none',
    'PATCH',
    here,
    { key, body: { primary_dashboard: 'x' } },
    400,
    VALUE,
    'invalid_input',
    'A valid integer is required.',
    'primary_dashboard',
  ],
  [
    'a number that is none',
    'PATCH',
    here,
    { key, body: { session_recording_sample_rate: 'x' } },
    400,
    VALUE,
    'invalid_input',
    'A valid number is required.',
    'session_recording_sample_rate',
  ],
  [
    'too small a number',
    'PATCH',
    here,
    { key, body: { primary_dashboard: 0 } },
    400,
    VALUE,
    'min_value',
    'Ensure this value is greater than or equal to 1.',
    'primary_dashboard',
  ],
  [
    'too large a number',
    'PATCH',
    here,
    { key, body: { session_recording_sample_rate: 2 } },
    400,
    VALUE,
    'max_value',
    'Ensure this value is less than or equal to 1.',
    'session_recording_sample_rate',
  ],
  [
    'no choice of ours',
    'PATCH',
    here,
    { key, body: { week_start_day: 5 } },
    400,
    VALUE,
    'invalid_choice',
    '"5" is not a valid choice.',
    'week_start_day',
  ],
  [
    'no list',
    'PATCH',
    here,
    { key, body: { app_urls: 'x' } },
    400,
    VALUE,
    'not_a_list',
    'Expected a list of items but got type "str".',
    'app_urls',
  ],
  [
    'no dictionary',
    'PATCH',
    here,
    { key, body: { survey_config: [] } },
    400,
    VALUE,
    'not_a_dict',
    'Expected a dictionary of items but got type "list".',
    'survey_config',
  ],
  [
    'a fault inside a list',
    'PATCH',
    here,
    { key, body: { app_urls: ['a', {}] } },
    400,
    VALUE,
    'invalid_input',
    'Not a valid string.',
    'app_urls__1',
  ],
  [
    'no e-mail',
    'POST',
    `${mine}invites/`,
    { key, body: { target_email: 'nobody' } },
    400,
    VALUE,
    'invalid_input',
    'Enter a valid email address.',
    'target_email',
  ],
  [
    'a required field left out',
    'POST',
    `${mine}invites/`,
    { key, body: {} },
    400,
    VALUE,
    'required',
    'This field is required.',
    'target_email',
  ],
  [
    'no uuid',
    'PATCH',
    '/api/users/@me/',
    { key, body: { set_current_organization: 'x' } },
    400,
    VALUE,
    'invalid_input',
    'Must be a valid UUID.',
    'set_current_organization',
  ],
  [
    'a related object that does not exist',
    'PATCH',
    '/api/users/@me/',
    { key, body: { set_current_team: 4711 } },
    400,
    VALUE,
    'does_not_exist',
    'Invalid pk "4711" - object does not exist.',
    'set_current_team',
  ],
  [
    'a NUL inside free JSON',
    'PATCH',
    here,
    { key, body: { modifiers: { a: 'x\0' } } },
    400,
    VALUE,
    'invalid_input',
    'The request holds a value that cannot be stored.',
  ],
];

for (const [title, method, path, ask, status, type, code, detail, attr = null] of rows) {
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
