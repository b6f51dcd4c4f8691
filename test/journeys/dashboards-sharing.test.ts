// Shares: one stable token each, public pages that fetch nothing, passwords, and reads with nothing but a token.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startDashboardsApp } from '../model/dashboards-app.ts';

const people = await startDashboardsApp();
after(() => people[Symbol.asyncDispose]());
const { app, get, make, makeInsight, users } = people;

const HOSTILE = `<script>alert(1)</script>"'&`;
const visit = (path: string, headers: Record<string, string> = {}) => app.send('GET', path, { headers });

async function shared(body: object = { enabled: true }) {
  const dashboard = await make('ada', { name: `Shared ${HOSTILE}`, description: HOSTILE });
  const insight = await makeInsight('ada', HOSTILE, [dashboard.id]);
  await get('ada', 'PATCH', `/dashboards/${dashboard.id}/`, { tiles: [{ text: { body: HOSTILE } }] });
  const share = await get('ada', 'PATCH', `/dashboards/${dashboard.id}/sharing/`, body);
  return { id: dashboard.id as number, insight, token: share.access_token as string };
}

test('a share is one object from the first read on; its token outlives switching off and on', async () => {
  const { id } = await make('ada');
  const path = `/dashboards/${id}/sharing/`;
  const first = await get('bob', 'GET', path);
  assert.deepEqual(Object.keys(first), [
    'created_at',
    'enabled',
    'access_token',
    'settings',
    'password_required',
    'share_passwords',
  ]);
  assert.deepEqual([first.enabled, /^[-\w]{30}$/.test(first.access_token)], [false, true]);
  assert.deepEqual(await get('ada', 'GET', path), first);
  for (const enabled of [true, false, true]) {
    const changed = await get('ada', 'PATCH', path, { enabled, access_token: 'mine', created_at: null });
    assert.deepEqual([changed.enabled, changed.access_token], [enabled, first.access_token]);
    assert.equal((await people.read('ada', id)).is_shared, enabled);
  }
  assert.deepEqual(await get('ada', 'PATCH', path, {}), await get('ada', 'GET', path));
});

