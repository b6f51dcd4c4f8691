// Early access: a feature opens its flag to those who choose it. And what the browser SDK loads before anything else.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import vm from 'node:vm';
import { type FlagsApp, startFlagsApp } from './flags-app.ts';

let app: FlagsApp;
before(async () => {
  app = await startFlagsApp();
});
after(() => app[Symbol.asyncDispose]());

const flagOf = async (id: number) => (await app.api('GET', `/feature_flags/${id}/`)).body;
const publicList = async (query = '') =>
  (await app.send('GET', `/api/early_access_features/?token=${app.token}${query}`)).body;

test('a feature without a flag gets one, which those who enrol are given', async () => {
  const { status, body } = await app.api('POST', '/early_access_feature/', { name: 'Dark mode', stage: 'beta' });
  assert.equal(status, 201);
  assert.equal(body.feature_flag.key, 'dark-mode');
  assert.equal(body.feature_flag.name, 'Feature Flag for Feature Dark mode');
  const ask = async (enrolled?: boolean) => {
    const person_properties = enrolled === undefined ? {} : { '$feature_enrollment/dark-mode': enrolled };
    return (await app.post('/flags/?v=2', { distinct_id: 'a', person_properties })).body.flags['dark-mode'];
  };
  assert.deepEqual(
    [(await ask()).enabled, (await ask(true)).enabled, (await ask(false)).enabled],
    [false, true, false],
  );
  assert.equal((await ask(true)).reason.code, 'super_condition_value');

  assert.deepEqual(await publicList(), {
    earlyAccessFeatures: [
      { id: body.id, name: 'Dark mode', description: '', stage: 'beta', documentationUrl: '', flagKey: 'dark-mode' },
    ],
  });
  assert.deepEqual((await publicList('&stage=alpha&stage=concept')).earlyAccessFeatures, []);

  await app.api('PATCH', `/feature_flags/${body.feature_flag.id}/`, { key: 'darker-mode' });
  const { filters } = await flagOf(body.feature_flag.id);
  assert.equal(filters.super_groups[0].properties[0].key, '$feature_enrollment/darker-mode');
  const refused = await app.api('PATCH', `/feature_flags/${body.feature_flag.id}/`, { deleted: true });
  assert.match(refused.body.detail, /^Cannot delete a feature flag that is in use with early access features/);
  await app.api('PATCH', `/early_access_feature/${body.id}/`, { stage: 'archived' });
  assert.equal((await flagOf(body.feature_flag.id)).filters.super_groups, null);
  assert.equal((await app.api('DELETE', `/early_access_feature/${body.id}/`)).status, 204);
  assert.equal((await app.api('GET', `/early_access_feature/${body.id}/`)).status, 404);
});

test('a feature goes only with a flag that is free, for people, and on or off', async () => {
  const make = async (key: string, filters: object) =>
    (await app.api('POST', '/feature_flags/', { key, filters })).body.id;
  const groups = [{ properties: [], rollout_percentage: 0 }];
  const multivariate = { variants: [{ key: 'a', rollout_percentage: 100 }] };
  const attach = async (feature_flag_id: number) =>
    (await app.api('POST', '/early_access_feature/', { name: 'x', stage: 'draft', feature_flag_id })).body.detail;
  const free = await make('free', { groups });
  assert.equal(await attach(free), undefined);
  assert.equal(await attach(free), 'Linked feature flag free already has a feature attached to it.');
  assert.equal(await attach(999_999), 'Feature Flag with this ID does not exist');
  assert.equal(
    await attach(await make('grouped', { groups, aggregation_group_type_index: 0 })),
    'Group-based feature flags are not supported for Early Access Features.',
  );
  assert.equal(
    await attach(await make('varied', { groups, multivariate })),
    'Multivariate feature flags are not supported for Early Access Features.',
  );
});

test('the public list needs a project key', async () => {
  const without = await app.send('GET', '/api/early_access_features/');
  const wrong = await app.send('GET', '/api/early_access_features/?token=phc_x');
  assert.deepEqual(
    [without.status, without.body.code, wrong.status, wrong.body.code],
    [401, 'missing_api_key', 401, 'invalid_api_key'],
  );
});

test('the browser SDK finds its configuration, as JSON and as a script', async () => {
  const { body, headers } = await app.send('GET', `/array/${app.token}/config`, undefined, {
    origin: 'https://shop.example.com',
  });
  assert.equal(body.token, app.token);
  assert.equal(body.autocapture_opt_out, false);
  assert.equal(body.sessionRecording, false);
  assert.equal(body.hasFeatureFlags, true);
  assert.ok(body.supportedCompression.includes('gzip-js'));
  assert.equal(headers.get('access-control-allow-origin'), 'https://shop.example.com');

  const script = await app.send('GET', `/array/${app.token}/config.js`);
  const window: Record<string, Record<string, { config: object; siteApps: unknown[] }>> = {};
  vm.runInNewContext(script.text, { window });
  const { siteApps, ...config } = body;
  assert.deepEqual(JSON.parse(JSON.stringify(window._POSTHOG_REMOTE_CONFIG?.[app.token])), { config, siteApps });
  assert.match(script.headers.get('content-type') ?? '', /^application\/javascript/);
});

test('a key that cannot be one is refused, and one that nobody has is not found', async () => {
  assert.deepEqual([(await app.send('GET', '/array/a%20b/config')).status], [400]);
  assert.equal((await app.send('GET', '/array/phc_nobody/config')).status, 404);
  assert.equal((await app.send('GET', `/array/${app.token}/else`)).status, 404);
});

test('the browser SDK and its extensions are served from the installed package, and nothing else is', async () => {
  for (const path of ['/static/array.js', '/static/1.2.3/surveys.js', `/array/${app.token}/array.js`]) {
    const { status, text } = await app.send('GET', path);
    assert.equal(status, 200, path);
    assert.ok(text.length > 10_000, path);
  }
  for (const path of [
    '/static/nothing.js',
    '/static/..%2fpackage.js',
    '/static/package.json',
    '/static/a/b/array.js',
  ]) {
    assert.equal((await app.send('GET', path)).status, 404, path);
  }
});
