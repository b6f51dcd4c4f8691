// People, organizations, projects and keys, as their clients use them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PASSWORD, startTestApp } from '../app.ts';

const app = await startTestApp();
after(() => app[Symbol.asyncDispose]());
const session = await app.signIn(app.owner.email);
const here = `/api/projects/${app.project.id}/`;

test('both slashes and both prefixes answer, without a redirect', async () => {
  for (const path of [here, here.slice(0, -1), here.replace('projects', 'environments'), '/api/projects/@current']) {
    const { status, body } = await app.send('GET', path, { key: app.key });
    assert.deepEqual([path, status, body.id], [path, 200, app.project.id]);
  }
});

test('a key is found in the header, else in the body, else in the query', async () => {
  assert.equal((await app.send('GET', `${here}?personal_api_key=${app.key}`)).status, 200);
  assert.equal((await app.send('PATCH', here, { body: { personal_api_key: app.key } })).status, 200);
  const padded = { headers: { authorization: `Bearer    ${app.key}  ` } };
  assert.equal((await app.send('GET', here, padded)).status, 200);
  const headerWins = await app.send('GET', `${here}?personal_api_key=${app.key}`, { key: 'phx_wrong' });
  assert.equal(headerWins.status, 401);
});

test('the project list is paged with absolute links', async () => {
  for (const name of ['Two', 'Three']) await app.send('POST', '/api/projects/', { key: app.key, body: { name } });
  const { body } = await app.send('GET', '/api/projects/?offset=1&limit=1', { key: app.key });
  assert.equal(body.count, 3);
  assert.equal(body.next, `${app.url}/api/projects/?limit=1&offset=2`);
  assert.equal(body.previous, `${app.url}/api/projects/?limit=1`);
  assert.deepEqual(Object.keys(body.results[0]), [
    'id',
    'uuid',
    'organization',
    'project_id',
    'api_token',
    'name',
    'completed_snippet_onboarding',
    'has_completed_onboarding_for',
    'ingested_event',
    'is_demo',
    'timezone',
    'access_control',
  ]);
});

test('a project keeps what is set and leaves the rest alone', async () => {
  const changed = await app.send('PATCH', here, {
    key: app.key,
    body: {
      name: ' Renamed ',
      timezone: 'Europe/Berlin',
      anonymize_ips: 'yes',
      app_urls: ['https://a.example'],
      nope: 1,
    },
  });
  assert.equal(changed.status, 200);
  await app.send('PATCH', here, { key: app.key, body: { week_start_day: '1' } });
  const { body } = await app.send('GET', here, { key: app.key });
  assert.deepEqual(
    [body.name, body.timezone, body.anonymize_ips, body.app_urls, body.week_start_day],
    ['Renamed', 'Europe/Berlin', true, ['https://a.example'], 1],
  );
  assert.match(body.updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/);
});

test('a time zone must exist', async () => {
  const { status, body } = await app.send('PATCH', here, { key: app.key, body: { timezone: 'Mars/Olympus' } });
  assert.deepEqual([status, body.attr, body.code], [400, 'timezone', 'invalid_choice']);
});

