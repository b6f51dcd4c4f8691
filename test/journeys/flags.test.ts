// Flags as SDKs of every year ask for them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { eventually } from '../eventually.ts';
import { isLong } from '../random.ts';
import { type FlagsApp, startFlagsApp } from './flags-app.ts';

const everybody = { groups: [{ properties: [], rollout_percentage: 100 }] };
const only = (...properties: unknown[]) => ({ groups: [{ properties, rollout_percentage: 100 }] });
const person = (key: string, value: unknown, operator = 'exact') => ({ key, value, operator, type: 'person' });

// Requests that change nothing share an app.
let app: FlagsApp;
before(async () => {
  app = await startFlagsApp();
  await app.addFlag('on', everybody);
  await app.addFlag('off', { groups: [{ rollout_percentage: 0 }] });
  await app.addFlag('inactive', everybody, { active: false });
  await app.addFlag('gone', everybody, { deleted: true });
  await app.addFlag('multi', {
    ...everybody,
    multivariate: { variants: [{ key: 'test', rollout_percentage: 100 }] },
    payloads: { test: '{"a": 1}' },
  });
  await app.addFlag('gap', { ...everybody, multivariate: { variants: [{ key: 'x', rollout_percentage: 0 }] } });
  await app.addFlag('australian', only(person('$geoip_country_name', 'Australia')));
  await app.addFlag('secret', { ...everybody, payloads: { true: 'xyz' } }, { has_encrypted_payloads: true });
  await app.addPerson({ distinct_ids: ['ann'], properties: { plan: 'pro', $geoip_country_name: 'India' } });
});
after(() => app[Symbol.asyncDispose]());

const VALUES = { on: true, off: false, multi: 'test', gap: true, australian: false, secret: true };
const ON = ['on', 'multi', 'gap', 'secret'];

// Shapes

for (const query of ['', '?v=', '?v=1', '?v=0', '?v=-3']) {
  test(`/decide${query} lists the keys of flags that are on`, async () => {
    const { status, body } = await app.post(`/decide/${query}`, { distinct_id: 'ann' });
    assert.equal(status, 200);
    assert.deepEqual(body.featureFlags, ON);
    assert.equal('errorsWhileComputingFlags' in body, false);
  });
}

for (const query of ['?v=2', '?v=nonsense', '?v=3&v=1.19.0']) {
  test(`/decide${query} has the values of flags that are on`, async () => {
    const { body } = await app.post(`/decide${query}`, { distinct_id: 'ann' });
    assert.deepEqual(body.featureFlags, { on: true, multi: 'test', gap: true, secret: true });
    assert.equal('featureFlagPayloads' in body, false);
  });
}

test('/decide?v=3 has all values and the payloads of those that are on', async () => {
  const { body } = await app.post('/decide/?v=3', { distinct_id: 'ann' });
  assert.deepEqual(body.featureFlags, VALUES);
  assert.deepEqual(body.featureFlagPayloads, { multi: '{"a": 1}', secret: '"********* (encrypted)"' });
  assert.equal(body.errorsWhileComputingFlags, false);
});

test('/decide says everything else that old SDKs read from it', async () => {
  const { body } = await app.post('/decide/?v=3', { distinct_id: 'ann' });
  const { featureFlags, featureFlagPayloads, requestId, ...rest } = body;
  assert.match(requestId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    supportedCompression: ['gzip', 'gzip-js'],
    captureDeadClicks: false,
    capturePerformance: { network_timing: true, web_vitals: false, web_vitals_allowed_metrics: null },
    autocapture_opt_out: false,
    autocaptureExceptions: false,
    analytics: { endpoint: '/i/v0/e/' },
    elementsChainAsString: true,
    errorTracking: { autocaptureExceptions: false, suppressionRules: [] },
    sessionRecording: false,
    heatmaps: false,
    surveys: false,
    flagsPersistenceDefault: false,
    defaultIdentifiedOnly: true,
    siteApps: [],
    isAuthenticated: false,
    toolbarParams: {},
    config: { enable_collect_everything: true },
    errorsWhileComputingFlags: false,
  });
});

