// The management API of batch exports as tables: every endpoint, status, body, scope and refusal.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accepted, type Json, refused, S3, s3With } from './exports-api.cases.ts';
import { type ExportsApp, type Sent, startExportsApp } from './exports-app.ts';

let app: ExportsApp;
before(async () => {
  app = await startExportsApp();
  app.setClock('2025-03-04T09:30:00Z');
});
after(() => app[Symbol.asyncDispose]());

const S3_SECRETS = { aws_access_key_id: 'AKIAVERYSECRET', aws_secret_access_key: 'evenmoresecret' };
const UNKNOWN_ID = '0195a1c2-7f00-0001-9b0a-3f2f5f1e7c11';

const draft = (given: Json = {}): Json => ({
  name: 'events to lake',
  interval: 'hour',
  destination: { type: 'S3', config: { ...S3, ...S3_SECRETS } },
  ...given,
});

test('a new export is shown whole, but for its secrets', async () => {
  const { status, body } = await app.send('POST', '/batch_exports/', { body: draft() });
  assert.equal(status, 201);
  const { id, created_at, last_updated_at, ...rest } = body;
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.ok(last_updated_at >= created_at);
  assert.deepEqual(rest, {
    team_id: app.project.id,
    name: 'events to lake',
    model: 'events',
    destination: { type: 'S3', config: S3, integration: null },
    interval: 'hour',
    paused: false,
    last_paused_at: null,
    start_at: null,
    end_at: null,
    latest_runs: [],
    hogql_query: null,
    schema: null,
    filters: null,
    timezone: 'UTC',
    offset_day: null,
    offset_hour: null,
  });
  assert.deepEqual((await app.send('GET', `/batch_exports/${id}/`)).body, body);
  assert.deepEqual((await app.send('GET', `/api/projects/${app.project.id}/batch_exports/${id}`)).body, body);
  const stored = await app.db.selectFrom('batch_export').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  assert.doesNotMatch(JSON.stringify(stored), /SECRET|evenmoresecret|lake\b.*prefix/);
});

test('exports are listed newest first, page by page, for a project and for its organization', async () => {
  const other = await app.addProject();
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    const { body } = await app.send('POST', `/api/projects/${other.id}/batch_exports/`, { body: draft({ name }) });
    ids.unshift(body.id);
  }
  const page = await app.send('GET', `/api/projects/${other.id}/batch_exports/?limit=2`);
  assert.deepEqual([page.body.count, page.body.previous], [3, null]);
  const rest = await app.send('GET', page.body.next);
  const listed = [...page.body.results, ...rest.body.results].map(({ id }: { id: string }) => id);
  assert.deepEqual(listed, ids);
  const organization = `/api/organizations/${app.project.organization_id}/batch_exports`;
  const all = (await app.send('GET', `${organization}/`)).body;
  assert.ok(all.count >= 4);
  assert.deepEqual(
    all.results.slice(0, 3).map(({ id }: { id: string }) => id),
    ids,
  );
  assert.equal((await app.send('GET', `${organization}/${ids[0]}/`)).body.name, 'three');
  assert.equal((await app.send('PATCH', `${organization}/${ids[0]}/`, { body: { name: 'third' } })).body.name, 'third');
  assert.equal((await app.send('POST', `${organization}/${ids[0]}/pause/`)).status, 200);
  assert.equal((await app.send('GET', `${organization}/${ids[0]}/logs/`)).status, 200);
  assert.equal((await app.send('DELETE', `${organization}/${ids[0]}/`)).status, 204);
});

