// Cohorts by what people did: each kind of behaviour, judged by events on ClickHouse and kept in PostgreSQL.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CalculateParts } from '../../src/cohorts/calculate.ts';
import { recountNext } from '../../src/cohorts/recount.ts';
import { configWith } from '../../src/config.ts';
import { noteLastCalls } from '../../src/flags/usage/last-calls.ts';
import { type OpenedQueries, openQuery } from '../../src/query/open.ts';
import { toQueryProject } from '../../src/query/wire.ts';
import type { EventStore } from '../../src/store/open.ts';
import { insertEvents, insertRows } from '../../src/store/tables/insert.ts';
import { eventually } from '../eventually.ts';
import { makeEvent, openTestTables, type TestTables } from '../tables.ts';
import { type FlagsApp, startFlagsApp } from './flags-app.ts';

const DAY_MS = 86_400_000;
let app: FlagsApp;
let tables: TestTables;
let store: EventStore;
let parts: CalculateParts;
let asked: OpenedQueries;
const uuids = new Map<string, string>();
let events = 0;

/** Somebody did something so many days ago. */
async function did(
  ...done: [who: string, event: string, daysAgo: number, properties?: object, person_properties?: object][]
): Promise<void> {
  const rows = done.map(([who, event, daysAgo, properties = {}, person_properties = {}]) => {
    events += 1;
    return makeEvent(events, {
      team_id: app.project.id,
      event,
      distinct_id: who,
      person_id: uuids.get(who)!,
      properties: JSON.stringify(properties),
      person_properties: JSON.stringify(person_properties),
      timestamp: (Date.now() - daysAgo * DAY_MS) * 1_000,
      inserted_at: Date.now() * 1_000 - 1_000_000,
    });
  });
  await insertEvents(tables.client, rows, `batch ${events}`);
}

before(async () => {
  tables = await openTestTables();
  store = tables.store;
  app = await startFlagsApp(undefined, store, (project, query) =>
    asked.queries.ask({ project: toQueryProject(project), query, refresh: 'force_blocking' }),
  );
  const { db, log } = app;
  asked = openQuery({ db, store, config: configWith({}), listCohortMembers: async () => [], log });
  parts = { db: app.db, pool: app.pool, store, definitions: app.definitions, log: app.log };
  for (const who of ['ann', 'bob', 'cy', 'dora', 'eve']) {
    uuids.set(who, await app.addPerson({ distinct_ids: [who], properties: { plan: who === 'ann' ? 'pro' : 'free' } }));
  }
  await did(
    // Ann: often and lately. Bob: once, long ago. Cy: stopped. Dora: came back. Eve: never.
    ...[0.1, 1, 2, 8, 15, 22].map((days): [string, string, number, object] => ['ann', 'paid', days, { amount: 5 }]),
    ['bob', 'paid', 200, { amount: 50 }],
    ['cy', 'paid', 20, { amount: 50 }],
    ['dora', 'paid', 100],
    ['dora', 'paid', 2],
    ['ann', 'viewed', 3],
    ['ann', 'left', 2.9],
    ['bob', 'left', 5],
    ['bob', 'viewed', 4],
    ['cy', 'viewed', 20],
    ['cy', 'left', 10],
  );
});
after(async () => {
  await asked.close();
  await app[Symbol.asyncDispose]();
  await tables[Symbol.asyncDispose]();
});

const behaviour = (value: string, more: object = {}) => ({
  type: 'behavioral',
  key: 'paid',
  event_type: 'events',
  value,
  time_value: 30,
  time_interval: 'day',
  ...more,
});
const recent = { seq_time_value: 7, seq_time_interval: 'day' };
const filters = (type: 'AND' | 'OR', ...values: unknown[]) => ({
  properties: { type: 'OR', values: [{ type, values }] },
});