for (const path of ['/decide?v=4', '/decide/?v=5', '/flags/?v=2', '/flags?v=2', '/flags/?v=2&config=true']) {
  test(`${path} tells each flag with its reason`, async () => {
    const { body } = await app.post(path, { distinct_id: 'ann' });
    const { id } = body.flags.multi.metadata;
    assert.equal(typeof id, 'number');
    assert.deepEqual(body.flags.multi, {
      key: 'multi',
      enabled: true,
      variant: 'test',
      reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
      metadata: { id, version: 1, description: null, payload: '{"a": 1}' },
    });
    assert.deepEqual(Object.keys(body.flags), Object.keys(VALUES));
    assert.equal(body.flags.off.reason.description, 'Out of rollout bound');
    assert.equal('config' in body, path.startsWith('/decide') || path.includes('config'));
  });
}

for (const query of ['?v=1', '?v=x', '?config=true']) {
  test(`/flags/${query} has values and payloads`, async () => {
    const { body } = await app.post(`/flags/${query}`, { distinct_id: 'ann' });
    assert.deepEqual(body.featureFlags, VALUES);
    assert.equal(typeof body.featureFlagPayloads.multi, 'string');
  });
}

test('/flags without a version answers in the newest shape, with the configuration', async () => {
  const { body } = await app.post('/flags', { distinct_id: 'ann' });
  assert.equal(body.flags.on.enabled, true);
  assert.deepEqual(body.supportedCompression, ['gzip', 'gzip-js']);
});

test('GET answers something harmless to whoever looks', async () => {
  const decide = await app.send('GET', '/decide/');
  const flags = await app.send('GET', '/flags/?v=2');
  const head = await app.send('HEAD', '/flags/');
  assert.deepEqual(decide.body.featureFlags, {});
  assert.equal(decide.body.isAuthenticated, false);
  assert.deepEqual(flags.body.flags, {});
  assert.deepEqual([head.status, head.text], [200, '']);
});

test('browsers may ask from any page, with credentials', async () => {
  const { headers } = await app.post('/flags/?v=2', { distinct_id: 'ann' }, { origin: 'https://shop.example.com' });
  const refused = await app.send('POST', '/decide/?v=3', {}, { origin: 'https://shop.example.com' });
  for (const answer of [headers, refused.headers]) {
    assert.equal(answer.get('access-control-allow-origin'), 'https://shop.example.com');
    assert.equal(answer.get('access-control-allow-credentials'), 'true');
  }
});

// Encodings

