// Keys for servers, and payloads that only servers read.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PostHog } from 'posthog-node';
import { insertProject } from '../../src/projects/sql.ts';
import { type FlagsApp, startFlagsApp } from './flags-app.ts';

let app: FlagsApp;
before(async () => {
  app = await startFlagsApp();
});
after(() => app[Symbol.asyncDispose]());

const STARS = '"********* (encrypted)"';
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const rotate = async () => (await app.api('PATCH', '/rotate_secret_token/')).body;
const definitionPaths = () => [
  '/flags/definitions',
  '/api/feature_flag/local_evaluation?send_cohorts',
  `/api/projects/${app.project.id}/feature_flags/local_evaluation/`,
];

test('a project secret key reads definitions, also while the next one takes over, and nothing else', async () => {
  await app.addFlag('plain', { groups: [{ rollout_percentage: 100 }] });
  assert.deepEqual((await app.api('GET', '/secret_token/')).body, {
    secret_api_token: null,
    secret_api_token_backup: null,
  });
  const first = await rotate();
  assert.match(first.secret_api_token, /^phs_/);
  const second = await rotate();
  assert.equal(second.secret_api_token_backup, `phs_...${first.secret_api_token.slice(-4)}`);
  for (const path of definitionPaths()) {
    for (const { secret_api_token } of [first, second]) {
      const { status, body } = await app.send('GET', path, undefined, bearer(secret_api_token));
      assert.deepEqual([path, status, body?.flags[0].key], [path, 200, 'plain']);
    }
    const bad = await app.send('GET', path, undefined, bearer('phs_nobody'));
    assert.deepEqual([bad.status, bad.body.detail], [401, 'Secret API token is invalid.']);
    assert.equal((await app.send('GET', path)).status, 401);
  }
  const elsewhere = await app.send(
    'GET',
    `/api/projects/${app.project.id}/feature_flags/`,
    undefined,
    bearer(second.secret_api_token),
  );
  assert.equal(elsewhere.status, 401);

  await app.api('PATCH', '/delete_secret_token_backup/');
  const ended = await app.send('GET', '/flags/definitions', undefined, bearer(first.secret_api_token));
  assert.equal(ended.status, 401);
  const stored = JSON.stringify((await app.pool.query('select * from project_secret_key')).rows);
  assert.ok(!stored.includes(second.secret_api_token), 'the key itself is not kept');
});

test('posthog-node evaluates locally, and reads remote configuration, with a project secret key', async () => {
  const { secret_api_token } = await rotate();
  await app.api('POST', '/feature_flags/', {
    key: 'settings',
    is_remote_configuration: true,
    has_encrypted_payloads: true,
    filters: { groups: [{ rollout_percentage: 100 }], payloads: { true: { color: 'blue' } } },
  });
  const client = new PostHog(app.token, {
    host: app.url,
    personalApiKey: secret_api_token,
    featureFlagsPollingInterval: 60_000,
  });
  const errors: unknown[] = [];
  client.on('error', (error) => errors.push(error));
  try {
    await client.waitForLocalEvaluationReady();
    const local = await client.getFeatureFlag('plain', 'ann', {
      onlyEvaluateLocally: true,
      sendFeatureFlagEvents: false,
    });
    assert.equal(local, true);
    // The SDK hands over what it got: the payload's JSON text.
    assert.deepEqual(await client.getRemoteConfigPayload('settings'), { color: 'blue' });
    assert.deepEqual(errors, []);
  } finally {
    await client.shutdown(100);
  }
});

test('a payload that is kept encrypted is nowhere to be read but as remote configuration', async () => {
  const secret = '{"api_key":"hunter2"}';
  const { body: flag } = await app.api('POST', '/feature_flags/', {
    key: 'vault',
    is_remote_configuration: true,
    has_encrypted_payloads: true,
    filters: { groups: [{ rollout_percentage: 100 }], payloads: { true: secret } },
  });
  assert.equal(flag.filters.payloads.true, STARS);
  const change = (body: object) => app.api('PATCH', `/feature_flags/${flag.id}/`, body);
  const config = async () => (await app.api('GET', '/feature_flags/vault/remote_config/')).body;
  assert.equal(await config(), secret);
  assert.equal((await app.post('/flags/?v=2', { distinct_id: 'x' })).body.flags.vault.metadata.payload, STARS);

  // What was shown as stars comes back as stars, and stays what it is.
  const { body: renamed } = await change({ name: 'Secrets', filters: flag.filters });
  assert.equal(renamed.filters.payloads.true, STARS);
  assert.equal(await config(), secret);
  await change({ filters: { ...flag.filters, payloads: { true: '"new"' } } });
  assert.equal(await config(), '"new"');
  assert.equal((await change({ has_encrypted_payloads: false })).status, 400);

  const tables = ['feature_flag', 'feature_flag_version', 'activity_log'];
  for (const table of tables) {
    const { rows } = await app.pool.query(`select * from ${table}`);
    assert.ok(!JSON.stringify(rows).includes('hunter2'), `${table} keeps the payload as it is`);
  }
  const told = await app.api('GET', `/feature_flags/${flag.id}/versions/`);
  assert.ok(!told.text.includes('hunter2'));
});