async function membersOf(...values: unknown[]): Promise<string[]> {
  const { status, body, text } = await app.api('POST', '/cohorts/', {
    name: 'Doers',
    filters: filters('AND', ...values),
  });
  assert.equal(status, 201, text);
  assert.equal(body.is_calculating, true);
  await eventually('it is calculated', async () => {
    const { body: now } = await app.api('GET', `/cohorts/${body.id}/`);
    assert.equal(now.errors_calculating, 0);
    return now.is_calculating === false && now.last_calculation !== null;
  });
  return idsIn(body.id);
}
async function idsIn(id: number): Promise<string[]> {
  const { body } = await app.api('GET', `/cohorts/${id}/persons/`);
  return body.results.flatMap((one: { distinct_ids: string[] }) => one.distinct_ids).sort();
}

const cases: [string, unknown[], string[]][] = [
  ['who paid in 30 days', [behaviour('performed_event')], ['ann', 'cy', 'dora']],
  ['who did not pay in 30 days', [behaviour('performed_event', { negation: true })], ['bob', 'eve']],
  [
    'who paid since a day',
    [behaviour('performed_event', { explicit_datetime: '-300d' })],
    ['ann', 'bob', 'cy', 'dora'],
  ],
  [
    'who paid much',
    [
      behaviour('performed_event', {
        time_value: 1,
        time_interval: 'year',
        event_filters: [{ key: 'amount', value: 10, operator: 'gt', type: 'event' }],
      }),
    ],
    ['bob', 'cy'],
  ],
  ['who paid three times', [behaviour('performed_event_multiple', { operator: 'gte', operator_value: 3 })], ['ann']],
  ['who paid once', [behaviour('performed_event_multiple', { operator: 'eq', operator_value: 1 })], ['cy', 'dora']],
  ['who paid for the first time', [behaviour('performed_event_first_time')], ['ann', 'cy']],
  [
    'who left within a day of viewing',
    [
      behaviour('performed_event_sequence', {
        key: 'viewed',
        seq_event: 'left',
        seq_time_value: 1,
        seq_time_interval: 'day',
      }),
    ],
    ['ann'],
  ],
  [
    'who paid twice within three days',
    [behaviour('performed_event_sequence', { seq_event: 'paid', seq_time_value: 3, seq_time_interval: 'day' })],
    ['ann'],
  ],
  [
    'who paid in three of the last four weeks',
    [
      behaviour('performed_event_regularly', {
        operator: 'gte',
        operator_value: 1,
        time_value: 1,
        time_interval: 'week',
        total_periods: 4,
        min_periods: 3,
      }),
    ],
    ['ann'],
  ],
  ['who stopped paying', [behaviour('stopped_performing_event', recent)], ['cy']],
  ['who paid again after a pause', [behaviour('restarted_performing_event', recent)], ['dora']],
  [
    'who paid and is free',
    [behaviour('performed_event'), { type: 'person', key: 'plan', operator: 'exact', value: 'free' }],
    ['cy', 'dora'],
  ],
];

for (const [what, values, expected] of cases) {
  test(`a cohort of those ${what}`, async () => assert.deepEqual(await membersOf(...values), expected));
}

test('a cohort can go by actions, alone and one after the other', async () => {
  const addAction = async (name: string, steps: object[]) => {
    const values = { team_id: app.project.id, name, steps: JSON.stringify(steps) };
    return (await app.db.insertInto('action').values(values).returning('id').executeTakeFirstOrThrow()).id;
  };
  const bigPayment = await addAction('Big payment', [
    { event: 'paid', properties: [{ key: 'amount', value: 10, operator: 'gt', type: 'event' }] },
  ]);
  const looked = await addAction('Looked', [{ event: 'viewed' }, { event: 'left' }]);
  const byAction = (key: number, more: object = {}) =>
    behaviour('performed_event', { event_type: 'actions', key, ...more });
  assert.deepEqual(await membersOf(byAction(bigPayment)), ['cy']);
  assert.deepEqual(await membersOf(byAction(looked, { time_value: 5 })), ['ann', 'bob']);
  const sequence = {
    value: 'performed_event_sequence',
    seq_event: 'left',
    seq_time_value: 20,
    seq_time_interval: 'day',
  };
  assert.deepEqual(await membersOf(byAction(looked, sequence)), ['ann', 'cy']);
  const nextAction = { ...sequence, seq_event: looked, seq_event_type: 'actions' };
  assert.deepEqual(await membersOf(behaviour('', { ...nextAction, key: 'viewed' })), ['ann', 'cy']);
});