const encodings: [
  string,
  (json: string) => [body: string | Uint8Array, headers?: Record<string, string>, query?: string],
][] = [
  ['plain JSON as text', (json) => [json, { 'content-type': 'text/plain' }]],
  [
    'form with base64',
    (json) => [
      `data=${encodeURIComponent(Buffer.from(json).toString('base64'))}`,
      { 'content-type': 'application/x-www-form-urlencoded' },
      '&compression=base64',
    ],
  ],
  [
    'form with base64 that says nothing',
    (json) => [
      `data=${encodeURIComponent(Buffer.from(json).toString('base64'))}`,
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
  ],
  ['gzip-js', (json) => [gzipSync(json), { 'content-type': 'text/plain' }, '&compression=gzip-js']],
  ['gzip that says nothing', (json) => [gzipSync(json), { 'content-type': 'text/plain' }]],
  ['gzip of an app', (json) => [gzipSync(json), { 'content-type': 'application/json', 'content-encoding': 'gzip' }]],
  [
    'numbers that are no JSON',
    (json) => [json.replace('}', ',"x":NaN,"y":[-Infinity]}'), { 'content-type': 'application/json' }],
  ],
];

for (const [name, encode] of encodings) {
  for (const path of ['/decide/?v=3', '/flags/?v=1']) {
    test(`${path} reads ${name}`, async () => {
      const [body, headers, query = ''] = encode(JSON.stringify({ api_key: app.token, distinct_id: 'ann' }));
      const answer = await app.send('POST', path + query, body, headers);
      assert.deepEqual(answer.body?.featureFlags, VALUES, answer.text);
    });
  }
}

for (const field of ['token', 'api_key', '$token']) {
  test(`the project key may be called ${field}`, async () => {
    const { status } = await app.send('POST', '/flags/?v=2', { [field]: app.token, distinct_id: 'x' });
    assert.equal(status, 200);
  });
}

test('a number as distinct id counts as its digits, and a long id is cut', async () => {
  await using own = await startFlagsApp();
  await own.addFlag('mine', only(person('distinct_id', ['12345', 'é'.repeat(200)])));
  for (const distinct_id of [12345, '12345', 'é'.repeat(300)]) {
    const { body } = await own.post('/decide/?v=3', { distinct_id });
    assert.deepEqual(body.featureFlags, { mine: true }, String(distinct_id));
  }
});

// Refusals

const refusals: [body: unknown, decide: [number, string], flags: [number, string]][] = [
  [
    { distinct_id: 'a' },
    [401, 'no_api_key'],
    [401, 'No API token provided. Please include a valid API token in your request.'],
  ],
  ['', [401, 'no_api_key'], [401, 'No API token provided. Please include a valid API token in your request.']],
  [
    { token: 'phc_nobody', distinct_id: 'a' },
    [401, 'invalid_api_key'],
    [401, 'The provided API key is invalid or has expired. Please check your API key and try again.'],
  ],
  [
    '{"token": 5',
    [400, 'malformed_data'],
    [400, 'Failed to decode request: invalid JSON. Please check your request format and try again.'],
  ],
];
for (const [body, decide, flags] of refusals) {
  test(`refused: ${JSON.stringify(body)}`, async () => {
    const headers = { 'content-type': 'application/json' };
    const one = await app.send('POST', '/decide/?v=3', body, headers);
    const other = await app.send('POST', '/flags/?v=2', body, headers);
    assert.deepEqual([one.status, one.body.code], decide);
    assert.deepEqual([other.status, other.text], flags);
    assert.match(other.headers.get('content-type') ?? '', /^text\/plain/);
  });
}

test('refused without a distinct id, unless no flags are asked for', async () => {
  const one = await app.post('/decide/?v=3', {});
  const other = await app.post('/flags/?v=2', { distinct_id: null });
  assert.deepEqual(one.body, {
    type: 'validation_error',
    code: 'missing_distinct_id',
    detail: 'Decide requires a distinct_id.',
    attr: null,
  });
  assert.equal(other.text, 'The distinct_id field is missing from the request. Please include a valid identifier.');
  assert.deepEqual((await app.post('/decide/?v=2', { disable_flags: true })).body.featureFlags, {});
});

// What is evaluated, and with what

test('only the flags asked for are answered; unknown keys are nothing', async () => {
  const ask = async (body: object) =>
    Object.keys((await app.post('/flags/?v=2', { distinct_id: 'a', ...body })).body.flags);
  assert.deepEqual(await ask({ flag_keys_to_evaluate: ['on', 'gap', 'nope'] }), ['on', 'gap']);
  assert.deepEqual(await ask({ flag_keys: ['on'] }), ['on']);
  assert.deepEqual(await ask({ flag_keys_to_evaluate: [] }), []);
  assert.deepEqual(await ask({ disable_flags: 'yes' }), []);
  assert.deepEqual(await ask({ disable_flags: '0' }), Object.keys(VALUES));
});

test('the place is that of the address a proxy names, unless the request says otherwise', async () => {
  const ask = async (body: object, address = '13.106.122.3') => {
    const { flags } = (
      await app.post('/flags/?v=2', { distinct_id: 'ann', ...body }, { 'x-forwarded-for': `${address}, 10.0.0.1` })
    ).body;
    return flags.australian.enabled;
  };
  assert.equal(await ask({}), true);
  assert.equal(await ask({}, '192.168.1.1'), false);
  assert.equal(await ask({ geoip_disable: true }), false);
  assert.equal(await ask({ person_properties: { $geoip_country_name: 'India' } }), false);
});

test('what was decided for somebody is not handed to a request that says more about them', async () => {
  const own = await app.addProject();
  await own.addGroupType('company', 0);
  await own.addFlag('pro', only(person('plan', 'pro')));
  await own.addFlag('by-device', everybody, { bucketing_identifier: 'device_id' });
  await own.addFlag('for-company', { ...everybody, aggregation_group_type_index: 0 });
  await own.addPerson({ distinct_ids: ['ann'], properties: { plan: 'pro' } });
  const ask = async (body: object) =>
    (await own.post('/decide?v=3', { distinct_id: 'ann', ...body })).body.featureFlags as Record<string, boolean>;
  const plain = { pro: true, 'by-device': false, 'for-company': false };
  for (const more of [{}, { person_properties: { other: 1 } }]) assert.deepEqual(await ask(more), plain);
  assert.deepEqual(await ask({ person_properties: { plan: 'free' } }), { ...plain, pro: false });
  assert.deepEqual(await ask({ $device_id: 'd-1' }), { ...plain, 'by-device': true });
  assert.deepEqual(await ask({ groups: { company: 'acme' } }), { ...plain, 'for-company': true });
  assert.deepEqual(await ask({}), plain);
});

test('a flag for servers is not told to browsers, nor one for another context', async () => {
  const own = await app.addProject();
  await own.addFlag('server', everybody, { evaluation_runtime: 'server' });
  await own.addFlag('client', everybody, { evaluation_runtime: 'client' });
  await own.addFlag('checkout', everybody, { evaluation_contexts: ['checkout'] });
  const ask = async (body: object, agent: string) => {
    const answer = await own.post('/flags/?v=2', { distinct_id: 'a', ...body }, { 'user-agent': agent });
    return Object.keys(answer.body.flags);
  };
  assert.deepEqual(await ask({}, 'Mozilla/5.0'), ['client', 'checkout']);
  assert.deepEqual(await ask({}, 'posthog-python/7.0'), ['server', 'checkout']);
  assert.deepEqual(await ask({ evaluation_contexts: ['cart'] }, 'curl/8'), ['server']);
});

// The vectors, through the doors

interface Scenario {
  id: string;
  title: string;
  // biome-ignore lint/suspicious/noExplicitAny: free JSON
  [part: string]: any;
}
const vectors = new URL('../../src/flags/vectors/flag-scenarios.json', import.meta.url);

for (const scenario of JSON.parse(readFileSync(vectors, 'utf8')).scenarios as Scenario[]) {
  test(`${scenario.id}, over the wire: ${scenario.title}`, async () => {
    const own = await app.addProject();
    const cohortIds = new Map<number, number>();
    const flagIds = new Map<number, number>();
    const remap = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value ?? null), (_key, one) => {
        if (one?.type === 'cohort') return { ...one, value: cohortIds.get(one.value) ?? one.value };
        return one?.type === 'flag' ? { ...one, key: String(flagIds.get(Number(one.key)) ?? one.key) } : one;
      });
    for (const [index, type] of Object.entries(scenario.group_type_mapping ?? {}))
      await own.addGroupType(type as string, Number(index));
    for (const stored of scenario.persons ?? []) await own.addPerson(stored);
    for (const { group_type_index, group_key, properties } of scenario.groups ?? [])
      await own.addGroup(group_type_index, group_key, properties);
    for (const { id, is_static, filters, members = [] } of scenario.cohorts ?? []) {
      const values = { team_id: own.project.id, is_static, filters: JSON.stringify(remap(filters)) };
      const cohort = await app.db.insertInto('cohort').values(values).returning('id').executeTakeFirstOrThrow();
      cohortIds.set(id, cohort.id);
      for (const distinct_id of members) {
        await app.db
          .insertInto('cohort_member')
          .values({ team_id: own.project.id, cohort_id: cohort.id, distinct_id })
          .execute();
      }
    }
    for (const { id, key, filters, active, deleted, ensure_experience_continuity = false } of scenario.flags) {
      const made = await own.addFlag(key, remap(filters) as object, { active, deleted, ensure_experience_continuity });
      flagIds.set(id, made);
    }
    for (const { body, expected } of scenario.requests) {
      const three = await own.post('/decide/?v=3', { ...body, geoip_disable: true });
      const four = await own.post('/flags/?v=2', { ...body, geoip_disable: true });
      assert.deepEqual(three.body.featureFlags, expected.featureFlags, JSON.stringify(body));
      assert.deepEqual(three.body.featureFlagPayloads, expected.featureFlagPayloads);
      for (const [key, { enabled, variant, reason, payload }] of Object.entries<Scenario>(expected.details)) {
        const told = four.body.flags[key];
        assert.deepEqual([told.enabled, told.variant, told.metadata.payload], [enabled, variant, payload]);
        if (scenario.id !== 'sc-08') assert.deepEqual(told.reason, reason);
      }
    }
  });
}