test('a change keeps what it does not name, secrets above all', async () => {
  const { id } = await app.create(draft());
  const config = async () => {
    const row = await app.db.selectFrom('batch_export').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return app.exports.parts.vault.open(row.config, row.id);
  };
  const change = { destination: { type: 'S3', config: { prefix: 'new/' } }, end_at: '2022-07-19 00:00:00' };
  const { status, body } = await app.send('PATCH', `/batch_exports/${id}/`, { body: change });
  assert.equal(status, 200);
  assert.deepEqual(body.destination.config, { ...S3, prefix: 'new/' });
  assert.deepEqual([body.end_at, body.name], ['2022-07-19T00:00:00Z', 'events to lake']);
  assert.deepEqual(await config(), { ...S3, ...S3_SECRETS, prefix: 'new/' });
  const bare = await app.send('PATCH', `/batch_exports/${id}/`, { body: { destination: {} } });
  assert.deepEqual([bare.status, bare.body.destination.config.prefix], [200, 'new/']);
  const put = { name: 'renamed', interval: 'day', destination: { type: 'S3', config: {} } };
  const replaced = await app.send('PUT', `/batch_exports/${id}/`, { body: put });
  assert.deepEqual(
    [replaced.status, replaced.body.name, replaced.body.interval, replaced.body.end_at],
    [200, 'renamed', 'day', '2022-07-19T00:00:00Z'],
  );
  const cleared = await app.send('PATCH', `/batch_exports/${id}/`, { body: { end_at: null } });
  assert.equal(cleared.body.end_at, null);
});

for (const [title, given, shown] of accepted) {
  test(`accepted: ${title}`, async () => {
    const { status, body, text } = await app.send('POST', '/batch_exports/', { body: draft(given) });
    assert.equal(status, 201, text);
    for (const [name, value] of Object.entries(shown)) assert.deepEqual(body[name], value);
  });
}

for (const [title, given, detail, attr, code = 'invalid_input'] of refused) {
  test(`refused: ${title}`, async () => {
    const { status, body } = await app.send('POST', '/batch_exports/', { body: draft(given) });
    assert.deepEqual([status, body], [400, { type: 'validation_error', code, detail, attr }]);
  });
}

test('a destination stays of its type', async () => {
  const { id } = await app.create(draft());
  const body = { destination: { type: 'NoOp', config: {} } };
  const answer = await app.send('PATCH', `/batch_exports/${id}/`, { body });
  assert.equal(answer.status, 400);
  assert.match(answer.body.detail, /^Cannot change destination type from 'S3' to 'NoOp'\./);
});

test('a body that is no object, or no JSON, is refused', async () => {
  const list = await app.send('POST', '/batch_exports/', { body: [] });
  assert.deepEqual([list.status, list.body.detail], [400, 'Invalid data. Expected a dictionary, but got list.']);
});

test('chosen columns are shown as they are understood, and can be given up again', async () => {
  const hogql_query = "select toString(uuid) as uuid, 'test' as test, toInt(1+1) as n from events";
  const { id } = await app.create();
  const { status, body, text } = await app.send('PATCH', `/batch_exports/${id}/`, { body: { hogql_query } });
  assert.equal(status, 200, text);
  const canonical = "SELECT toString(uuid) AS uuid, 'test' AS test, toInt(plus(1, 1)) AS n FROM events";
  assert.equal(body.hogql_query, canonical);
  assert.deepEqual(body.schema, {
    fields: [
      { expression: 'toString(events.uuid)', alias: 'uuid' },
      { expression: '%(hogql_val_0)s', alias: 'test' },
      { expression: 'accurateCastOrNull(plus(1, 1), %(hogql_val_1)s)', alias: 'n' },
    ],
    values: { hogql_val_0: 'test', hogql_val_1: 'Int64' },
    hogql_query: canonical,
  });
  const bad = await app.send('PATCH', `/batch_exports/${id}/`, {
    body: { hogql_query: "SELECT plus('a', 1) FROM events" },
  });
  assert.deepEqual([bad.status, bad.body.attr], [400, 'hogql_query']);
  const cleared = await app.send('PATCH', `/batch_exports/${id}/`, { body: { hogql_query: null } });
  assert.deepEqual([cleared.body.hogql_query, cleared.body.schema], [null, null]);
});

/** Every endpoint below an export, with what its key needs. */
const endpoints: [method: string, path: string, scope: 'read' | 'write', body?: Json][] = [
  ['GET', '', 'read'],
  ['PUT', '', 'write', draft({ destination: { type: 'NoOp', config: {} } })],
  ['PATCH', '', 'write', { name: 'x' }],
  ['POST', 'pause/', 'write'],
  ['POST', 'unpause/', 'write', {}],
  ['POST', 'backfill/', 'write', {}],
  ['GET', 'logs/', 'read'],
  ['GET', 'runs/', 'read'],
  ['GET', 'backfills/', 'read'],
  ['POST', 'backfills/', 'write', {}],
  ['GET', 'runs/:run/', 'read'],
  ['GET', 'runs/:run/logs/', 'read'],
  ['POST', 'runs/:run/retry/', 'write', {}],
  ['POST', 'runs/:run/cancel/', 'write'],
  ['GET', 'backfills/:backfill/', 'read'],
  ['POST', 'backfills/:backfill/cancel/', 'write'],
  ['DELETE', '', 'write'],
];

