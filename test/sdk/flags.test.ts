// Flags through the server SDK as it is published: evaluated by us, and by the SDK from our definitions.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PostHog, type PostHogOptions } from 'posthog-node';
import { type FlagsApp, startFlagsApp } from '../journeys/flags-app.ts';
import { isLong } from '../random.ts';

const PEOPLE = isLong ? 1_000 : 250;

const vector = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../src/flags/vectors/${name}.json`, import.meta.url), 'utf8'));

const person = (key: string, value: unknown, operator = 'exact') => ({ key, value, operator, type: 'person' });
const variants = { variants: ['a', 'b', 'c'].map((key, at) => ({ key, rollout_percentage: [33, 33, 34][at] })) };

function connect(app: FlagsApp, options: PostHogOptions = {}) {
  const client = new PostHog(app.token, { host: app.url, disableGeoip: true, flushAt: 1_000, ...options });
  const errors: unknown[] = [];
  client.on('error', (error) => errors.push(error));
  return { client, errors, [Symbol.asyncDispose]: () => client.shutdown(100) };
}

/** The SDK lists some flags without a payload as undefined. */
const present = (payloads: unknown) => JSON.parse(JSON.stringify(payloads));

const localOptions = (app: FlagsApp) => ({ personalApiKey: app.key, featureFlagsPollingInterval: 60_000 });

test(`for ${PEOPLE} people, evaluated by us and by the SDK, every flag has the same value and payload`, async () => {
  await using app = await startFlagsApp();
  await app.addGroupType('company', 0);
  const { id } = await app.db
    .insertInto('cohort')
    .values({
      team_id: app.project.id,
      filters: JSON.stringify({
        properties: {
          type: 'OR',
          values: [{ type: 'AND', values: [person('plan', 'pro'), { ...person('age', 40, 'gt'), negation: true }] }],
        },
      }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const simple = vector('rollout-consistency');
  const multi = vector('multivariate-consistency');
  await app.addFlag('simple-flag', simple.flag.filters);
  await app.addFlag('multivariate-flag', multi.flag.filters);
  const parent = await app.addFlag('by-plan', {
    groups: [{ properties: [person('plan', ['pro', 'team'])], rollout_percentage: 70 }],
    payloads: { true: '{"n": 1}' },
  });
  await app.addFlag('by-age', {
    groups: [{ properties: [person('age', '30', 'gte'), person('plan', 'free', 'is_not')], rollout_percentage: 50 }],
    multivariate: variants,
    payloads: { a: '"A"', b: '[1]' },
  });
  await app.addFlag('by-mail', {
    groups: [
      { properties: [person('email', '@acme\\.(io|com)$', 'regex')], rollout_percentage: 100, variant: 'b' },
      { rollout_percentage: 20 },
    ],
    multivariate: variants,
  });
  await app.addFlag('by-name', {
    groups: [{ properties: [person('email', 'USER-1', 'icontains')], rollout_percentage: 90.5 }],
  });
  await app.addFlag('by-cohort', {
    groups: [{ properties: [{ key: 'id', type: 'cohort', value: id }], rollout_percentage: 80 }],
  });
  await app.addFlag('by-company', { groups: [{ rollout_percentage: 50 }], aggregation_group_type_index: 0 });
  await app.addFlag('by-flag', {
    groups: [
      {
        properties: [{ key: String(parent), type: 'flag', operator: 'flag_evaluates_to', value: true }],
        rollout_percentage: 100,
      },
    ],
  });
  await app.addFlag('switched-off', { groups: [{ rollout_percentage: 100 }] }, { active: false });

  await using local = connect(app, localOptions(app));
  await local.client.waitForLocalEvaluationReady();
  await using remote = connect(app);

  for (let at = 0; at < PEOPLE; at += 1) {
    const distinctId = `distinct_id_${at}`;
    const options = {
      groups: { company: `company-${at % 97}` },
      personProperties: {
        plan: ['free', 'pro', 'team'][at % 3]!,
        age: String(18 + (at % 50)),
        email: `user-${at}@${at % 2 ? 'acme.io' : 'else.org'}`,
      },
    };
    const here = await local.client.getAllFlagsAndPayloads(distinctId, { ...options, onlyEvaluateLocally: true });
    const there = await remote.client.getAllFlagsAndPayloads(distinctId, options);
    const { 'switched-off': off, ...flags } = here.featureFlags ?? {};
    assert.equal(off, false);
    assert.deepEqual(flags, there.featureFlags, distinctId);
    assert.deepEqual(present(here.featureFlagPayloads), present(there.featureFlagPayloads), distinctId);
    assert.equal(flags['simple-flag'], simple.expected[at]);
    assert.equal(flags['multivariate-flag'], multi.expected[at]);
    assert.equal(Object.keys(flags).length, 9);
  }
  assert.deepEqual([...local.errors, ...remote.errors], []);
});

test('each call of the SDK gives the right value', async () => {
  await using app = await startFlagsApp();
  await app.addGroupType('company', 0);
  await app.addGroup(0, 'acme', { tier: 'gold' });
  await app.addPerson({ distinct_ids: ['ann'], properties: { plan: 'pro' } });
  await app.addFlag('pro', {
    groups: [{ properties: [person('plan', 'pro')], rollout_percentage: 100, variant: 'b' }],
    multivariate: variants,
    payloads: { b: '{"color": "blue"}' },
  });
  await app.addFlag('gold', {
    groups: [{ properties: [{ key: 'tier', type: 'group', group_type_index: 0, value: 'gold' }] }],
    aggregation_group_type_index: 0,
  });
  await using connection = connect(app);
  const { client } = connection;
  const quiet = { sendFeatureFlagEvents: false };

  assert.equal(await client.getFeatureFlag('pro', 'ann', quiet), 'b');
  assert.equal(await client.isFeatureEnabled('pro', 'ann', quiet), true);
  assert.deepEqual(await client.getFeatureFlagPayload('pro', 'ann', undefined, quiet), { color: 'blue' });
  assert.equal(await client.isFeatureEnabled('pro', 'stranger', quiet), false);
  assert.equal(await client.getFeatureFlag('nothing-of-the-kind', 'ann', quiet), undefined);
  assert.equal(await client.isFeatureEnabled('gold', 'ann', { ...quiet, groups: { company: 'acme' } }), true);
  assert.equal(await client.isFeatureEnabled('gold', 'ann', { ...quiet, groups: { company: 'other' } }), false);
  const own = { ...quiet, groups: { company: 'other' }, groupProperties: { company: { tier: 'gold' } } };
  assert.equal(await client.isFeatureEnabled('gold', 'ann', own), true);
  assert.deepEqual(await client.getAllFlags('ann'), { pro: 'b', gold: false });
  assert.deepEqual(connection.errors, []);
});

test('definitions are sent once, and then only when they changed', async () => {
  await using app = await startFlagsApp();
  await app.addFlag('f', { groups: [{ rollout_percentage: 100 }] });
  const authorization = `Bearer ${app.key}`;
  for (const path of [
    `/flags/definitions?token=${app.token}&send_cohorts`,
    `/api/feature_flag/local_evaluation/?token=${app.token}`,
  ]) {
    const first = await app.send('GET', path, undefined, { authorization });
    const etag = first.headers.get('etag') ?? '';
    const again = await app.send('GET', path, undefined, { authorization, 'if-none-match': etag });
    assert.deepEqual(
      first.body.flags.map(({ key }: { key: string }) => key),
      ['f'],
    );
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag]);
    await app.addFlag(`g-${path.length}`, { groups: [] }, { deleted: true });
    assert.equal((await app.send('GET', path, undefined, { authorization, 'if-none-match': etag })).status, 304);
    await app.db.updateTable('feature_flag').set({ name: path }).where('key', '=', 'f').execute();
    await app.definitions.refresh(app.project.id);
    assert.equal((await app.send('GET', path, undefined, { authorization, 'if-none-match': etag })).status, 200);
  }
});

test('definitions are for those who hold a key of the project', async () => {
  await using app = await startFlagsApp();
  const ask = (headers: Record<string, string>) =>
    app.send('GET', `/flags/definitions?token=${app.token}`, undefined, headers);
  const without = await ask({});
  const wrong = await ask({ authorization: 'Bearer phx_wrong' });
  assert.deepEqual([without.status, without.body.code], [401, 'not_authenticated']);
  assert.deepEqual([wrong.status, wrong.body.code], [401, 'authentication_failed']);
});