test('an identified visitor keeps the value, also when the anonymous id is no longer sent', async () => {
  const own = await app.addProject();
  await own.addFlag('beta-feature', { groups: [{ rollout_percentage: 50 }] }, { ensure_experience_continuity: true });
  const ask = async (body: object) => (await own.post('/decide/?v=3', body)).body.featureFlags['beta-feature'];
  assert.equal(await ask({ distinct_id: 'another_id' }), false);
  assert.equal(await ask({ distinct_id: 'another_id', $anon_distinct_id: 'other_id' }), true);
  assert.equal(await ask({ distinct_id: 'another_id' }), true);
  assert.equal(await ask({ distinct_id: 'another_id', $anon_distinct_id: 'somebody else' }), true);
});

test('when persons are merged, what was hashed and the cohorts go with their ids', async () => {
  const own = await app.addProject();
  const values = { team_id: own.project.id, is_static: true };
  const cohort = await app.db.insertInto('cohort').values(values).returning('id').executeTakeFirstOrThrow();
  await own.addFlag('beta-feature', { groups: [{ rollout_percentage: 50 }] }, { ensure_experience_continuity: true });
  await own.addFlag('members', only({ key: 'id', type: 'cohort', value: cohort.id }));
  await own.addPerson({ distinct_ids: ['old'] });
  const survivor = await own.addPerson({ distinct_ids: ['another_id'] });
  await app.db
    .insertInto('cohort_member')
    .values({ team_id: own.project.id, cohort_id: cohort.id, distinct_id: 'old' })
    .execute();
  await own.post('/decide/?v=3', { distinct_id: 'old', $anon_distinct_id: 'other_id' });
  const ask = async () => (await own.post('/decide/?v=3', { distinct_id: 'another_id' })).body.featureFlags;
  assert.deepEqual(await ask(), { 'beta-feature': false, members: false });

  await app.db
    .updateTable('person_distinct_id')
    .set({ person_uuid: survivor })
    .where('team_id', '=', own.project.id)
    .where('distinct_id', '=', 'old')
    .execute();

  assert.deepEqual(await ask(), { 'beta-feature': true, members: true });
});