async function createWithRun(): Promise<{ id: string; at: (path: string) => string }> {
  app.setClock('2025-03-04T09:30:00Z');
  const { id } = await app.create({ paused: true });
  await app.send('POST', `/batch_exports/${id}/backfill/`);
  await app.workUntilIdle();
  const [run] = await app.runs(id);
  await app.send('POST', `/batch_exports/${id}/backfill/`);
  const { body } = await app.send('GET', `/batch_exports/${id}/backfills/`);
  const ids: Record<string, string> = { ':run': run?.id ?? '', ':backfill': body.results[0].id };
  return { id, at: (path) => `/batch_exports/${id}/${path.replace(/:\w+/, (name) => ids[name] ?? name)}` };
}

test('each endpoint needs its scope: writing implies reading, anything else is refused', async () => {
  const [read, write, other] = await Promise.all(
    [['batch_export:read'], ['batch_export:write'], ['dashboard:write']].map((scopes) => app.addKey(scopes)),
  );
  const { at } = await createWithRun();
  for (const [method, path, scope, body] of endpoints) {
    const ask = (key: string | null | undefined) =>
      app.send(method, at(path), { key: key ?? null, ...(body && { body }) } as Sent);
    const needed = `API key missing required scope 'batch_export:${scope}'`;
    const denied = { type: 'authentication_error', code: 'permission_denied', detail: needed, attr: null };
    for (const key of scope === 'write' ? [other, read] : [other]) {
      const { status, body: told } = await ask(key);
      assert.deepEqual([status, told], [403, denied], `${method} ${path}`);
    }
    assert.equal((await ask(null)).status, 401, `${method} ${path}`);
    const { status, text } = await ask(scope === 'read' ? read : write);
    const isCancel = path === 'runs/:run/cancel/';
    assert.equal(status, isCancel ? 400 : method === 'DELETE' ? 204 : 200, `${method} ${path}: ${text}`);
  }
});

test('an export is found in its own project only', async () => {
  const { id, at } = await createWithRun();
  const sibling = await app.addProject();
  const stranger = await app.addOrganization();
  const key = await app.addKey(['*'], stranger.user.id);
  for (const [method, path, , body] of endpoints) {
    const elsewhere = `/api/projects/${sibling.id}${at(path)}`;
    const missing = await app.send(method, elsewhere, { ...(body && { body }) });
    assert.deepEqual(
      [missing.status, missing.body],
      [404, { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null }],
      `${method} ${path}`,
    );
    const refusedThere = await app.send(method, `${app.here}${at(path)}`, { key, ...(body && { body }) });
    assert.equal(refusedThere.status, 403, `${method} ${path}`);
    const unknown = await app.send(method, at(path).replace(id, UNKNOWN_ID), { ...(body && { body }) });
    assert.equal(unknown.status, 404, `${method} ${path}`);
  }
  assert.equal((await app.send('GET', '/batch_exports/not-a-uuid/')).status, 404);
  assert.equal((await app.send('GET', `/batch_exports/${id}/runs/${UNKNOWN_ID}/`)).status, 404);
  assert.equal((await app.send('GET', `/batch_exports/${id}/backfills/${UNKNOWN_ID}/`)).status, 404);
});

test('what cannot be done is 405', async () => {
  const { at } = await createWithRun();
  const [read, write] = [undefined, {}];
  for (const [method, path, body] of [
    ['POST', 'runs/', write],
    ['PUT', 'runs/:run/', write],
    ['PATCH', 'runs/:run/', write],
    ['DELETE', 'runs/:run/', read],
    ['DELETE', 'backfills/:backfill/', read],
    ['PATCH', 'backfills/:backfill/', write],
    ['GET', 'pause/', read],
  ] as const) {
    const session = await signIn();
    const { status } = await app.send(method, at(path), { key: null, headers: session, ...(body && { body }) });
    assert.equal(status, 405, `${method} ${path}`);
  }
});

