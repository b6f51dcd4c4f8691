import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { makeEvent, openTestTables, SOME_DAY, type TestTables } from '../../../test/tables.ts';
import { migrateStore } from '../migrate.ts';
import { splitStatements } from '../split-statements.ts';
import { parts } from './all.ts';
import { printForCluster, printForOne } from './ddl.ts';
import { deleteEventsSql } from './delete-rows.ts';
import { quoteText } from './description.ts';
import { insertEvents, insertRows } from './insert.ts';
import { overriddenIdsSql } from './people.ts';
import { eventPropertySql, HOT_PROPERTIES, personPropertySql, plainTextSql } from './properties.ts';
import { toReadableJson } from './readable-json.ts';

let tables: TestTables;
before(async () => {
  tables = await openTestTables();
});
after(() => tables[Symbol.asyncDispose]());

test('the tables can be made again where they are', async () => {
  for (const query of printForOne(parts)) await tables.client.command({ query });
});

test('the migrations make what the description says', async () => {
  const database = `migrated_${process.pid}`;
  await tables.store.client.command({ query: `CREATE DATABASE ${database}` });
  const client = tables.store.connect({ database });
  await migrateStore(client, pino({ level: 'silent' }));
  await client.close();

  const described = await listDefinitions('currentDatabase()');
  const migrated = await listDefinitions(quoteText(database));
  await tables.store.client.command({ query: `DROP DATABASE ${database}` });

  migrated.delete('store_migrations');
  assert.deepEqual(migrated, described);
});

/** Every table's definition, in the engine's words and without the name of the database. */
async function listDefinitions(database: string): Promise<Map<string, string>> {
  const rows = await tables.ask<{ name: string; definition: string }>(
    `SELECT name, replaceAll(create_table_query, database || '.', '') AS definition
       FROM system.tables WHERE database = ${database} ORDER BY name`,
  );
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}

