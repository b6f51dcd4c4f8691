// Snowflake through its own client, against a server that answers its calls.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import {
  assertReadBack,
  assertTold,
  hostileEvents,
  MERGED_PERSONS,
  shipPersonsTwice,
  type Told,
} from '../../../../test/exports/cases.ts';
import { type Refusal, type SnowflakeServer, startSnowflakeServer } from '../../../../test/exports/snowflake-server.ts';
import { openSource, type ShipmentGiven, type Source } from '../../../../test/exports/source.ts';
import { readConfig, withDefaults } from '../config.ts';
import type { Column, Destination } from '../destination.ts';
import { snowflakeDestination } from './destination.ts';

let source: Source;
let server: SnowflakeServer;
let destination: Destination;

const rows = hostileEvents();

before(async () => {
  [source, server] = await Promise.all([openSource(), startSnowflakeServer()]);
  destination = snowflakeDestination({ accessUrl: server.url });
  await source.insert(rows);
});
after(async () => {
  await source[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.refuse = undefined;
});

const shipmentTo = (config: Record<string, unknown>, given: Partial<ShipmentGiven> = {}) =>
  source.shipment({ teamId: 1, ...given, config: withDefaults(destination, { ...server.access, ...config }) });

const ship = async (config: Record<string, unknown>, given: Partial<ShipmentGiven> = {}) =>
  destination.ship(await shipmentTo(config, given));

test('every value arrives as it was sent, once', async () => {
  await ship({});
  const shipped = await ship({});
  const found = await server.query<Record<string, unknown>>('SELECT * FROM analytics.events ORDER BY uuid');

  assert.equal(shipped.records, rows.length);
  assert.equal(found.length, rows.length);
  for (const [n, row] of found.entries()) {
    const sent = rows[n]!;
    assert.deepEqual(row.properties, JSON.parse(String(sent.properties)));
    assert.equal(row.event, sent.event);
    assert.equal(row.distinct_id, sent.distinct_id);
    assert.equal(row.elements, sent.elements_chain);
    assert.equal(Date.parse(`${row.timestamp}Z`), Math.floor(sent.timestamp / 1_000));
  }
});

test('persons are merged: newer versions win, older ones change nothing', async () => {
  await shipPersonsTwice((given) => ship({ table_name: 'people' }, given));

  const found = await server.query<{ distinct_id: string; name: string }>(
    `SELECT distinct_id, properties->>'name' AS name FROM analytics.people ORDER BY distinct_id`,
  );
  assert.deepEqual(
    found.map(({ distinct_id, name }) => `${distinct_id} ${name}`),
    MERGED_PERSONS,
  );
});

test('what is missing and what is there twice shows when the rows are read back', async () => {
  await ship({ table_name: 'back' });
  const ids = rows.map(({ uuid }) => uuid);
  const [missing, twice] = [ids[1]!, ids[2]!];
  await server.query(`DELETE FROM analytics.back WHERE uuid = '${missing}'`);
  await server.query(`INSERT INTO analytics.back SELECT * FROM analytics.back WHERE uuid = '${twice}'`);
  await assertReadBack(destination, await shipmentTo({ table_name: 'back' }), { ids, missing, twice });
});

test('rows without a uuid are inserted once for each interval', async () => {
  const columns: Column[] = [{ name: 'event', type: 'string' }];
  await ship({ table_name: 'custom' }, { columns });
  await ship({ table_name: 'custom' }, { columns });
  assert.equal((await server.query('SELECT * FROM analytics.custom')).length, rows.length);
});

test('a key with a passphrase opens the door as well', async () => {
  await ship({ ...server.keyAccess, table_name: 'by_key' });
  assert.equal((await server.query('SELECT * FROM analytics.by_key')).length, rows.length);
});

const refused =
  (code: string, sqlState: string) =>
  (sql: string): Refusal | undefined =>
    sql.startsWith('MERGE') ? { code, sqlState, message: 'no' } : undefined;
const refusals: (Told & { title: string; config?: Record<string, unknown>; refuse?: SnowflakeServer['refuse'] })[] = [
  {
    title: 'a wrong password',
    config: { password: 'wrong' },
    kind: 'Unauthorized',
    final: true,
    text: /Check `user` and `password`/,
  },
  {
    title: 'a key that is none',
    config: { authentication_type: 'keypair', private_key: 'nonsense' },
    kind: 'InvalidPrivateKey',
    final: true,
    text: /private_key_passphrase/,
  },
  {
    title: 'a right that is missing',
    refuse: refused('003001', '42501'),
    kind: 'InsufficientPrivileges',
    final: true,
    text: /may not do this/,
  },
  {
    title: 'no warehouse',
    refuse: refused('000606', '57P03'),
    kind: 'NoWarehouse',
    final: true,
    text: /Check `warehouse`/,
  },
  {
    title: 'a statement that was stopped',
    refuse: refused('000630', '57014'),
    kind: 'OperationFailed',
    final: false,
    text: /said: no/,
  },
];
for (const { title, config = {}, refuse, ...told } of refusals) {
  test(`told in words: ${title}`, async () => {
    server.refuse = refuse;
    await assertTold(ship({ table_name: 'refused', ...config }), told);
  });
}

test('the tests of a configuration pass, or say what to mend', async () => {
  const signal = new AbortController().signal;
  const configOf = (given: object) => withDefaults(destination, { ...server.access, ...given });
  for (const step of destination.tests) await step.run(configOf({}), signal);
  await assert.rejects(
    destination.tests[1]!.run(configOf({ warehouse: 'nowhere' }), signal),
    /The warehouse 'nowhere' does not exist/,
  );
});

test('a way to get in is required', () => {
  const { password: _, ...none } = server.access;
  assert.throws(() => readConfig(destination, none), {
    message: 'Password is required if authentication type is password',
  });
  assert.throws(() => readConfig(destination, { ...none, authentication_type: 'keypair' }), {
    message: 'Private key is required if authentication type is key pair',
  });
  assert.throws(() => readConfig(destination, { ...server.access, account: '127.0.0.1/x' }), /account identifier/);
});