test('the public page is plain, escapes what it shows and fetches from nowhere', async () => {
  const { token } = await shared();
  for (const [path, isFramed] of [
    [`/shared/${token}`, false],
    [`/shared_dashboard/${token}`, false],
    [`/embedded/${token}`, true],
    [`/shared/${token}?embedded`, true],
  ] as const) {
    const page = await visit(path);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'/);
    assert.equal(policy.includes("frame-ancestors 'none'"), !isFramed);
    assert.equal(page.headers.get('x-frame-options'), null);
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.ok(!page.text.includes('<script'));
    assert.ok(page.text.includes('&lt;script&gt;'));
    assert.doesNotMatch(page.text, /(src|href)=|https?:\/\//);
  }
});

test('the JSON says the same, judged for no one, without names or addresses of people', async () => {
  const { id, insight, token } = await shared({
    enabled: true,
    settings: { legend: true, noHeader: false, theme: 'dark', unknown: 1 },
  });
  const elsewhere = await make('ada');
  await get('ada', 'PATCH', `/insights/${insight.id}/`, { dashboards: [id, elsewhere.id] });
  const { status, body, text } = await visit(`/shared/${token}.json`);
  assert.equal(status, 200);
  const { dashboard, ...rest } = body;
  assert.deepEqual(rest, { type: 'scene', accessToken: token, themes: [], legend: true, theme: 'dark' });
  assert.deepEqual(
    [
      dashboard.id,
      dashboard.tiles.length,
      dashboard.effective_restriction_level,
      dashboard.effective_privilege_level,
      dashboard.created_by,
    ],
    [id, 2, 37, 21, null],
  );
  assert.deepEqual(dashboard.tiles[0].insight.dashboards, [id]);
  assert.ok(!text.includes('@example.com'));
  assert.equal((await visit(`/embedded/${token}.json`)).body.type, 'embed');
});

test('what is off, deleted or unknown is a page that says so', async () => {
  const { id, token } = await shared();
  const status = async (path: string) => {
    const page = await visit(path);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    return page.status;
  };
  assert.equal(await status('/shared/nonsense'), 404);
  assert.equal(await status('/shared/nonsense.json'), 404);
  await get('ada', 'PATCH', `/dashboards/${id}/sharing/`, { enabled: false });
  assert.equal(await status(`/shared/${token}`), 404);
  await get('ada', 'PATCH', `/dashboards/${id}/sharing/`, { enabled: true });
  assert.equal((await visit(`/shared/${token}`)).status, 200);
  await get('ada', 'PATCH', `/dashboards/${id}/`, { deleted: true });
  assert.equal(await status(`/shared/${token}.json`), 404);
});

test('a new token replaces the old one, which works a while longer and tells nobody its successor', async () => {
  const { id, token } = await shared();
  const { access_token } = await get('ada', 'POST', `/dashboards/${id}/sharing/refresh/`, {}, 200);
  assert.notEqual(access_token, token);
  for (const each of [token, access_token]) assert.equal((await visit(`/shared/${each}.json`)).body.accessToken, each);
  await app.db
    .updateTable('sharing_configuration')
    .set({ former_token_until: '2000-01-01T00:00:00Z' })
    .where('dashboard_id', '=', id)
    .execute();
  assert.equal((await visit(`/shared/${token}`)).status, 404);
  assert.equal((await visit(`/shared/${access_token}`)).status, 200);
});

test('a password is asked for, given once, and taken away', async () => {
  const { id, token } = await shared({ enabled: true, password_required: true });
  const passwords = `/dashboards/${id}/sharing/passwords/`;
  const chosen = await get('ada', 'POST', passwords, { raw_password: 'open sesame', note: 'For the board' }, 201);
  const made = await get('ada', 'POST', passwords, {}, 201);
  assert.deepEqual(
    [chosen.password, chosen.note, chosen.created_by_email],
    ['open sesame', 'For the board', users.ada.email],
  );
  assert.ok(made.password.length >= 8);
  const { share_passwords } = await get('ada', 'GET', `/dashboards/${id}/sharing/`);
  assert.deepEqual(
    share_passwords.map(({ id }: { id: number }) => id),
    [chosen.id, made.id],
  );
  assert.ok(!JSON.stringify(share_passwords).includes('sesame'));

  assert.deepEqual((await visit(`/shared/${token}.json`)).body, { type: 'unlock', accessToken: token });
  assert.match((await visit(`/shared/${token}`)).text, /<form method="post">/);
  const give = (password: string) => app.send('POST', `/shared/${token}`, { body: { password } });
  const wrong = await give('open barley');
  assert.deepEqual([wrong.status, wrong.body], [401, { error: 'Incorrect password' }]);
  const right = await give('open sesame');
  assert.equal(right.status, 200);
  const cookie = right.headers.getSetCookie()[0] ?? '';
  assert.match(cookie, /HttpOnly; SameSite=Lax/);
  const unlocked = { cookie: cookie.split(';', 1)[0] ?? '' };
  assert.equal((await visit(`/shared/${token}.json`, unlocked)).body.dashboard.id, id);
  const bearer = { authorization: `Bearer ${right.body.shareToken}` };
  assert.equal((await visit(`/shared/${token}.json`, bearer)).body.type, 'scene');

  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  const refused = await app.send('POST', `/shared/${token}`, { body: 'password=nonsense', ...form });
  assert.deepEqual([refused.status, refused.text.includes('not right')], [401, true]);

  const removed = await people.ask('ada', 'DELETE', `${passwords}${chosen.id}/`);
  assert.equal(removed.status, 204);
  assert.equal((await visit(`/shared/${token}.json`, unlocked)).body.type, 'unlock');
});

test('guessing passwords comes to an end', async () => {
  const { token } = await shared({ enabled: true, password_required: true });
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1) {
    statuses.push((await app.send('POST', `/shared/${token}`, { body: { password: `guess ${n}` } })).status);
  }
  assert.deepEqual([statuses[0], statuses[19], statuses[20]], [401, 401, 429]);
});

test('with the token of a share, its insights can be read and nothing else', async () => {
  const { id, insight, token } = await shared();
  const other = await makeInsight('ada', 'Not shared');
  const read = (path: string) => app.send('GET', `${people.project}${path}sharing_access_token=${token}`);
  const list = await read('/insights/?');
  assert.deepEqual(
    list.body.results.map((each: { id: number }) => each.id),
    [insight.id],
  );
  assert.deepEqual([list.body.results[0].created_by, list.body.results[0].effective_privilege_level], [null, 21]);
  assert.equal((await read(`/insights/?short_id=${insight.short_id}&`)).body.count, 1);
  assert.equal((await read(`/insights/${insight.id}/?`)).status, 200);
  assert.equal((await read(`/insights/${other.id}/?`)).status, 404);
  assert.equal((await read(`/dashboards/${id}/?`)).status, 401);
  const elsewhere = await app.send(
    'GET',
    `/api/projects/${people.other.project.id}/insights/?sharing_access_token=${token}`,
  );
  assert.equal(elsewhere.status, 403);
  const environment = await app.send(
    'GET',
    `/api/environments/${app.project.id}/insights/?sharing_access_token=${token}`,
  );
  assert.equal(environment.status, 200);
});

test('an insight is shared by itself', async () => {
  const { id } = await makeInsight('ada', 'Alone');
  const { access_token } = await get('ada', 'PATCH', `/insights/${id}/sharing/`, { enabled: true }, 200);
  const { body } = await visit(`/shared/${access_token}.json`);
  assert.deepEqual([body.type, body.insight.id, body.dashboard], ['scene', id, undefined]);
  assert.match((await visit(`/shared/${access_token}`)).text, /Alone/);
  const { results } = await get('ada', 'GET', `/insights/${id}/activity/`);
  assert.deepEqual(
    results[0].detail.changes.map(({ field }: { field: string }) => field),
    ['sharing.enabled'],
  );
});
