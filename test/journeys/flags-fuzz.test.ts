// Requests for flags that nobody should send: every one is answered, none with a fault of ours.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { isLong, seededRandom, seedOfRun } from '../random.ts';
import { startFlagsApp } from './flags-app.ts';

const ROUNDS = isLong ? 20_000 : 400;

test(`no request for flags is answered with a fault of ours (seed ${seedOfRun})`, async () => {
  await using app = await startFlagsApp();
  await app.addGroupType('company', 0);
  const cohort = await app.db
    .insertInto('cohort')
    .values({ team_id: app.project.id, is_static: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  const properties = [
    { key: 'plan', type: 'person', operator: 'regex', value: '(a+)+$' },
    { key: 'id', type: 'cohort', value: cohort.id, operator: 'not_in' },
  ];
  await app.addFlag(
    'person',
    { groups: [{ properties, rollout_percentage: 50 }] },
    { ensure_experience_continuity: true },
  );
  await app.addFlag('company', {
    groups: [{ properties: [{ key: 'tier', type: 'group', value: 'x', group_type_index: 0 }] }],
    aggregation_group_type_index: 0,
  });
  const random = seededRandom(seedOfRun);
  const scalars = [
    null,
    true,
    0,
    -1e308,
    '',
    'a',
    '\0',
    '\ud800',
    'é'.repeat(300),
    'a'.repeat(5_000),
    app.token,
    '__proto__',
    'phx_x',
  ];
  const anything = (depth: number): unknown => {
    if (depth === 0 || random.chance(0.5)) return random.pick(scalars);
    if (random.chance(0.4)) return Array.from({ length: random.int(4) }, () => anything(depth - 1));
    return Object.fromEntries(
      Array.from({ length: random.int(4) }, () => [
        random.pick(['plan', 'company', 'token', '__proto__', '\0']),
        anything(depth - 1),
      ]),
    );
  };
  const fields =
    `token api_key distinct_id $distinct_id groups $groups person_properties group_properties $anon_distinct_id
    $device_id geoip_disable disable_flags flag_keys_to_evaluate evaluation_contexts evaluation_runtime properties`.split(
      /\s+/,
    );
  const make = () => {
    const body: Record<string, unknown> = random.chance(0.8)
      ? { token: app.token, distinct_id: random.pick(['a', 'b', '\0x', 7]) }
      : {};
    for (let count = random.int(5); count > 0; count -= 1) body[random.pick(fields)] = anything(3);
    const json = JSON.stringify(random.chance(0.1) ? [body] : body);
    if (random.chance(0.1)) return '['.repeat(random.int(100_000));
    if (random.chance(0.1)) return json.slice(0, random.int(json.length));
    if (random.chance(0.1))
      return Uint8Array.from(gzipSync(json)).map((byte) => (random.chance(0.01) ? random.int(256) : byte));
    return random.chance(0.1) ? new Uint8Array(random.bytes(random.int(200))) : json;
  };
  const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''];
  const queries = [
    '',
    '?v=1',
    '?v=2',
    '?v=3',
    '?v=4',
    '?v=99999999999999999999',
    '?config=true',
    '?v=2&compression=lz64',
    '?v=%00',
    '?only_evaluate_survey_feature_flags=1',
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    const path = random.pick(['/decide', '/decide/', '/flags', '/flags/']) + random.pick(queries);
    const headers = {
      'content-type': random.pick(types),
      'x-forwarded-for': random.pick(['13.106.122.3', 'x', ':::', '1.2.3.4:99']),
    };
    const begunAt = performance.now();
    const { status, text } = await app.send('POST', path, make(), headers);
    assert.ok(status < 500, `seed ${seedOfRun}, round ${round}: ${path} answered ${status}: ${text}`);
    assert.ok(performance.now() - begunAt < 5_000, `seed ${seedOfRun}, round ${round}: took too long`);
  }
});

test(`whatever is sent to make a flag, it is made or refused, and served (seed ${seedOfRun})`, async () => {
  await using app = await startFlagsApp();
  const random = seededRandom(seedOfRun);
  const scalars = [null, true, 0, 50, 101, 'a', '(', '-7d', 'true', '1.2.3', []];
  const anything = (depth: number): unknown => {
    if (depth === 0 || random.chance(0.5)) return random.pick(scalars);
    if (random.chance(0.5)) return Array.from({ length: random.int(3) }, () => anything(depth - 1));
    return Object.fromEntries(
      Array.from({ length: random.int(4) }, () => [
        random.pick([
          'groups',
          'properties',
          'key',
          'value',
          'type',
          'operator',
          'rollout_percentage',
          'variant',
          'variants',
          'payloads',
          'multivariate',
          'super_groups',
        ]),
        anything(depth - 1),
      ]),
    );
  };
  let made = 0;
  for (let round = 0; round < ROUNDS / 4; round += 1) {
    const filters = random.chance(0.7) ? { groups: [anything(3)], ...(anything(3) as object) } : anything(4);
    const { status, text } = await app.api('POST', '/feature_flags/', { key: `f-${round}`, filters });
    assert.ok(status === 201 || status === 400, `seed ${seedOfRun}, round ${round}: ${status} ${text}`);
    if (status === 201) made += 1;
  }
  const { status, body } = await app.post('/flags/?v=2', { distinct_id: 'a' });
  const local = await app.send('GET', `/flags/definitions?token=${app.token}`, undefined, {
    authorization: `Bearer ${app.key}`,
  });
  assert.equal(status, 200);
  assert.equal(Object.keys(body.flags).length, made);
  assert.equal(local.body.flags.length, made);
});
