// What is selected, asked of the real engine: events, persons and sessions by the ingestion clock.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { makeEvent, openTestTables, type TestTables } from '../../../test/tables.ts';
import { quoteName } from '../../store/tables/description.ts';
import { insertEvents, insertRows } from '../../store/tables/insert.ts';
import type { EventRow, PersonDistinctIdRow, PersonRow } from '../../store/tables/rows.ts';
import { type Model, modelColumns } from '../destinations/destination.ts';
import { openSource, type Source } from '../source.ts';
import type { Selection } from './selection.ts';
import { columnsOf } from './statements.ts';

let tables: TestTables;
let source: Source;
before(async () => {
  tables = await openTestTables();
  source = openSource(tables.store);
});
after(async () => {
  await source.close();
  await tables[Symbol.asyncDispose]();
});

const NEVER = new AbortController().signal;
const at = (moment: string) => Date.parse(moment) * 1_000;
const NINE = at('2025-03-04T09:00:00Z');
const TEN = at('2025-03-04T10:00:00Z');

let count = 0;
let team_id = 100;
/** Each test has a project of its own. */
const store = async (...given: Partial<EventRow>[]) => {
  const rows = given.map((event) => makeEvent(++count, { team_id, inserted_at: NINE, ...event }));
  await insertEvents(tables.client, rows, randomUUID());
  return rows;
};

async function select(given: Partial<Selection> = {}): Promise<Record<string, unknown>[]> {
  const selection: Selection = { team_id, model: 'events', range: { from: NINE, to: TEN }, ...given };
  const columns = modelColumns[selection.model].map(({ name }) => ({ name, sql: name }));
  const lines = await text(await source.read(selection, { select: columns, format: 'JSONEachRow' }, NEVER));
  const rows = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  assert.equal(await source.count(selection, NEVER), rows.length);
  return rows;
}

const names = (rows: readonly Record<string, unknown>[]) => rows.map(({ event }) => event).sort();

test('events are selected by when they were stored, whatever their timestamp, and as they were sent', async () => {
  team_id += 1;
  const sent = '{"a": 1e400, "b" : "x\\u0000"}';
  const [old] = await store(
    { event: 'late', timestamp: at('2001-01-01T00:00:00Z'), properties: '{"a": 0}', properties_sent: sent },
    { event: 'last', inserted_at: TEN - 1 },
    { event: 'next', inserted_at: TEN },
    { event: 'before', inserted_at: NINE - 1 },
    { event: 'of others', team_id: 1 },
  );
  const rows = await select();
  assert.deepEqual(names(rows), ['last', 'late']);
  const late = rows.find(({ event }) => event === 'late');
  assert.equal(late?.properties, sent);
  assert.equal(late?.uuid, old?.uuid);
  assert.deepEqual(names(await select({ range: { from: null, to: TEN } })), ['before', 'last', 'late']);
});

test('events are kept and left out by name and by property', async () => {
  team_id += 1;
  await store(
    { event: 'a', properties: '{"plan":"pro","$browser":"Firefox"}', person_properties: '{"tier":1}' },
    { event: 'b', properties: '{"plan":"free","seen":"2025-03-01"}' },
    { event: "it's; DROP", properties: '{"plan":null}' },
  );
  const filter = (key: string, value: unknown, more: object = {}) => ({ filters: [{ key, value, ...more }] });
  const cases: [Partial<Selection>, string[]][] = [
    [{ include: ['a', "it's; DROP"] }, ['a', "it's; DROP"]],
    [{ exclude: ['a', "it's; DROP"] }, ['b']],
    [{ include: ['a', 'b'], exclude: ['a'] }, ['b']],
    [filter('plan', ['pro']), ['a']],
    [filter('plan', ['pro'], { operator: 'is_not' }), ['b', "it's; DROP"]],
    [filter('$browser', 'fire', { operator: 'icontains' }), ['a']],
    [filter('tier', 1, { type: 'person' }), ['a']],
    // Counted from the end of the interval, not from today.
    [filter('seen', '-7d', { operator: 'is_date_after' }), ['b']],
    [filter('seen', '-1d', { operator: 'is_date_after' }), []],
  ];
  for (const [given, expected] of cases) assert.deepEqual(names(await select(given)), expected, JSON.stringify(given));
});