test('a project is changed by form fields as by JSON', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const form = await app.send('PATCH', here, { key: app.key, body: 'name=replaced', headers });
  const fields = new FormData();
  fields.append('name', 'again');
  const multipart = await fetch(app.url + here, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${app.key}` },
    body: fields,
  });
  assert.deepEqual([form.status, form.body.name], [200, 'replaced']);
  assert.deepEqual([multipart.status, ((await multipart.json()) as { name: string }).name], [200, 'again']);
});

test('a new project key replaces the old one', async () => {
  const { body } = await app.send('PATCH', `${here}reset_token/`, { key: app.key });
  assert.match(body.api_token, /^phc_[0-9a-zA-Z]{36,44}$/);
  assert.notEqual(body.api_token, app.project.api_token);
});

test('a deleted project is gone', async () => {
  const { body } = await app.send('POST', '/api/projects/', { key: app.key, body: { name: 'Short-lived' } });
  assert.equal((await app.send('DELETE', `/api/projects/${body.id}/`, { key: app.key })).status, 204);
  assert.equal((await app.send('GET', `/api/projects/${body.id}/`, { key: app.key })).status, 404);
});

test('the user knows where they belong', async () => {
  const { status, body } = await app.send('GET', '/api/users/@me/', { key: app.key });
  assert.equal(status, 200);
  assert.equal(body.email, app.owner.email);
  assert.equal(body.organization.membership_level, 15);
  assert.equal(body.organizations.length, 1);
  assert.equal(body.team.id, app.project.id);
  assert.ok(body.organization.teams.length >= 1);
  assert.ok(!app.lines.join().includes('password_hash') && !('password_hash' in body));
});

test('sign-in sets a session that reads without, and writes with, its CSRF token', async () => {
  const signedIn = await app.send('POST', '/api/login/', {
    body: { email: app.owner.email.toUpperCase(), password: PASSWORD },
  });
  assert.deepEqual(signedIn.body, { success: true });
  const [cookie = '', csrf = ''] = signedIn.headers.getSetCookie();
  assert.match(cookie, /^sessionid=\w+; HttpOnly; Path=\/; Max-Age=1209600; SameSite=Lax$/);
  assert.match(csrf, /^posthog_csrftoken=/);
  assert.equal((await app.send('GET', here, { headers: { cookie } })).status, 200);
});

test('signing out ends the session for good', async () => {
  const short = await app.signIn(app.owner.email);
  assert.equal((await app.send('POST', '/api/logout/', { session: short })).status, 204);
  assert.equal((await app.send('GET', here, { session: short })).status, 401);
});

test('an expired session is no session', async () => {
  const user = await app.addUser('late@example.com');
  const late = await app.signIn(user.email);
  await app.db
    .updateTable('session')
    .set({ expires_at: '2000-01-01T00:00:00Z' })
    .where('user_id', '=', user.id)
    .execute();
  assert.equal((await app.send('GET', here, { session: late })).status, 401);
});

test('a wrong password and an unknown account are refused alike', async () => {
  for (const email of [app.owner.email, 'nobody@example.com']) {
    const { status, body } = await app.send('POST', '/api/login/', { body: { email, password: 'not this one' } });
    assert.deepEqual([status, body.code, body.detail], [400, 'invalid_credentials', 'Invalid email or password.']);
  }
});

test('after ten failures an account waits, even with the right password, and others do not', async () => {
  const user = await app.addUser('target@example.com');
  const attempt = (password: string) => app.send('POST', '/api/login/', { body: { email: user.email, password } });
  for (let n = 0; n < 10; n += 1) assert.equal((await attempt('wrong password')).status, 400);
  const refused = await attempt(PASSWORD);
  assert.deepEqual([refused.status, refused.body.type], [429, 'throttled_error']);
  assert.ok(Number(refused.headers.get('retry-after')) > 800);
  await app.signIn(app.owner.email);
  await app.db
    .updateTable('sign_in_failure')
    .set({ failed_at: '2000-01-01T00:00:00Z' })
    .where('subject', '=', `account:${user.email}`)
    .execute();
  assert.equal((await attempt(PASSWORD)).status, 200);
});

test('failures at once are counted one by one', async () => {
  const user = await app.addUser('rushed@example.com');
  const body = { email: user.email, password: 'wrong password' };
  const statuses = await Promise.all(Array.from({ length: 30 }, () => app.send('POST', '/api/login/', { body })));
  const compared = statuses.filter(({ status }) => status === 400).length;
  assert.ok(compared < 30, `${compared} of 30 were compared`);
  assert.equal((await app.send('POST', '/api/login/', { body })).status, 429);
});

test('a password is changed by who knows it, and other sessions end', async () => {
  const user = await app.addUser('changing@example.com');
  const [one, two] = [await app.signIn(user.email), await app.signIn(user.email)];
  const change = (body: object, asking = one) => app.send('PATCH', '/api/users/@me/', { session: asking, body });
  assert.equal((await change({ password: 'another password' })).body.attr, 'current_password');
  assert.equal(
    (await change({ password: 'another password', current_password: 'wrong' })).body.code,
    'incorrect_password',
  );
  assert.equal((await change({ password: 'short', current_password: PASSWORD })).body.code, 'password_too_short');
  assert.equal((await change({ password: 'another password', current_password: PASSWORD })).status, 200);
  assert.equal((await app.send('GET', '/api/users/@me/', { session: one })).status, 200);
  assert.equal((await app.send('GET', '/api/users/@me/', { session: two })).status, 401);
  await app.signIn(user.email, 'another password');
});

test('a key cannot change a password', async () => {
  const user = await app.addUser('keyed@example.com');
  const key = await app.addKey(user.id);
  const { status, body } = await app.send('PATCH', '/api/users/@me/', {
    key,
    body: { password: 'taken over!', current_password: PASSWORD },
  });
  assert.deepEqual([status, body.code], [403, 'sensitive_action_required_reauth']);
});

test('an e-mail belongs to one account, whatever its case', async () => {
  const user = await app.addUser('second@example.com');
  const asking = await app.signIn(user.email);
  const { status, body } = await app.send('PATCH', '/api/users/@me/', {
    session: asking,
    body: { email: app.owner.email.toUpperCase().replace('LOCALHOST', 'localhost') },
  });
  assert.deepEqual([status, body.attr, body.code], [400, 'email', 'unique']);
});

test('an invited person joins with a password of their own', async () => {
  const invites = `/api/organizations/${app.organization.id}/invites/`;
  const invited = await app.send('POST', invites, {
    key: app.key,
    body: { target_email: 'grace@example.com', first_name: 'Grace', level: 8 },
  });
  assert.equal(invited.status, 201);
  const seen = await app.send('GET', `/api/signup/${invited.body.id}/`);
  assert.deepEqual(seen.body, {
    id: invited.body.id,
    target_email: 'g*****e@example.com',
    first_name: 'Grace',
    organization_name: app.organization.name,
  });
  const short = await app.send('POST', `/api/signup/${invited.body.id}/`, { body: { password: 'short' } });
  assert.deepEqual([short.status, short.body.attr], [400, 'password']);
  const joined = await app.send('POST', `/api/signup/${invited.body.id}/`, { body: { password: 'grace hopper 1906' } });
  assert.equal(joined.status, 201);
  const grace = await app.signIn('grace@example.com', 'grace hopper 1906');
  const { body } = await app.send('GET', '/api/users/@me/', { session: grace });
  assert.deepEqual([body.organization.membership_level, body.team.id], [8, app.project.id]);
  assert.equal((await app.send('GET', `/api/signup/${invited.body.id}/`)).status, 400);
  const again = await app.send('POST', invites, { key: app.key, body: { target_email: 'Grace@example.com' } });
  assert.deepEqual([again.status, again.body.attr], [400, 'target_email']);
});

test('an invite expires', async () => {
  const { body } = await app.send('POST', `/api/organizations/${app.organization.id}/invites/`, {
    key: app.key,
    body: { target_email: 'late@example.org' },
  });
  await app.db.updateTable('invite').set({ created_at: '2000-01-01T00:00:00Z' }).where('id', '=', body.id).execute();
  const { status, body: refusal } = await app.send('POST', `/api/signup/${body.id}/`, {
    body: { password: 'long enough' },
  });
  assert.deepEqual([status, refusal.code], [400, 'expired']);
});

test('ownership is passed on, never doubled, and an owner cannot just leave', async () => {
  const { organization, user } = await app.addOrganization('Handover');
  const heir = await app.addUser('heir@example.com', 1, organization.id);
  const old = await app.signIn(user.email);
  const members = `/api/organizations/${organization.id}/members/`;
  assert.equal((await app.send('DELETE', `${members}${user.uuid}/`, { session: old })).status, 400);
  const passed = await app.send('PATCH', `${members}${heir.uuid}/`, { session: old, body: { level: 15 } });
  assert.deepEqual([passed.status, passed.body.level], [200, 15]);
  const { body } = await app.send('GET', members, { session: old });
  assert.deepEqual(body.results.map(({ level }: { level: number }) => level).sort(), [15, 8]);
  assert.equal((await app.send('DELETE', `${members}${user.uuid}/`, { session: old })).status, 204);
  assert.equal((await app.send('GET', members, { session: old })).status, 404);
});

test('who leaves works in another of their organizations, or in none', async () => {
  const user = await app.addUser('leaver@example.com');
  const asking = await app.signIn(user.email);
  await app.send('DELETE', `/api/organizations/${app.organization.id}/members/${user.uuid}/`, { session: asking });
  const { body } = await app.send('GET', '/api/users/@me/', { session: asking });
  assert.deepEqual([body.organization, body.team], [null, null]);
  assert.equal(
    (await app.send('GET', '/api/projects/@current/', { session: asking })).body.detail,
    'Project not found.',
  );
});

const keys = '/api/personal_api_keys/';

test('a key is shown once, kept as a digest, and recognised by its mask', async () => {
  const made = await app.send('POST', keys, { session, body: { label: 'CI script', scopes: ['project:read'] } });
  assert.equal(made.status, 201);
  assert.match(made.body.value, /^phx_[0-9a-zA-Z]{40,48}$/);
  assert.equal(made.body.mask_value, `phx_...${made.body.value.slice(-4)}`);
  const { body } = await app.send('GET', `${keys}${made.body.id}/`, { session });
  assert.deepEqual([body.value, body.mask_value], [null, made.body.mask_value]);
  const stored = await app.db
    .selectFrom('personal_api_key')
    .selectAll()
    .where('id', '=', made.body.id)
    .executeTakeFirst();
  assert.ok(!JSON.stringify(stored).includes(made.body.value));
});

test('@current is the key of the request', async () => {
  const key = await app.addKey(app.owner.id, {
    label: 'itself',
    scopes: ['project:read'],
    scoped_teams: [app.project.id],
  });
  const { status, body } = await app.send('GET', `${keys}@current`, { key });
  assert.deepEqual([status, body.label, body.scoped_teams], [200, 'itself', [app.project.id]]);
});

test('a rolled key works with its new value only', async () => {
  const made = await app.send('POST', keys, { session, body: { label: 'rolling', scopes: ['*'] } });
  const rolled = await app.send('POST', `${keys}${made.body.id}/roll/`, { session });
  assert.equal((await app.send('GET', here, { key: made.body.value })).status, 401);
  assert.equal((await app.send('GET', here, { key: rolled.body.value })).status, 200);
  assert.notEqual(rolled.body.last_rolled_at, null);
  assert.equal((await app.send('DELETE', `${keys}${made.body.id}/`, { session })).status, 204);
  assert.equal((await app.send('GET', here, { key: rolled.body.value })).status, 401);
});

const wrongKeys: [body: object, code: string, attr: string | null, detail: string][] = [
  [{ label: '', scopes: ['*'] }, 'blank', 'label', 'This field may not be blank.'],
  [
    { label: 'x'.repeat(41), scopes: ['*'] },
    'max_length',
    'label',
    'Ensure this field has no more than 40 characters.',
  ],
  [{ label: 'x' }, 'required', 'scopes', 'This field is required.'],
  [{ label: 'x', scopes: ['dashboard:delete'] }, 'invalid_input', 'scopes', 'Invalid scope: dashboard:delete'],
  [
    { label: 'x', scopes: ['*'], scoped_teams: [4711] },
    'invalid_input',
    'scoped_teams',
    'You must be a member of all teams that you are scoping the key to.',
  ],
  [
    { label: 'x', scopes: ['*'], scoped_organizations: ['x'] },
    'invalid_input',
    'scoped_organizations',
    'Invalid organization UUID',
  ],
  [
    { label: 'x', scopes: ['*'], scoped_organizations: ['018f5a0e-0000-0000-8000-3b1f6e0c9a11'] },
    'invalid_input',
    'scoped_organizations',
    'You must be a member of all organizations that you are scoping the key to.',
  ],
];
for (const [body, code, attr, detail] of wrongKeys) {
  test(`a key is refused: ${detail}`, async () => {
    const answer = await app.send('POST', keys, { session, body });
    assert.deepEqual([answer.status, answer.body], [400, { type: 'validation_error', code, detail, attr }]);
  });
}

test('a user has ten keys at the most, also when asking for many at once', async () => {
  const user = await app.addUser('collector@example.com');
  const asking = await app.signIn(user.email);
  const body = { label: 'one of many', scopes: ['*'] };
  const answers = await Promise.all(
    Array.from({ length: 14 }, () => app.send('POST', keys, { session: asking, body })),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 10);
  const refused = answers.find(({ status }) => status === 400);
  assert.equal(
    refused?.body.detail,
    'You can only have 10 personal API keys. Remove an existing key before creating a new one.',
  );
});

test('managing keys needs a recent sign-in', async () => {
  const user = await app.addUser('idle@example.com');
  const asking = await app.signIn(user.email);
  await app.db
    .updateTable('session')
    .set({ authenticated_at: '2000-01-01T00:00:00Z' })
    .where('user_id', '=', user.id)
    .execute();
  const { status, body } = await app.send('POST', keys, { session: asking, body: { label: 'x', scopes: ['*'] } });
  assert.deepEqual([status, body.code], [403, 'sensitive_action_required_reauth']);
});

test('the last use of a key is noted', async () => {
  const key = await app.addKey(app.owner.id, { label: 'used' });
  await app.send('GET', here, { key });
  const { body } = await app.send('GET', `${keys}@current`, { key });
  assert.notEqual(body.last_used_at, null);
});

test('no log line holds a key, not even one that came in an address', async () => {
  await app.send('GET', `/api/nothing/${app.key}/?personal_api_key=${app.key}`);
  const text = app.lines.join('');
  assert.match(text, /api\/nothing\/phx_\.\.\./);
  assert.ok(!text.includes(app.key) && !/phx_[0-9a-zA-Z]{20,}/.test(text));
});

test('every answer carries the id of its request, the given one where it is sensible', async () => {
  const given = await app.send('GET', here, { key: app.key, headers: { 'x-request-id': 'abc-123' } });
  const bad = await app.send('GET', here, { key: app.key, headers: { 'x-request-id': 'a b"c' } });
  assert.equal(given.headers.get('x-request-id'), 'abc-123');
  assert.match(bad.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
});

test('another origin may read answers, but never with the cookies of the person at the screen', async () => {
  const { headers } = await app.send('GET', here, { key: app.key, headers: { origin: 'https://elsewhere.example' } });
  assert.equal(headers.get('access-control-allow-origin'), 'https://elsewhere.example');
  assert.equal(headers.get('access-control-allow-credentials'), null);
  const preflight = await app.send('OPTIONS', here, {
    headers: {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization',
    },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-headers'), 'authorization');
});

test('with rate limits on, a key is told to wait and a session is not', async () => {
  await using limited = await startTestApp({ TENREC_RATE_LIMITS: true });
  const path = `/api/projects/${limited.project.id}/`;
  const ask = () => limited.send('GET', path, { key: limited.key });
  const allowed = await Promise.all(Array.from({ length: 480 }, ask));
  assert.ok(allowed.every(({ status }) => status === 200));
  const refused = await ask();
  const waitSeconds = Number(refused.headers.get('retry-after'));
  assert.equal(refused.status, 429);
  assert.ok(waitSeconds > 0 && waitSeconds <= 60);
  assert.deepEqual(refused.body, {
    type: 'throttled_error',
    code: 'throttled',
    detail: `Request was throttled. Expected available in ${waitSeconds} second${waitSeconds === 1 ? '' : 's'}.`,
    attr: null,
  });
  const asking = await limited.signIn(limited.owner.email);
  assert.equal((await limited.send('GET', path, { session: asking })).status, 200);
});