/** The headers of a browser that has signed in. */
let signedIn: Record<string, string> | undefined;
async function signIn(): Promise<Record<string, string>> {
  if (signedIn) return signedIn;
  const body = { email: app.owner.email, password: 'correct horse battery' };
  const { headers, status, text } = await app.send('POST', '/api/login/', { key: null, body });
  assert.equal(status, 200, text);
  const pairs = headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] as string);
  const csrf = pairs.find((pair) => pair.startsWith('posthog_csrftoken='))?.split('=')[1] ?? '';
  signedIn = { cookie: pairs.join('; '), 'x-csrftoken': csrf };
  return signedIn;
}

test('steps of a test are for people who have signed in', async () => {
  const headers = await signIn();
  const steps = await app.send('GET', '/batch_exports/test/?destination=S3', { key: null, headers });
  assert.deepEqual([steps.status, steps.body.steps[0].result], [200, null]);
  assert.deepEqual(
    [
      (await app.send('GET', '/batch_exports/test/', { key: null, headers })).status,
      (await app.send('GET', '/batch_exports/test/?destination=NoOp', { key: null, headers })).status,
      (await app.send('GET', '/batch_exports/test/?destination=constructor', { key: null, headers })).status,
    ],
    [400, 404, 404],
  );
  const byKey = await app.send('GET', '/batch_exports/test/?destination=S3');
  assert.deepEqual([byKey.status, byKey.body.detail], [403, 'This action does not support personal API key access']);
});

test('a step of a test says what is wrong with a destination, and no secrets', async () => {
  const headers = await signIn();
  const endpoint_url = 'http://127.0.0.1:9';
  const failing = s3With({ ...S3_SECRETS, endpoint_url });
  const body = { ...draft(failing), step: 0 };
  const tried = await app.send('POST', '/batch_exports/run_test_step_new/', { key: null, headers, body });
  assert.deepEqual([tried.status, tried.body.result.status], [200, 'Failed']);
  assert.doesNotMatch(tried.text, /evenmoresecret/);
  const { id } = await app.create(draft(failing));
  const stored = await app.send('POST', `/batch_exports/${id}/run_test_step/`, { key: null, headers, body: {} });
  assert.deepEqual([stored.status, stored.body.result.status], [200, 'Failed']);
  const empty = { ...draft({ destination: { type: 'S3', config: {} } }) };
  const unconfigured = await app.send('POST', '/batch_exports/run_test_step_new/', { key: null, headers, body: empty });
  assert.equal(unconfigured.body.result.message, "The test step cannot run as it's not configured.");
  const far = await app.send('POST', '/batch_exports/run_test_step_new/', {
    key: null,
    headers,
    body: { ...body, step: 9 },
  });
  assert.deepEqual([far.status, far.body.attr], [400, 'step']);
});