test('chosen columns are shipped under their names, in types that destinations know', async () => {
  team_id += 1;
  const sent = '{"x":"1","n":2,"list":["a"]}';
  await store({ event: 'a', properties: '{"x":"1"}', properties_sent: sent, timestamp: NINE });
  const alias = '`x\\` FROM events; --`';
  const chosen: [expression: string, alias: string, type: string, value: unknown][] = [
    ['events.event', 'event', 'string', 'a'],
    ['%(hogql_val_0)s', alias, 'string', "'; DROP TABLE events; --"],
    ['events.uuid', 'uuid', 'string', makeEvent(count).uuid],
    ['events.properties', 'properties', 'json', sent],
    ['events.timestamp', 'at', 'timestamp', '2025-03-04 09:00:00.000000'],
    ['toDate(events.timestamp)', 'day', 'timestamp', '2025-03-04 00:00:00.000000'],
    ['accurateCastOrNull(plus(1, 1), %(hogql_val_1)s)', 'n', 'int64', 2],
    ['equals(events.event, %(hogql_val_0)s)', 'is', 'int16', 0],
    ['NULL', 'nothing', 'string', null],
    ['array(length(events.event))', 'list', 'json', '[1]'],
    ['splitByChar(%(hogql_val_2)s, events.event)', 'texts', 'string[]', ['a']],
    ['divide(1, 2)', 'half', 'float64', 0.5],
  ];
  const schema = {
    fields: chosen.map(([expression, alias]) => ({ expression, alias })),
    values: { hogql_val_0: "'; DROP TABLE events; --", hogql_val_1: 'Int64', hogql_val_2: ',' },
  };
  const plain: Selection = { team_id, model: 'events', range: { from: NINE, to: TEN }, schema };
  const selection = { ...plain, types: await source.describe(plain) };
  const columns = columnsOf(selection);
  assert.deepEqual(
    columns.map(({ type }) => type),
    chosen.map(([, , type]) => type),
  );
  assert.equal(columns[1]?.name, 'x` FROM events; --');
  const names = columns.map(({ name }, index) => ({ name: `c${index}`, sql: quoteName(name) }));
  const row = await text(await source.read(selection, { select: names, format: 'JSONEachRow' }, NEVER));
  assert.deepEqual(
    Object.values(JSON.parse(row)),
    chosen.map(([, , , value]) => value),
  );
});

const person = (id: string, version: number, given: Partial<PersonRow> = {}): PersonRow => ({
  id,
  team_id,
  created_at: NINE / 1_000,
  properties: `{"v":${version}}`,
  is_identified: true,
  is_deleted: false,
  version,
  inserted_at: NINE,
  ...given,
});
const link = (
  distinct_id: string,
  person_id: string,
  given: Partial<PersonDistinctIdRow> = {},
): PersonDistinctIdRow => ({
  team_id,
  distinct_id,
  person_id,
  is_deleted: false,
  version: 0,
  inserted_at: NINE,
  ...given,
});
const uuid = (n: number) => `11111111-1111-5111-8111-${n.toString().padStart(12, '0')}`;