test('a static cohort is made of those whom a query finds', async () => {
  const make = async (query: object) => {
    const { status, body } = await app.api('POST', '/cohorts/', { name: 'Found', is_static: true, query });
    if (status !== 201) return [status, body.attr, body.detail];
    assert.deepEqual([body.is_calculating, body.query], [false, query]);
    const ids = await idsIn(body.id);
    assert.equal(body.count, ids.length);
    return ids;
  };
  const sql = (query: string) => ({ kind: 'HogQLQuery', query });
  const big = "select person_id, event from events where event = 'paid' and toFloat(properties.amount) > 10";
  assert.deepEqual(await make(sql(`${big} -- and so on`)), ['bob', 'cy']);
  assert.deepEqual(await make(sql(`${big} order by timestamp desc limit 1;`)), ['cy']);
  const trend = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'viewed' }],
    dateRange: { date_from: '-7d' },
  };
  const point = { kind: 'InsightActorsQuery', source: trend, series: 0 };
  assert.deepEqual(await make({ kind: 'ActorsQuery', source: point, select: ['actor'], limit: 1 }), ['ann', 'bob']);
  assert.deepEqual(await make(point), ['ann', 'bob']);
  const noColumn = 'Could not find a person_id, actor_id, or id column in the query';
  assert.deepEqual(await make(sql('select event from events')), [400, 'query', noColumn]);
  assert.deepEqual((await make(sql('select event as id from events'))).slice(0, 2), [400, 'query']);
  assert.equal((await make({ kind: 'TrendsQuery', series: [] }))[0], 400);
});

test('a cohort is counted again by itself: who has come and who is gone', async () => {
  const made = await app.api('POST', '/cohorts/', {
    name: 'Visitors',
    filters: filters('AND', behaviour('performed_event', { key: 'visited' })),
  });
  const { id } = made.body;
  await eventually('it is calculated', async () => (await app.api('GET', `/cohorts/${id}/`)).body.count === 0);
  await did(['bob', 'visited', 1], ['eve', 'visited', 40]);
  assert.equal(await recountNext(parts, 60_000), false, 'none is old enough');
  const recountAll = async () => {
    // The oldest comes first, so all have had their turn when this one is new again.
    const before = (await app.api('GET', `/cohorts/${id}/`)).body.last_calculation;
    while ((await app.api('GET', `/cohorts/${id}/`)).body.last_calculation === before) await recountNext(parts, 0);
  };
  await recountAll();
  assert.deepEqual(await idsIn(id), ['bob']);
  assert.equal((await app.api('GET', `/cohorts/${id}/`)).body.count, 1);
  await did(['eve', 'visited', 2]);
  await app.pool.query('delete from person_distinct_id where distinct_id = $1', ['bob']);
  await recountAll();
  assert.deepEqual(await idsIn(id), ['eve']);
});

test('what somebody did before they were merged counts for whom they are now', async () => {
  const before = crypto.randomUUID();
  uuids.set('eve@phone', before);
  await did(['eve@phone', 'subscribed', 1]);
  const row = { team_id: app.project.id, distinct_id: 'eve@phone', person_id: uuids.get('eve')!, version: 1 };
  await insertRows(
    tables.client,
    'person_distinct_id_overrides',
    [{ ...row, is_deleted: false, inserted_at: Date.now() * 1_000 }],
    'merge',
  );
  assert.deepEqual(await membersOf(behaviour('performed_event', { key: 'subscribed' })), ['eve']);
});

const refusals: [string, object, RegExp][] = [
  ['an unknown kind', { value: 'danced' }, /^Unknown kind of behavioral filter: danced/],
  [
    'no time',
    { value: 'performed_event', time_value: undefined },
    /^Missing required keys for behavioral filter: time_value/,
  ],
  ['no count', { value: 'performed_event_multiple' }, /operator_value/],
  ['nothing to go by', { value: 'performed_event', event_type: 'pages', key: 3 }, /^Behavioral filters go by events/],
  ['an unknown action', { value: 'performed_event', event_type: 'actions', key: 3 }, /^Action ID 3 does not exist!/],
  ['too many periods', { value: 'performed_event_regularly', total_periods: 1_000, min_periods: 1 }, /^total_periods/],
];