test('a flag is copied to other projects, with its cohorts and what is encrypted in it', async () => {
  const { organization_id } = app.project;
  const there = await insertProject(app.db, { organization_id, name: 'There' });
  const here = `/api/organizations/${organization_id}/feature_flags`;
  const ask = (method: string, path: string, body?: unknown) => app.send(method, here + path, body, bearer(app.key));
  const pros = {
    properties: { type: 'AND', values: [{ type: 'person', key: 'plan', operator: 'exact', value: 'pro' }] },
  };
  const { body: cohort } = await app.api('POST', '/cohorts/', { name: 'Pros', filters: pros });
  const groups = [{ properties: [{ key: 'id', type: 'cohort', value: cohort.id }], rollout_percentage: 100 }];
  await app.api('POST', '/feature_flags/', {
    key: 'travels',
    name: 'Travels',
    has_encrypted_payloads: true,
    is_remote_configuration: true,
    filters: { groups, payloads: { true: '"secret"' } },
  });
  const copy = (targets: unknown[]) =>
    ask('POST', '/copy_flags/', {
      feature_flag_key: 'travels',
      from_project: app.project.id,
      target_project_ids: targets,
    });

  const { status, body } = await copy([there.id, 999_999]);
  assert.equal(status, 200);
  assert.deepEqual([body.success.length, body.failed], [1, [{ project_id: 999_999, errors: 'Project not found.' }]]);
  const [copied] = body.success;
  assert.deepEqual([copied.team_id, copied.key, copied.name], [there.id, 'travels', 'Travels']);
  assert.notEqual(copied.filters.groups[0].properties[0].value, cohort.id);
  const config = await app.send(
    'GET',
    `/api/projects/${there.id}/feature_flags/travels/remote_config/`,
    undefined,
    bearer(app.key),
  );
  assert.equal(config.body, '"secret"');

  await copy([there.id]);
  const { body: all } = await ask('GET', '/travels/');
  assert.deepEqual(
    all.map((flag: { team_id: number }) => flag.team_id),
    [app.project.id, there.id],
  );
  const { rows } = await app.pool.query('select id from cohort where team_id = $1', [there.id]);
  assert.equal(rows.length, 1, 'copied again, it finds its cohort by name');
  const lacking = await ask('POST', '/copy_flags/', { feature_flag_key: 'travels' });
  assert.deepEqual([lacking.status, lacking.body], [400, { error: 'Missing required fields' }]);
});

test('the people of a flag become a static cohort; a file of ids does, too', async () => {
  for (const who of ['kim', 'lee']) await app.addPerson({ distinct_ids: [who], properties: { team: who } });
  const groups = [{ properties: [{ key: 'team', type: 'person', value: 'kim' }], rollout_percentage: 100 }];
  const { body: flag } = await app.api('POST', '/feature_flags/', { key: 'for-kim', filters: { groups } });
  const made = await app.api('POST', `/feature_flags/${flag.id}/create_static_cohort_for_flag/`);
  assert.equal(made.status, 201);
  assert.match(made.body.cohort.name, /^Users with feature flag for-kim enabled at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  assert.deepEqual([made.body.cohort.is_static, made.body.cohort.count], [true, 1]);

  const form = new FormData();
  form.set('name', 'From a file');
  form.set('is_static', 'true');
  form.set('csv', new File(['distinct_id\nkim\nlee\nnobody\n'], 'ids.csv'));
  const response = await fetch(`${app.url}/api/projects/${app.project.id}/cohorts/`, {
    method: 'POST',
    headers: bearer(app.key),
    body: form,
  });
  const cohort = (await response.json()) as { count: number; is_static: boolean };
  assert.deepEqual([response.status, cohort.is_static, cohort.count], [201, true, 2]);
});

test('who changed a flag, or a cohort, and how, can be read', async () => {
  const { body: flag } = await app.api('POST', '/feature_flags/', { key: 'watched' });
  await app.api('PATCH', `/feature_flags/${flag.id}/`, { name: 'Renamed' });
  const { body } = await app.api('GET', `/feature_flags/${flag.id}/activity/?limit=1`);
  assert.deepEqual([body.total_count, body.results[0].activity, body.results[0].scope], [2, 'updated', 'FeatureFlag']);
  assert.deepEqual(body.results[0].detail.changes, [
    { type: 'FeatureFlag', action: 'changed', field: 'name', before: '', after: 'Renamed' },
  ]);
  assert.match(body.next, /page=2/);
  assert.ok((await app.api('GET', '/feature_flags/activity/?limit=100')).body.total_count > 2);
  assert.equal((await app.api('GET', '/feature_flags/999999/activity/')).status, 404);

  const { body: cohort } = await app.api('POST', '/cohorts/', { name: 'Watched' });
  await app.api('PATCH', `/cohorts/${cohort.id}/`, { deleted: true });
  const { body: of } = await app.api('GET', `/cohorts/${cohort.id}/activity/`);
  assert.deepEqual(
    of.results.map(({ activity }: { activity: string }) => activity),
    ['deleted', 'created'],
  );
});