test('a person who changed brings all of its ids, as they are now', async () => {
  team_id += 1;
  await insertRows(
    tables.client,
    'person',
    [
      person(uuid(1), 1, { inserted_at: NINE - 5 }),
      person(uuid(1), 2),
      person(uuid(2), 1, { inserted_at: NINE - 5 }),
      person(uuid(3), 1, { inserted_at: NINE - 5 }),
      person(uuid(4), 1),
      person(uuid(4), 9, { inserted_at: TEN }),
      person(uuid(5), 3, { is_deleted: true }),
    ],
    randomUUID(),
  );
  await insertRows(
    tables.client,
    'person_distinct_id',
    [
      link('one', uuid(1), { inserted_at: NINE - 5 }),
      link('uno', uuid(1), { inserted_at: NINE - 5 }),
      link('two', uuid(2), { inserted_at: NINE - 5 }),
      link('new of two', uuid(2), { version: 1 }),
      link('three', uuid(3), { inserted_at: NINE - 5 }),
      link('four', uuid(4), { inserted_at: NINE - 5 }),
      link('five', uuid(5), { is_deleted: true, version: 1 }),
    ],
    randomUUID(),
  );
  const rows = (await select({ model: 'persons' })).map((row) =>
    [row.distinct_id, row.properties, row.person_version, row.person_distinct_id_version, row.is_deleted].join(' '),
  );
  assert.deepEqual(rows.sort(), [
    'five {"v":3} 3 1 true',
    'new of two {"v":1} 1 1 false',
    'one {"v":2} 2 0 false',
    'uno {"v":2} 2 0 false',
  ]);
});

test('a session is selected whenever events of it were stored, as it is now', async () => {
  team_id += 1;
  const session = (n: number) => `0195607a-0000-7000-8000-${n.toString().padStart(12, '0')}`;
  const inSession = (n: number, event: string, inserted_at: number, url: string) => ({
    event,
    inserted_at,
    timestamp: inserted_at,
    properties: JSON.stringify({ $session_id: session(n), $current_url: url, $pathname: new URL(url).pathname }),
  });
  await store(
    inSession(1, '$pageview', NINE - 60_000_000, 'https://example.com/in'),
    inSession(1, '$pageview', NINE + 60_000_000, 'https://example.com/out'),
    inSession(2, '$pageview', NINE - 60_000_000, 'https://example.com/gone'),
    inSession(3, '$pageview', TEN + 1, 'https://example.com/later'),
    { event: 'without session' },
  );
  const [row, ...others] = await select({ model: 'sessions' });
  assert.deepEqual(others, []);
  assert.deepEqual(
    [row?.session_id, row?.entry_current_url, row?.entry_pathname, row?.end_current_url, row?.end_hostname],
    [session(1), 'https://example.com/in', '/in', 'https://example.com/out', 'example.com'],
  );
  assert.deepEqual(
    [row?.num_uniq_urls, row?.pageview_count, row?.session_duration, row?.is_bounce],
    [2, 2, 120, false],
  );
});

for (const model of ['events', 'persons', 'sessions'] satisfies Model[]) {
  test(`where the data of ${model} begins`, async () => {
    team_id += 1;
    const selection = { team_id, model };
    assert.equal(await source.earliest(selection), null);
    await store({ event: 'a', inserted_at: NINE }, { event: 'b', inserted_at: TEN });
    await insertRows(tables.client, 'person_distinct_id', [link('x', uuid(1))], randomUUID());
    assert.equal(await source.earliest(selection), NINE);
    if (model === 'events') assert.equal(await source.earliest({ ...selection, exclude: ['a'] }), TEN);
  });
}

test('a reading that is given up stops the engine', async () => {
  team_id += 1;
  await store({ event: 'a' });
  const stop = new AbortController();
  const selection: Selection = { team_id, model: 'events', range: { from: NINE, to: TEN } };
  // Far more than any buffer on the way holds, so the engine waits in the middle of it.
  const endless = { name: 'n', sql: 'arrayJoin(range(4000001))' };
  const stream = await source.read(selection, { select: [endless], format: 'TabSeparated' }, stop.signal);
  await new Promise((resolve) => stream.once('data', resolve));
  stop.abort();
  await assert.rejects(async () => {
    for await (const _ of stream);
  });
  const running = async () => {
    const [row] = await tables.ask<{ n: number }>(
      "SELECT toUInt32(count()) AS n FROM system.processes WHERE query LIKE '%range(4000001)%' AND query NOT LIKE '%processes%'",
    );
    return row?.n ?? 0;
  };
  for (const until = performance.now() + 10_000; (await running()) > 0; )
    assert.ok(performance.now() < until, 'it runs on');
});