test('behaviour that cannot be calculated is refused when the cohort is made', async () => {
  for (const [what, given, detail] of refusals) {
    const { status, body } = await app.api('POST', '/cohorts/', { filters: filters('AND', behaviour('', given)) });
    assert.deepEqual([what, status], [what, 400]);
    assert.match(body.detail, detail);
  }
});

test('how a flag is used is counted by what it was and by day, and lists show when it was last asked for', async () => {
  const id = await app.addFlag('used', { groups: [{ rollout_percentage: 100 }] });
  const call = (who: string, daysAgo: number, $feature_flag_response: unknown): [string, string, number, object] => [
    who,
    '$feature_flag_called',
    daysAgo,
    { $feature_flag: 'used', $feature_flag_response },
  ];
  await did(call('ann', 1, true), call('ann', 2, true), call('eve', 1, 'blue'), call('cy', 90, true));
  const { status, body } = await app.api('GET', `/feature_flags/${id}/usage/`);
  assert.equal(status, 200);
  assert.deepEqual(
    body.responses.map(({ response, calls, persons }: Record<string, unknown>) => [response, calls, persons]),
    [
      ['true', 2, 1],
      ['blue', 1, 1],
    ],
  );
  assert.deepEqual([body.calls, body.days.length], [3, 3]);
  assert.equal((await app.api('GET', `/feature_flags/${id}/usage/?date_from=-200d`)).body.calls, 4);

  const unused = await app.addFlag('unused', { groups: [{ rollout_percentage: 100 }] });
  // The app looks by itself now and then, and these calls were stored in what may be its past.
  await app.db.updateTable('flag_call_progress').set({ looked_up_to: 0 }).execute();
  await noteLastCalls(app.db, store);
  assert.equal((await app.api('GET', `/feature_flags/${unused}/`)).body.last_called_at, null);
  const { last_called_at } = (await app.api('GET', `/feature_flags/${id}/`)).body;
  const agoMs = Date.now() - Date.parse(last_called_at);
  assert.ok(agoMs > DAY_MS && agoMs < 1.1 * DAY_MS, last_called_at);
});

test('what a flag was for somebody last week is told by the flag and the person of that time', async () => {
  const is = (value: string) => ({
    groups: [{ properties: [{ key: 'plan', value, type: 'person' }], rollout_percentage: 100 }],
  });
  const { body: flag } = await app.api('POST', '/feature_flags/', { key: 'explained', filters: is('free') });
  await app.api('PATCH', `/feature_flags/${flag.id}/`, { filters: is('pro') });
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  // The first version is from ten days ago, the second from three; the person has changed five days ago.
  const age = 'update feature_flag_version set changed_at = $1 where flag_id = $2 and version = $3';
  await app.pool.query(age, [daysAgo(10), flag.id, 1]);
  await app.pool.query(age, [daysAgo(3), flag.id, 2]);
  await did(['ann', 'plan', 8, {}, { plan: 'free' }], ['ann', 'plan', 5, {}, { plan: 'pro' }]);
  const explain = async (days: number) => {
    const { status, body } = await app.api('GET', `/feature_flags/${flag.id}/explain/?distinct_id=ann&at=-${days}d`);
    return status === 200 ? [body.version, body.person?.properties.plan, body.value, body.reason] : status;
  };
  assert.deepEqual(await explain(7), [1, 'free', true, 'condition_match']);
  assert.deepEqual(await explain(4), [1, 'pro', false, 'no_condition_match']);
  assert.deepEqual(await explain(11), 404);
  const { body: now } = await app.api('GET', `/feature_flags/${flag.id}/explain/?distinct_id=nobody`);
  assert.deepEqual([now.version, now.person, now.value], [2, null, false]);
});