test('runs are paged both ways, and filtered by time and status', async () => {
  const { id } = await app.create({ paused: true });
  const from = Date.now() - 6 * 86_400_000;
  await app.db
    .insertInto('batch_export_run')
    .values(
      Array.from({ length: 230 }, (_, index) => ({
        id: `0195a1c2-7f00-7000-8000-${index.toString(16).padStart(12, '0')}`,
        batch_export_id: id,
        backfill_id: null,
        status: index % 2 ? ('Completed' as const) : ('Failed' as const),
        data_interval_start: new Date(from + index * 60_000).toISOString(),
        data_interval_end: new Date(from + (index + 1) * 60_000).toISOString(),
        created_at: new Date(index === 0 ? from - 9 * 86_400_000 : from + Math.floor(index / 3) * 60_000).toISOString(),
      })),
    )
    .execute();
  const walk = async (path: string) => {
    const pages: string[][] = [];
    let last = '';
    for (let next: string | null = path; next; ) {
      const { body } = await app.send('GET', next);
      assert.deepEqual(Object.keys(body), ['next', 'previous', 'results']);
      pages.push(body.results.map((run: { id: string }) => run.id));
      last = body.previous ?? last;
      next = body.next;
    }
    return { pages, last };
  };
  for (const ordering of ['', 'created_at', '-created_at', 'data_interval_start', '-data_interval_start', 'nonsense']) {
    const { pages, last } = await walk(`/batch_exports/${id}/runs/?ordering=${ordering}`);
    const byInterval = ordering.includes('interval');
    assert.deepEqual(
      pages.map(({ length }) => length),
      byInterval ? [100, 100, 30] : [100, 100, 29],
      ordering,
    );
    assert.equal(new Set(pages.flat()).size, byInterval ? 230 : 229);
    const back = await app.send('GET', last);
    assert.deepEqual(
      back.body.results.map((run: { id: string }) => run.id),
      pages[1],
      `${ordering} back`,
    );
  }
  const old = await app.send('GET', `/batch_exports/${id}/runs/?after=-30d&before=-8d`);
  assert.equal(old.body.results.length, 1);
  const failed = await app.send('GET', `/batch_exports/${id}/runs/?status=Failed&status=Cancelled&after=-30d`);
  assert.ok(failed.body.results.every(({ status }: { status: string }) => status === 'Failed'));
  const refusals: [string, number, string][] = [
    ['?cursor=nonsense', 404, 'Invalid cursor'],
    [`?cursor=${Buffer.from('["x","y",true]').toString('base64url')}`, 404, 'Invalid cursor'],
    ['?status=Asleep', 400, '"Asleep" is not a valid choice.'],
    ['?after=yesterday', 400, 'This must be a date such as 2025-02-03, 2025-02-03T10:11:12Z or -7d.'],
  ];
  for (const [query, status, detail] of refusals) {
    const answer = await app.send('GET', `/batch_exports/${id}/runs/${query}`);
    assert.deepEqual([answer.status, answer.body.detail], [status, detail], query);
  }
  const shown = (await app.send('GET', `/batch_exports/${id}/`)).body.latest_runs;
  assert.equal(shown.length, 10);
});

test('logs are found by level, text, time and run, newest first', async () => {
  const { id } = await app.create({ paused: true });
  const [first, second] = ['0195a1c2-7f00-7000-8000-000000000001', '0195a1c2-7f00-7000-8000-000000000002'];
  const line = (
    seconds: number,
    level: 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR',
    message: string,
    instance_id = first,
  ) => ({
    batch_export_id: id,
    instance_id,
    timestamp: `2025-03-04T10:00:0${seconds}Z`,
    level,
    message,
  });
  await app.db
    .insertInto('batch_export_log')
    .values([
      line(1, 'INFO', 'begun'),
      line(2, 'WARNING', '100% slow'),
      line(3, 'ERROR', 'Broken'),
      line(4, 'INFO', 'done', second),
    ])
    .execute();
  const found = async (query: string) => {
    const { body } = await app.send('GET', `/batch_exports/${id}/logs/${query}`);
    assert.equal(body.count, body.results.length);
    return body.results.map(({ message }: { message: string }) => message).join();
  };
  const questions: [query: string, expected: string][] = [
    ['', 'done,Broken,100% slow,begun'],
    ['?limit=2', 'done,Broken'],
    ['?level=error', 'Broken'],
    ['?level=error&level=WARNING', 'Broken,100% slow'],
    ['?level=error,warning', 'Broken,100% slow'],
    ['?search=BROKEN', 'Broken'],
    ['?search=100%25', '100% slow'],
    ['?search=_', ''],
    ['?after=2025-03-04T10:00:02Z', 'done,Broken'],
    ['?before=2025-03-04T10:00:02Z', 'begun'],
    [`?instance_id=${second}`, 'done'],
    ['?instance_id=nonsense', ''],
  ];
  for (const [query, expected] of questions) assert.equal(await found(query), expected, query);
  const [newest] = (await app.send('GET', `/batch_exports/${id}/logs/?limit=1`)).body.results;
  assert.deepEqual(newest, {
    log_source_id: id,
    instance_id: second,
    timestamp: '2025-03-04T10:00:04Z',
    level: 'INFO',
    message: 'done',
  });
  for (const query of ['?limit=0', '?limit=501', '?limit=x', '?level=loud', '?after=never']) {
    assert.equal((await app.send('GET', `/batch_exports/${id}/logs/${query}`)).status, 400, query);
  }
});
