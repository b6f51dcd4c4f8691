// Flags over the management API: made, found, changed, refused, explained.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type FlagsApp, startFlagsApp } from './flags-app.ts';

let app: FlagsApp;
let lastKey = 0;
before(async () => {
  app = await startFlagsApp();
});
after(() => app[Symbol.asyncDispose]());

const newKey = () => {
  lastKey += 1;
  return `flag-${lastKey}`;
};
const group = (...properties: unknown[]) => ({ properties, rollout_percentage: 100 });
const person = (key: string, value: unknown, operator?: string) => ({
  key,
  value,
  type: 'person',
  ...(operator && { operator }),
});
const onFlag = (id: unknown, operator = 'flag_evaluates_to') => ({
  key: String(id),
  type: 'flag',
  operator,
  value: true,
});

async function create(body: object = {}) {
  const answer = await app.api('POST', '/feature_flags/', { key: newKey(), ...body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

const change = (id: number, body: object) => app.api('PATCH', `/feature_flags/${id}/`, body);

test('a new flag has every field of the wire, and answers at once', async () => {
  const key = newKey();
  const { created_by, created_at, updated_at, last_modified_by, id, ...rest } = await create({ key });
  assert.equal(created_by.email, 'owner@localhost');
  assert.deepEqual(last_modified_by, created_by);
  assert.equal(typeof id, 'number');
  assert.equal(created_at, updated_at);
  assert.deepEqual(rest, {
    name: '',
    key,
    filters: { groups: [{ properties: [], rollout_percentage: null }] },
    deleted: false,
    active: true,
    last_called_at: null,
    version: 1,
    is_simple_flag: true,
    rollout_percentage: null,
    ensure_experience_continuity: false,
    experiment_set: [],
    surveys: [],
    features: [],
    rollback_conditions: null,
    performed_rollback: null,
    can_edit: true,
    tags: [],
    usage_dashboard: null,
    analytics_dashboards: [],
    has_enriched_analytics: false,
    user_access_level: 'editor',
    is_remote_configuration: false,
    has_encrypted_payloads: false,
    status: 'ACTIVE',
    evaluation_runtime: 'all',
    bucketing_identifier: null,
    evaluation_tags: [],
    evaluation_contexts: [],
  });
  assert.equal((await app.post('/decide/?v=3', { distinct_id: 'a' })).body.featureFlags[key], true);
});

test('a changed flag is served changed by the time its change is answered', async () => {
  const { id, key } = await create({ filters: { groups: [{ rollout_percentage: 0 }] } });
  const ask = async () => (await app.post('/decide/?v=3', { distinct_id: 'a' })).body.featureFlags[key];
  assert.equal(await ask(), false);
  await change(id, { filters: { groups: [group()] } });
  assert.equal(await ask(), true);
  await change(id, { active: false });
  assert.equal(await ask(), undefined);
});

test('whoever changes a flag sees it changed, also when PostgreSQL has told nobody yet', async () => {
  await using own = await startFlagsApp();
  const { body } = await own.api('POST', '/feature_flags/', {
    key: 'f',
    filters: { groups: [{ rollout_percentage: 0 }] },
  });
  const ask = async () => (await own.post('/decide/?v=3', { distinct_id: 'a' })).body.featureFlags.f;
  assert.equal(await ask(), false);
  await own.pool.query('alter table feature_flag disable trigger feature_flag_changed');
  await own.api('PATCH', `/feature_flags/${body.id}/`, { filters: { groups: [group()] } });
  assert.equal(await ask(), true);
});

test('a flag is deleted by PATCH and never by DELETE; its key is free again, its versions stay', async () => {
  const { id, key } = await create();
  assert.equal((await app.api('DELETE', `/feature_flags/${id}/`)).status, 405);
  const { body } = await change(id, { deleted: true });
  assert.deepEqual([body.deleted, body.version, body.status], [true, 2, 'DELETED']);
  const again = await create({ key });
  assert.notEqual(again.id, id);
  const { body: versions } = await app.api('GET', `/feature_flags/${id}/versions/`);
  assert.deepEqual(
    versions.results.map((one: { version: number; flag: { deleted: boolean } }) => [one.version, one.flag.deleted]),
    [
      [2, true],
      [1, false],
    ],
  );
});

test('every change is in the activity log, with what it was and what it is', async () => {
  const { id } = await create({ name: 'before' });
  await change(id, { name: 'after' });
  const rows = await app.db
    .selectFrom('activity_log')
    .selectAll()
    .where('scope', '=', 'FeatureFlag')
    .where('item_id', '=', String(id))
    .orderBy('created_at')
    .execute();
  assert.deepEqual(
    rows.map(({ activity }) => activity),
    ['created', 'updated'],
  );
  assert.deepEqual(rows[1]?.detail.changes, [
    { type: 'FeatureFlag', action: 'changed', field: 'name', before: 'before', after: 'after' },
  ]);
});

test('filters without conditions change nothing', async () => {
  const { id, filters } = await create({ filters: { groups: [group(person('a', 'b'))] } });
  const { body } = await change(id, { filters: { payloads: { true: '1' } } });
  assert.deepEqual(body.filters, filters);
});

test('payloads that are no texts are kept as texts', async () => {
  const { filters } = await create({ filters: { groups: [group()], payloads: { true: { a: [1] } } } });
  assert.deepEqual(filters.payloads, { true: '{"a":[1]}' });
});

test('a list is filtered, searched, ordered and paged', async () => {
  const own = await app.addProject();
  const add = (key: string, more: object = {}) => own.api('POST', '/feature_flags/', { key, ...more });
  const multivariate = { variants: [{ key: 'a', rollout_percentage: 100 }] };
  await add('one', { name: 'First' });
  await add('two', { active: false });
  await add('three', { filters: { groups: [group()], multivariate } });
  await add('survey-targeting-x', { creation_context: 'surveys' });
  const list = async (query: string) =>
    (await own.api('GET', `/feature_flags/?${query}`)).body.results.map(({ key }: { key: string }) => key);
  assert.deepEqual(await list(''), ['three', 'two', 'one']);
  assert.deepEqual(await list('active=false'), ['two']);
  assert.deepEqual(await list('search=FIR'), ['one']);
  assert.deepEqual(await list('type=multivariant'), ['three']);
  assert.deepEqual(await list('order=key'), ['one', 'three', 'two']);
  const page = await own.api('GET', '/feature_flags/?limit=1&offset=1');
  assert.equal(page.body.count, 3);
  assert.match(page.body.next, /limit=1&offset=2$/);
});

// Refusals

const cohortFilters = (...values: unknown[]) => JSON.stringify({ properties: { type: 'OR', values } });
const variants = (...shares: number[]) => ({
  variants: shares.map((rollout_percentage, at) => ({ key: `v${at}`, rollout_percentage })),
});

const refusals: [name: string, body: object, code: string, detail: string, attr?: string | null][] = [
  ['no key', { key: undefined }, 'required', 'This field is required.', 'key'],
  ['a long key', { key: 'k'.repeat(401) }, 'max_length', 'Ensure this field has no more than 400 characters.', 'key'],
  [
    'a key with a space',
    { key: 'a b' },
    'invalid_key',
    'Only letters, numbers, hyphens (-) & underscores (_) are allowed.',
    'key',
  ],
  [
    'no condition',
    { filters: { groups: [] } },
    'invalid_input',
    'Feature flags must have at least one condition set (group).',
  ],
  [
    'variants of 90',
    { filters: { groups: [group()], multivariate: variants(50, 40) } },
    'invalid_input',
    'Invalid variant definitions: Variant rollout percentages must sum to 100.',
  ],
  [
    'an unknown override',
    { filters: { groups: [{ ...group(), variant: 'x' }], multivariate: variants(100) } },
    'invalid_input',
    'Filters are not valid (variant override does not exist)',
  ],
  [
    'an event property',
    { filters: { groups: [group({ key: 'a', type: 'event', value: 'b' })] } },
    'invalid_input',
    'Filters are not valid (can only use person, cohort, and flag properties)',
  ],
  [
    'a person in a group flag',
    { filters: { groups: [group(person('a', 'b'))], aggregation_group_type_index: 0 } },
    'invalid_input',
    'Filters are not valid (can only use group properties)',
  ],
  [
    'another group type',
    {
      filters: {
        groups: [group({ key: 'a', type: 'group', group_type_index: 1, value: 'b' })],
        aggregation_group_type_index: 0,
      },
    },
    'invalid_input',
    'Filters are not valid (can only use group properties)',
  ],
  [
    'a long list',
    { filters: { groups: [group(person('mail', Array(1001).fill('x')))] } },
    'invalid_input',
    'Property group expressions of type mail cannot contain more than 1000 values.',
  ],
  [
    'an unknown cohort',
    { filters: { groups: [group({ key: 'id', type: 'cohort', value: 99999 })] } },
    'cohort_does_not_exist',
    'Cohort with id 99999 does not exist',
  ],
  [
    'a bad date',
    { filters: { groups: [group(person('d', 'soon', 'is_date_before'))] } },
    'invalid_date',
    'Invalid date value: soon',
  ],
  [
    'a list to search for',
    { filters: { groups: [group(person('e', ['@x'], 'icontains'))] } },
    'invalid_value',
    "Invalid value for operator icontains: ['@x']",
  ],
  [
    'a number to compare with',
    { filters: { groups: [group(person('e', 5, 'gt'))] } },
    'invalid_value',
    'Invalid value for operator gt: 5',
  ],
  [
    'in, of a person',
    { filters: { groups: [group(person('e', ['x'], 'in'))] } },
    'invalid_operator',
    "The 'in' operator is only valid for cohort properties, not 'person' properties.",
  ],
  [
    'payloads in a list',
    { filters: { groups: [group()], payloads: [] } },
    'invalid_input',
    'Payloads must be passed as a dictionary',
  ],
  [
    'a payload of words',
    { filters: { groups: [group()], payloads: { true: 'hello' } } },
    'invalid_input',
    'Payload value is not valid JSON',
  ],
  [
    'a payload for a variant',
    { filters: { groups: [group()], payloads: { v0: '1' } } },
    'invalid_input',
    "Payload keys must be 'true' for boolean flags",
  ],
  [
    'a payload for true',
    { filters: { groups: [group()], multivariate: variants(100), payloads: { true: '1' } } },
    'invalid_input',
    'Payload keys must match a variant key for multivariate flags',
  ],
  [
    'a pattern that is none',
    { filters: { groups: [group(person('e', '(', 'regex'))] } },
    'invalid_input',
    "Can't evaluate flag - please check release conditions",
    null,
  ],
  [
    'a flag by key',
    { filters: { groups: [group(onFlag('other'))] } },
    'invalid_input',
    "Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: 'other'",
  ],
  [
    'an unknown flag',
    { filters: { groups: [group(onFlag(99999))] } },
    'invalid_input',
    'Flag dependency references non-existent flag with ID 99999',
  ],
];

for (const [name, body, code, detail, attr = 'filters'] of refusals) {
  test(`refused: ${name}`, async () => {
    const answer = await app.api('POST', '/feature_flags/', { key: newKey(), ...body });
    assert.deepEqual([answer.status, answer.body], [400, { type: 'validation_error', code, detail, attr }]);
  });
}

test('refused: a key that is taken, also by two at once', async () => {
  const key = newKey();
  const answers = await Promise.all([1, 2, 3].map(() => app.api('POST', '/feature_flags/', { key })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400]);
  const refused = answers.find(({ status }) => status === 400);
  assert.deepEqual(
    [refused?.body.code, refused?.body.detail, refused?.body.attr],
    ['unique', 'There is already a feature flag with this key.', 'key'],
  );
});

test('refused: a cohort that goes by what people did, however deep inside', async () => {
  const add = async (name: string, filters: string) => {
    const row = await app.db
      .insertInto('cohort')
      .values({ team_id: app.project.id, name, filters })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  };
  const inner = await add('Payers', cohortFilters({ type: 'behavioral', key: 'paid', value: 'performed_event' }));
  const outer = await add('Outer', cohortFilters({ type: 'cohort', key: 'id', value: inner }));
  const answer = await app.api('POST', '/feature_flags/', {
    key: newKey(),
    filters: { groups: [group({ key: 'id', type: 'cohort', value: outer })] },
  });
  assert.deepEqual(
    [answer.body.code, answer.body.detail],
    ['behavioral_cohort_found', "Cohort 'Payers' with filters on events cannot be used in feature flags."],
  );
});

test('refused: what would leave a flag waiting for itself, for one that is off, or for one that is gone', async () => {
  const a = await create();
  const b = await create({ filters: { groups: [group(onFlag(a.id))] } });
  const detail = async (answer: ReturnType<typeof change>) => (await answer).body.detail;
  assert.equal(
    await detail(change(a.id, { filters: { groups: [group(onFlag(a.id))] } })),
    `Feature flag '${a.key}' cannot depend on itself`,
  );
  assert.equal(
    await detail(change(a.id, { filters: { groups: [group(onFlag(b.id))] } })),
    `Circular dependency detected: ${a.key} → ${b.key} → ${a.key}`,
  );
  assert.equal(
    await detail(change(a.id, { deleted: true })),
    `Cannot delete this feature flag because other flags depend on it: ${b.key} (ID: ${b.id}). Please update or delete the dependent flags first.`,
  );
  assert.match(
    await detail(change(a.id, { active: false })),
    /^Cannot disable this feature flag because other flags depend on it: /,
  );
  assert.equal((await change(b.id, { active: false })).status, 200);
  assert.equal((await change(a.id, { active: false })).status, 200);
  assert.match(
    await detail(change(b.id, { active: true })),
    /^Cannot enable this feature flag because it depends on disabled flags: /,
  );
  const dependent = await app.api('POST', '/feature_flags/', {
    key: newKey(),
    filters: { groups: [group(onFlag(a.id))] },
  });
  assert.equal(
    dependent.body.detail,
    `Cannot create dependency on disabled flag '${a.key}' (ID: ${a.id}). Flag dependencies must reference active flags only.`,
  );
});

test('refused: undoing what somebody else has changed since', async () => {
  const original_flag = await create({ name: 'one' });
  await change(original_flag.id, { name: 'two' });
  const stale = await change(original_flag.id, { name: 'three', version: 1, original_flag });
  assert.equal(stale.status, 409);
  assert.deepEqual([stale.body.type, stale.body.code], ['server_error', 'conflict']);
  assert.match(stale.body.detail, /^The feature flag was updated by owner@localhost since/);
  assert.equal((await change(original_flag.id, { active: false, version: 1, original_flag })).status, 200);
});

// Questions

test('why somebody gets what they get is told for every flag', async () => {
  const own = await app.addProject();
  await own.addPerson({ distinct_ids: ['ann'], properties: { plan: 'pro' } });
  await own.api('POST', '/feature_flags/', { key: 'pro', filters: { groups: [group(person('plan', 'pro'))] } });
  await own.api('POST', '/feature_flags/', { key: 'resting', active: false });
  const { body } = await own.api('GET', '/feature_flags/evaluation_reasons/?distinct_id=ann');
  assert.deepEqual(body, {
    pro: { value: true, evaluation: { reason: 'condition_match', condition_index: 0 } },
    resting: { value: false, evaluation: { reason: 'disabled', condition_index: null } },
  });
  assert.equal((await own.api('GET', '/feature_flags/evaluation_reasons/')).body.detail, 'distinct_id is required');
  const mine = await own.api('GET', '/feature_flags/my_flags/');
  assert.deepEqual(
    mine.body.map((one: { feature_flag: { key: string }; value: unknown }) => [one.feature_flag.key, one.value]),
    [['pro', false]],
  );
});

test('the dashboard of a flag is made when it is asked for, enriched, and follows the key', async () => {
  const flag = await create({ has_enriched_analytics: false });
  const ask = (what: string) => app.api('POST', `/feature_flags/${flag.id}/${what}/`);
  const questions = async () => {
    const { usage_dashboard } = (await app.api('GET', `/feature_flags/${flag.id}/`)).body;
    const rows = await app.db
      .selectFrom('dashboard')
      .innerJoin('dashboard_tile', 'dashboard_tile.dashboard_id', 'dashboard.id')
      .innerJoin('insight', 'insight.id', 'insight_id')
      .select(['dashboard.name as dashboard', 'insight.query'])
      .where('dashboard.id', '=', usage_dashboard)
      .orderBy('dashboard_tile.id')
      .execute();
    // biome-ignore lint/suspicious/noExplicitAny: a query is free JSON
    return rows.map(({ dashboard, query }: any) => [dashboard, query.source.series[0].event, query.source.properties]);
  };
  const about = (key: string, value: string) => [{ key, value, operator: 'exact', type: 'event' }];
  const calls = (key: string) => [
    `Generated Dashboard: ${key} Usage`,
    '$feature_flag_called',
    about('$feature_flag', key),
  ];
  assert.equal(flag.usage_dashboard, null);
  const missing = await ask('enrich_usage_dashboard');
  assert.deepEqual([missing.status, missing.body], [400, { success: false, error: 'Usage dashboard not found' }]);

  for (const _ of ['made', 'there already']) assert.deepEqual((await ask('dashboard')).body, { success: true });
  assert.deepEqual(await questions(), [calls(flag.key), calls(flag.key)]);
  assert.equal((await ask('enrich_usage_dashboard')).status, 400);

  await change(flag.id, { key: `${flag.key}-renamed`, has_enriched_analytics: true });
  for (const _ of ['added', 'there already']) assert.equal((await ask('enrich_usage_dashboard')).status, 200);
  const [name] = calls(`${flag.key}-renamed`);
  assert.deepEqual(await questions(), [
    calls(`${flag.key}-renamed`),
    calls(`${flag.key}-renamed`),
    [name, '$feature_interaction', about('feature_flag', `${flag.key}-renamed`)],
    [name, '$feature_view', about('feature_flag', `${flag.key}-renamed`)],
  ]);
  assert.notEqual((await create({ _should_create_usage_dashboard: true })).usage_dashboard, null);
});

test('the blast radius counts whom a condition is about', async () => {
  const own = await app.addProject();
  for (const plan of ['pro', 'pro', 'free'])
    await own.addPerson({ distinct_ids: [crypto.randomUUID()], properties: { plan } });
  const ask = (body: object) => own.api('POST', '/feature_flags/user_blast_radius/', body);
  assert.deepEqual((await ask({ condition: { properties: [person('plan', 'pro')], rollout_percentage: 1 } })).body, {
    users_affected: 2,
    total_users: 3,
  });
  assert.equal((await ask({})).body.detail, 'Missing condition for which to get blast radius');
  assert.equal(
    (await ask({ condition: { properties: [person('plan', 'pro')] }, group_type_index: 0 })).body.detail,
    'Invalid group type index for feature flag condition.',
  );
});

test('a remote configuration is read by key or id, and only if it is one', async () => {
  const flag = await create({
    is_remote_configuration: true,
    filters: { groups: [group()], payloads: { true: '{"rc":true}' } },
  });
  const other = await create();
  for (const name of [flag.id, flag.key]) {
    assert.equal((await app.api('GET', `/feature_flags/${name}/remote_config/`)).text, '"{\\"rc\\":true}"');
  }
  assert.deepEqual([(await app.api('GET', `/feature_flags/${other.id}/remote_config/`)).status], [404]);
});

test('a flag of another project is not found, and a key without the scope is refused', async () => {
  const { id } = await create();
  const stranger = await app.send('GET', `/api/projects/${app.project.id + 1}/feature_flags/${id}/`, undefined, {
    authorization: `Bearer ${app.key}`,
  });
  assert.equal(stranger.status, 404);
  assert.equal((await app.api('GET', '/feature_flags/999999/')).status, 404);
  assert.equal((await app.send('GET', `/api/projects/${app.project.id}/feature_flags/`)).status, 401);
});