test('the engine can read every statement for a cluster', async () => {
  const statements = printForCluster(parts, 'main');
  for (const statement of statements) await tables.ask(`EXPLAIN AST ${statement}`);
  assert.equal(statements.filter((statement) => /ENGINE = Replicated\w*MergeTree\(/.test(statement)).length, 7);
  assert.equal(statements.filter((statement) => /ENGINE = Distributed\('main'/.test(statement)).length, 7);
  assert.ok(statements.every((statement) => statement.includes("ON CLUSTER 'main'")));
});

test('events are deleted on every machine of a cluster, in words that the engine can read', async () => {
  const statement = deleteEventsSql('main');
  await tables.ask(`EXPLAIN AST ${statement}`, { team_id: 1, before: 0, persons: [], distinct_ids: [] });
  assert.match(statement, /^DELETE FROM events_shard ON CLUSTER 'main'/);
  assert.match(deleteEventsSql(''), /^DELETE FROM events\n/);
});

test('every migration has a counterpart for clusters, which the engine can read', async () => {
  const folder = new URL('../migrations/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'));
  assert.deepEqual(await readdir(new URL('cluster/', folder)), files);
  for (const file of files) {
    for (const statement of splitStatements(await readFile(new URL(`cluster/${file}`, folder), 'utf8'))) {
      assert.match(statement, / ON CLUSTER '\{cluster\}'/);
      await tables.ask(`EXPLAIN AST ${statement}`);
    }
  }
});

const texts: Record<string, string> = {
  empty: '{}',
  'one and its likes': '{"a":1,"b":"1","c":true,"d":null,"e":1.0,"f":-0,"g":"true","h":"null"}',
  'long numbers': '{"a":12345678901234567890123,"b":1e400,"c":-1e400,"d":0.1000000000000000055511151231257827,"e":1E5}',
  'numbers at the edge':
    '{"a":18446744073709551615,"b":18446744073709551616,"c":-9223372036854775808,"d":-9223372036854775809}',
  unicode: '{"名前":"日本語 😀 \u2028","\\u00e9":"\\ud83d\\ude00"}',
  'half a surrogate pair': '{"a":"\\ud800","b":"x\\udc00y","c":"\\\\ud800"}',
  NUL: '{"a":"\\u0000","b\\u0000":1}',
  'dotted keys': '{"a.b":1,"a":{"b":2},"$set.x":[]}',
  'keys twice': '{"a":1,"a":2}',
  prototypes: '{"__proto__":{"x":1},"constructor":null,"toString":""}',
  'an empty key': '{"":"","  ":{}}',
  'spaces and nesting': '{ "a" : [ 1 , { "b" : [ ] } ] ,\n"c":{ } }',
  'quotes and slashes': '{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t","b\'`":"\'`;--"}',
  'a megabyte': JSON.stringify({ a: 'x'.repeat(1_000_000), b: 'last' }),
};

test('properties come back exactly as they were sent', async () => {
  const rows = Object.values(texts).map((sent, n) => {
    const properties = toReadableJson(sent);
    return makeEvent(n, { team_id: 100, properties, properties_sent: properties === sent ? '' : sent });
  });
  await insertEvents(tables.client, rows, 'exactly');

  const stored = await tables.ask<{ text: string; readable: number }>(
    `SELECT if(properties_sent = '', properties, properties_sent) AS text, isValidJSON(properties) AS readable
       FROM events WHERE team_id = 100 ORDER BY log_position`,
  );

  assert.deepEqual(
    stored.map(({ text }) => text),
    Object.values(texts),
  );
  assert.ok(stored.every(({ readable }) => readable === 1));
});

test('bytes and texts are stored alike', async () => {
  const properties = '{"a":"é😀"}';
  await insertEvents(
    tables.client,
    [makeEvent(0, { team_id: 101, properties }), makeEvent(1, { team_id: 101, properties: Buffer.from(properties) })],
    'bytes',
  );
  const stored = await tables.ask<{ properties: string }>('SELECT properties FROM events WHERE team_id = 101');
  assert.deepEqual(stored, [{ properties }, { properties }]);
});

test('every column of an event comes back', async () => {
  const row = makeEvent(7, {
    team_id: 102,
    uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
    elements_chain: 'a.b:text="x"',
    timestamp: SOME_DAY + 123_456,
    person_properties: '{"plan":"pro"}',
    person_mode: 'force_upgrade',
    historical_migration: true,
    log_partition: 4_000_000_000,
    log_position: Number.MAX_SAFE_INTEGER,
  });
  await insertEvents(tables.client, [row], 'every column');

  const unit: Record<string, string> = {
    timestamp: 'Micro',
    created_at: 'Micro',
    inserted_at: 'Micro',
    person_created_at: 'Milli',
  };
  const [stored] = await tables.ask(
    `SELECT ${Object.keys(row).map((name) => (unit[name] ? `toUnixTimestamp64${unit[name]}(${name}) AS ${name}` : name))}
       FROM events e WHERE team_id = 102 SETTINGS output_format_json_quote_64bit_integers = 0`,
  );
  assert.deepEqual(stored, row);
});

const moments: [year: number, stored: string][] = [
  [-1, '1900-01-01 00:00:00.000000'],
  [1899, '1900-01-01 00:00:00.000000'],
  [1900, '1900-01-01 00:00:00.000000'],
  [1960, '1960-01-01 00:00:00.000000'],
  [2200, '2200-01-01 00:00:00.000000'],
  [9999, '2299-12-31 23:59:59.999000'],
];

test('a time beyond the calendar is stored as the nearest within it, and found by it', async () => {
  const rows = moments.map(([year], n) =>
    makeEvent(n, { team_id: 103, timestamp: new Date(Date.UTC(2000, 0, 1)).setUTCFullYear(year) * 1_000 }),
  );
  await insertEvents(tables.client, rows, 'moments');
  for (const [n, [, stored]] of moments.entries()) {
    const found = await tables.ask<{ n: string }>(
      'SELECT log_position AS n FROM events WHERE team_id = 103 AND timestamp = {stored:String} ORDER BY n',
      { stored },
    );
    assert.ok(
      found.some((row) => Number(row.n) === n),
      stored,
    );
  }
});

test('a property is found as JSON, whichever place it has', async () => {
  const properties = {
    $browser: 'Chrome',
    $browser_version: 120,
    $lib: null,
    $unusual: ['x'],
    $current_url: 'https://example.com/"a"',
    plan: 'pro',
    amount: 1,
    amount_text: '1',
    paid: true,
    nothing: null,
    'a.b': { c: 1 },
    '$feature/beta': 'test',
    utm_source: 'mail',
    token: 'phc_x',
    $group_1: 'a "b" é',
  };
  const person_properties = { email: 'a@example.com', $initial_os: 'Linux', gclid: 'g' };
  await insertEvents(
    tables.client,
    [
      makeEvent(0, {
        team_id: 104,
        properties: JSON.stringify(properties),
        person_properties: JSON.stringify(person_properties),
      }),
    ],
    'places',
  );
  const find = async (sql: string) =>
    (await tables.ask<{ found: string }>(`SELECT ${sql} AS found FROM events WHERE team_id = 104`))[0]?.found;

  for (const [name, value] of Object.entries(properties)) {
    assert.equal(await find(eventPropertySql(name)), JSON.stringify(value), name);
  }
  for (const [name, value] of Object.entries(person_properties)) {
    assert.equal(await find(personPropertySql(name)), JSON.stringify(value), name);
  }
  for (const name of [...HOT_PROPERTIES, 'absent', '$absent']) {
    if (!Object.hasOwn(properties, name)) assert.equal(await find(eventPropertySql(name)), '', name);
  }
  assert.equal(await find(plainTextSql(eventPropertySql('$current_url'))), properties.$current_url);
  assert.equal(await find(plainTextSql(eventPropertySql('amount'))), '1');
  assert.equal(await find(plainTextSql(eventPropertySql('nothing'))), '');
  assert.equal(await find('`$group_1`'), properties.$group_1);
  assert.equal(
    await find('toString(mapKeys(properties_custom))'),
    "['plan','amount','amount_text','paid','nothing','a.b','$feature/beta']",
  );
});

test('an override tells the current person of an id, until it is deleted', async () => {
  const row = { team_id: 105, inserted_at: SOME_DAY, is_deleted: false };
  const [first, second] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
  const rows = [
    { ...row, distinct_id: 'moved', person_id: second!, version: 2 },
    { ...row, distinct_id: 'moved', person_id: first!, version: 1 },
    { ...row, distinct_id: 'folded', person_id: first!, version: 1 },
    { ...row, distinct_id: 'folded', person_id: first!, version: 2, is_deleted: true },
  ];
  // One by one: of rows in one batch the engine keeps only the latest.
  for (const [n, override] of rows.entries()) {
    await insertRows(tables.client, 'person_distinct_id_overrides', [override], `override ${n}`);
  }

  assert.deepEqual(await tables.ask(overriddenIdsSql('105')), [{ distinct_id: 'moved', person_id: second }]);
});

test('persons, groups and warnings are stored as given', async () => {
  const id = '11111111-1111-4111-8111-111111111111';
  const inserted_at = SOME_DAY + 1;
  await insertRows(
    tables.client,
    'person',
    [
      {
        id,
        created_at: SOME_DAY / 1_000,
        team_id: 106,
        properties: '{"a":"é"}',
        is_identified: true,
        is_deleted: false,
        version: 3,
        inserted_at,
      },
    ],
    'a person',
  );
  await insertRows(
    tables.client,
    'groups',
    [
      {
        group_type_index: 2,
        group_key: 'k',
        created_at: SOME_DAY / 1_000,
        team_id: 106,
        group_properties: '{}',
        version: 1,
        inserted_at,
      },
    ],
    'a group',
  );
  const now = Date.now() * 1_000;
  await insertRows(
    tables.client,
    'ingestion_warnings',
    [{ team_id: 106, source: 'pipeline', type: 'odd', details: '{}', timestamp: now }],
    'a warning',
  );

  assert.deepEqual(
    await tables.ask(
      'SELECT id, properties, is_identified, toUnixTimestamp64Micro(inserted_at) = {at:Int64} AS same FROM person WHERE team_id = 106',
      { at: inserted_at },
    ),
    [{ id, properties: '{"a":"é"}', is_identified: true, same: 1 }],
  );
  assert.deepEqual(await tables.ask('SELECT group_key FROM groups WHERE team_id = 106'), [{ group_key: 'k' }]);
  assert.deepEqual(
    await tables.ask(
      'SELECT type, toUnixTimestamp64Micro(timestamp) = {now:Int64} AS same FROM ingestion_warnings WHERE team_id = 106',
      { now },
    ),
    [{ type: 'odd', same: 1 }],
  );
});