// Changes

test('a change made by another process is served within a second', async () => {
  const own = await app.addProject();
  await own.addFlag('f', everybody);
  const ask = async () => (await own.post('/decide/?v=3', { distinct_id: 'a' })).body.featureFlags.f;
  assert.equal(await ask(), true);
  await app.db
    .updateTable('feature_flag')
    .set({ filters: JSON.stringify({ groups: [] }) })
    .where('team_id', '=', own.project.id)
    .execute();
  await eventually('the flag is off', async () => (await ask()) === false, isLong ? 1_000 : 30_000);
});

test('what another process changes about a person counts within seconds, and so does that they are gone', async () => {
  const own = await app.addProject();
  await own.addFlag('pro', only(person('plan', 'pro')));
  const uuid = await own.addPerson({ distinct_ids: ['ann'], properties: { plan: 'pro' } });
  const ask = async () => (await own.post('/decide/?v=3', { distinct_id: 'ann' })).body.featureFlags.pro;
  assert.equal(await ask(), true);
  const change = app.db.updateTable('person').where('uuid', '=', uuid);
  await change.set({ properties: JSON.stringify({ plan: 'free' }), version: 1 }).execute();
  await eventually('the plan is free', async () => (await ask()) === false);
  await change.set({ properties: JSON.stringify({ plan: 'pro' }), version: 2 }).execute();
  await eventually('the plan is pro', async () => (await ask()) === true);
  await app.db.deleteFrom('person').where('uuid', '=', uuid).execute();
  await eventually('there is no person', async () => (await ask()) === false);
});

test('a project key that was renewed stops working, and the new one works', async () => {
  const own = await app.addProject();
  const renewed = 'phc_renewed';
  assert.equal((await own.post('/decide/?v=3', { distinct_id: 'a' })).status, 200);
  await app.db.updateTable('project').set({ api_token: renewed }).where('id', '=', own.project.id).execute();
  await eventually(
    'the old key is refused',
    async () => (await own.post('/decide/?v=3', { distinct_id: 'a' })).status === 401,
  );
  const { status } = await app.send('POST', '/decide/?v=3', { token: renewed, distinct_id: 'a' });
  assert.equal(status, 200);
});
