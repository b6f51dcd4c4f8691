// Rows in a table of a real PostgreSQL: as they were captured, once, whatever happens on the way.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { after, before, beforeEach, test } from 'node:test';
import { eventually } from '../../../../test/eventually.ts';
import { assertTold, MERGED_PERSONS, shipPersonsTwice } from '../../../../test/exports/cases.ts';
import { hostileProperties, hostileTexts, unstorableProperties } from '../../../../test/exports/hostile.ts';
import { type PostgresServer, startPostgresServer } from '../../../../test/exports/postgres-server.ts';
import {
  END,
  eventInHour,
  openSource,
  type ShipmentGiven,
  type Source,
  START,
} from '../../../../test/exports/source.ts';
import { quoteText } from '../../../store/tables/description.ts';
import { openGuard } from '../../network/guard.ts';
import { withDefaults } from '../config.ts';
import type { Column, Shipment } from '../destination.ts';
import { type PostgresAccess, withConnection } from './connect.ts';
import { postgresDestination } from './destination.ts';
import { openTable, targetOf } from './table.ts';

const HOSTILE = 1;
const MANY = 2;
const destination = postgresDestination(openGuard({ privateNetworksAllowed: true }));

let source: Source;
let postgres: PostgresServer;

before(async () => {
  [source, postgres] = await Promise.all([openSource(), startPostgresServer()]);
  await source.insert(hostileRows);
  await source.insert(manyRows);
});
after(async () => {
  await source[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});
beforeEach(async () => {
  postgres.cutAfterBytes = undefined;
  await postgres.query('DROP SCHEMA public CASCADE');
  await postgres.query('CREATE SCHEMA public');
});

const kept = [...Object.values(hostileProperties).map((sent) => ({ sent, kept: sent })), ...unstorableProperties];
const hostileRows = kept.map(({ sent }, n) => {
  const text = hostileTexts[n % hostileTexts.length]!;
  return eventInHour(n, {
    team_id: HOSTILE,
    ...{ event: text, distinct_id: `${text}\0`, elements_chain: text },
    ...{ properties: '{}', properties_sent: sent },
  });
});
const manyRows = Array.from({ length: 1_000 }, (_, n) =>
  eventInHour(n, { team_id: MANY, properties: JSON.stringify({ $ip: '10.1.2.3', n, filler: 'x'.repeat(1_000) }) }),
);

const shipment = (given: Partial<ShipmentGiven> & { access?: Readonly<Record<string, unknown>> }) =>
  source.shipment({
    teamId: MANY,
    ...given,
    config: withDefaults(destination, { ...postgres.access, ...given.access, ...given.config }),
  });

async function ship(given: Parameters<typeof shipment>[0] = {}) {
  const made = await shipment(given);
  return { shipment: made, shipped: await destination.ship(made) };
}

const count = async (where = 'true', table = 'events') =>
  Number((await postgres.query<{ n: string }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`))[0]?.n);

const failing = (given: Parameters<typeof shipment>[0], kind: string, final: boolean, text: RegExp) =>
  assertTold(ship(given), { kind, final, text });

test('every value arrives as it was sent, but for what jsonb cannot hold', async () => {
  await ship({ teamId: HOSTILE });
  const rows = await postgres.query<Record<string, unknown>>(
    'SELECT *, properties::text AS text FROM events ORDER BY uuid',
  );

  assert.equal(rows.length, hostileRows.length);
  for (const [n, row] of rows.entries()) {
    const sent = hostileRows[n]!;
    assert.equal(row.uuid, sent.uuid);
    assert.equal(row.event, sent.event);
    assert.equal(row.distinct_id, sent.distinct_id.slice(0, -1));
    assert.equal(JSON.parse(String(row.elements)), sent.elements_chain);
    assert.deepEqual(row.properties, JSON.parse(kept[n]!.kept));
    assert.equal((row.timestamp as Date).getTime(), Math.floor(sent.timestamp / 1_000));
    assert.equal(row.person_id, sent.person_id);
  }
  const big = rows.find(({ text }) => String(text).includes('9223372036854775807'));
  assert.equal(big?.text, '{"a": 9223372036854775807, "b": 18446744073709551615, "c": -9223372036854775808}');
});

test('a table gets the columns that it had always had', async () => {
  const { shipped, shipment } = await ship();
  const [row] = await postgres.query<Record<string, unknown>>('SELECT * FROM events LIMIT 1');
  const types = await postgres.query<{ column_name: string; data_type: string }>(
    `SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'events' ORDER BY ordinal_position`,
  );
  assert.deepEqual(
    types.slice(0, 11).map(({ column_name, data_type }) => `${column_name} ${data_type}`),
    [
      'uuid text',
      'event text',
      'properties jsonb',
      'elements jsonb',
      'set jsonb',
      'set_once jsonb',
      'distinct_id text',
      'team_id integer',
      'ip text',
      'site_url text',
      'timestamp timestamp with time zone',
    ],
  );
  assert.equal(row?.ip, '10.1.2.3');
  assert.equal(shipped.records, 1_000);
  assert.ok(shipment.done.length > 0 && shipped.bytes > 1_000_000);
});

test('a run that is made again brings nothing twice', async () => {
  await ship();
  await ship();
  assert.equal(await count(), 1_000);
});

test('an interval that overlaps brings only what is missing', async () => {
  const half = new Date((START.getTime() + END.getTime()) / 2);
  await ship({ interval: { start: START, end: new Date(START.getTime() + 10_000) } });
  assert.ok((await count()) < 1_000);
  await ship({ interval: { start: new Date(START.getTime() + 5_000), end: half } });
  await ship({ interval: { start: null, end: END } });
  assert.equal(await count(), 1_000);
  assert.equal((await postgres.query('SELECT uuid FROM events GROUP BY uuid HAVING count(*) > 1')).length, 0);
});

test('rows that were deleted come back when their interval is made again', async () => {
  await ship();
  await postgres.query(`DELETE FROM events WHERE (properties->>'n')::int < 100`);
  await ship();
  assert.equal(await count(), 1_000);
});

test('rows without a uuid are not repeated either', async () => {
  const columns: Column[] = [
    { name: 'event', type: 'string' },
    { name: 'created_at', type: 'timestamp' },
  ];
  await ship({ columns, interval: { start: START, end: new Date(START.getTime() + 10_000) } });
  await ship({ columns });
  await ship({ columns });
  assert.equal(await count(), 1_000);
});

test('a table that another run makes at the same moment is used like any other', async () => {
  await postgres.query('BEGIN');
  await postgres.query('CREATE TABLE public.events (uuid text)');
  const opening = withConnection(
    postgres.access as unknown as PostgresAccess,
    openGuard({ privateNetworksAllowed: true }),
    new AbortController().signal,
    (client) => openTable(client, targetOf('public', 'events'), [{ name: 'uuid', type: 'TEXT', sql: 'uuid' }]),
  );
  await eventually('it waits for the other', async () => {
    return (await postgres.query('SELECT FROM pg_locks WHERE NOT granted')).length > 0;
  });
  await postgres.query('COMMIT');
  assert.equal((await opening).columns.length, 1);
});

test('of two runs at once, the slower one is told, and leaves nothing behind', async () => {
  const gate = Promise.withResolvers<void>();
  const slow = (stream: Readable) => {
    const through = new PassThrough();
    gate.promise.then(() => stream.pipe(through));
    return through;
  };
  const first = assert.rejects(ship({ through: slow }), { kind: 'ConcurrentRun', final: false });
  await ship().finally(() => gate.resolve());
  await first;
  assert.equal(await count(), 1_000);
});

test('a connection that breaks in the middle leaves nothing behind, and the next run is fine', async () => {
  postgres.cutAfterBytes = 300_000;
  await failing({}, 'ConnectionError', false, /connection to the database failed/i);
  postgres.cutAfterBytes = undefined;
  assert.equal(await count(), 0);
  await ship();
  assert.equal(await count(), 1_000);
});

test('what the event store cuts off is not taken for the whole', async () => {
  const cut = (stream: Readable) => {
    const through = new PassThrough();
    let lines = 0;
    stream.on('data', (chunk: Buffer) => {
      if (lines++ === 0) through.end(chunk.subarray(0, chunk.lastIndexOf(10, 100_000) + 1));
    });
    return through;
  };
  await failing({ through: cut }, 'IncompleteRead', false, /rows of 1000/);
  assert.equal(await count(), 0);
});

test('a cancelled run stops at once and leaves nothing behind', async () => {
  const cancel = new AbortController();
  const stuck = (stream: Readable) => {
    const through = new PassThrough();
    stream.once('data', (chunk) => {
      through.write(chunk);
      setImmediate(() => cancel.abort());
    });
    return through;
  };
  await assert.rejects(ship({ through: stuck, signal: cancel.signal }), { name: 'AbortError' });
  assert.equal(await count(), 0);
});

test('persons are merged: newer versions win, older ones change nothing', async () => {
  await shipPersonsTwice((given) => ship({ ...given, access: { table_name: 'people' } }));

  const rows = await postgres.query<{ distinct_id: string; name: string }>(
    `SELECT distinct_id, properties->>'name' AS name FROM people ORDER BY distinct_id`,
  );
  assert.deepEqual(
    rows.map(({ distinct_id, name }) => `${distinct_id} ${name}`),
    MERGED_PERSONS,
  );
});

test('a list of texts becomes an array', async () => {
  const rows = `SELECT ['a"b', 'c\\\\d', '{e,f}', '', 'tab\\tend'] AS list, true AS yes, now64(6, 'UTC') AS _inserted_at`;
  const columns: Column[] = [
    { name: 'list', type: 'string[]' },
    { name: 'yes', type: 'bool' },
  ];
  await ship({ rows, columns });
  assert.deepEqual(await postgres.query('SELECT * FROM events'), [
    { list: ['a"b', 'c\\d', '{e,f}', '', 'tab\tend'], yes: true },
  ]);
});

test('a table that is there already is used as it is', async () => {
  await postgres.query('CREATE TABLE events (uuid uuid, properties text, extra int DEFAULT 7)');
  await ship();
  assert.equal(await count('extra = 7 AND properties LIKE $${"$ip"%$$'), 1_000);
});

test('what was brought can be read back', async () => {
  const { shipment } = await ship();
  await postgres.query(`INSERT INTO events (uuid) VALUES ('${manyRows[3]?.uuid}')`);
  const expected = async () =>
    (async function* () {
      for (const { uuid } of manyRows) yield uuid;
      yield 'nowhere';
    })();
  const found = await Array.fromAsync((await destination.found?.(shipment, expected)) ?? []);
  assert.deepEqual(found.sort(), [...manyRows.map(({ uuid }) => uuid), manyRows[3]?.uuid].sort());
});

test('persons are read back by their ids, whatever these hold, and within their project', async () => {
  const ids = ['plain', 'tab\t, line\n, return\r', 'back\\slash \\n', 'quote \' and "', 'elsewhere'];
  const person = (id: string) => `
    SELECT toInt64(${id === 'elsewhere' ? MANY + 1 : MANY}) AS team_id, ${quoteText(id)} AS distinct_id, 'p' AS person_id,
           '{}' AS properties, toInt64(1) AS person_distinct_id_version, toInt64(1) AS person_version,
           now64(6, 'UTC') AS created_at, now64(6, 'UTC') AS _inserted_at, false AS is_deleted`;
  const { shipment } = await ship({ model: 'persons', rows: ids.map(person).join(' UNION ALL ') });
  const expected = async () => Readable.from([...ids, 'missing']) as AsyncIterable<string>;
  const found = await Array.fromAsync((await destination.found?.(shipment, expected)) ?? []);
  assert.deepEqual(found.sort(), ids.slice(0, -1).sort());
});

test("a certificate of one's own is refused, unless it is said to be", async () => {
  const access = postgres.tlsAccess;
  await failing({ access }, 'UntrustedCertificate', true, /has_self_signed_cert/);
  await ship({ access: { ...access, has_self_signed_cert: true } });
  assert.equal(await count(), 1_000);
});

const mistakes: {
  title: string;
  before?: string;
  access: Record<string, unknown>;
  kind: string;
  final?: boolean;
  text: RegExp;
}[] = [
  {
    title: 'a wrong password',
    access: { password: 'wrong' },
    kind: 'InvalidPassword',
    text: /Check `user` and `password`/,
  },
  {
    title: 'a database that does not exist',
    access: { database: 'nowhere' },
    kind: 'InvalidCatalogName',
    text: /Check `database`/,
  },
  {
    title: 'a schema that does not exist',
    access: { schema: 'nowhere' },
    kind: 'InvalidSchemaName',
    text: /check `schema`/,
  },
  {
    title: 'a table that may not be created',
    access: { user: 'reader', password: 'reader' },
    kind: 'InsufficientPrivilege',
    text: /permission denied for schema public/,
  },
  {
    title: 'a table that may not be written to',
    before: 'CREATE TABLE events (uuid text); GRANT USAGE ON SCHEMA public TO reader; GRANT SELECT ON events TO reader',
    access: { user: 'reader', password: 'reader' },
    kind: 'InsufficientPrivilege',
    text: /permission denied for table events/,
  },
  {
    title: 'a column too narrow',
    before: 'CREATE TABLE events (uuid varchar(5))',
    access: {},
    kind: 'StringDataRightTruncation',
    text: /uuid/,
  },
  {
    title: 'a column of another type',
    before: 'CREATE TABLE events (uuid int)',
    access: {},
    kind: 'InvalidTextRepresentation',
    text: /integer/,
  },
  {
    title: 'a column that must have a value',
    before: 'CREATE TABLE events (uuid text, x int NOT NULL)',
    access: {},
    kind: 'NotNullViolation',
    text: /column x/,
  },
  {
    title: 'a unique value twice',
    before: 'CREATE TABLE events (uuid text, ip text UNIQUE)',
    access: {},
    kind: 'UniqueViolation',
    text: /ip/,
  },
  {
    title: 'a view in place of a table',
    before: 'CREATE VIEW events AS SELECT 1 AS uuid',
    access: {},
    kind: 'WrongObjectType',
    text: /view/,
  },
  {
    title: 'nobody at the port',
    access: { port: 1 },
    kind: 'ConnectionError',
    final: false,
    text: /No database answers at localhost:1/,
  },
  {
    title: 'a host that does not exist',
    access: { host: 'nowhere.invalid' },
    kind: 'UnknownHost',
    text: /no host named nowhere.invalid/,
  },
];
for (const { title, before, access, kind, final = true, text } of mistakes) {
  test(`told in words: ${title}`, async () => {
    if (before) await postgres.query(before);
    await failing({ access }, kind, final, text);
  });
}

test('a server that speaks of something else is told as such', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const access = { port: (server.address() as AddressInfo).port };
    await failing({ access }, 'ConnectionError', false, /connection to the database failed/i);
  } finally {
    server.close();
  }
});

test('a server that says nothing does not keep a cancelled run', async () => {
  const cancel = new AbortController();
  const server = createServer(() => cancel.abort()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const access = { port: (server.address() as AddressInfo).port };
    await assert.rejects(ship({ access, signal: cancel.signal }), { name: 'AbortError' });
  } finally {
    server.close();
  }
});

test('whoever may only insert and look still gets every row once', async () => {
  await postgres.query(`CREATE TABLE events (uuid text, properties jsonb);
    GRANT USAGE ON SCHEMA public TO writer; GRANT SELECT, INSERT ON events TO writer`);
  const access = { user: 'writer', password: 'writer' };
  const { shipment } = await ship({ access });
  await ship({ access });
  assert.equal(await count(), 1_000);
  assert.ok(shipment.logged.some((line) => line.includes('cannot be created')));
});

test('a private network is not entered unless the operator allows it', async () => {
  const guarded = postgresDestination(openGuard({ privateNetworksAllowed: false }));
  const refused = guarded.ship((await shipment({})) as Shipment);
  await assert.rejects(refused, { kind: 'PrivateNetworkError', final: true });
});

test('the tests of a configuration pass, or say what to mend, and leave nothing behind', async () => {
  const { signal } = new AbortController();
  const run = (index: number, access: Readonly<Record<string, unknown>> = {}) =>
    destination.tests[index]!.run(withDefaults(destination, { ...postgres.access, ...access }), signal);
  for (const index of destination.tests.keys()) await run(index);
  assert.deepEqual(await postgres.query("SELECT FROM pg_tables WHERE schemaname = 'public'"), []);

  await assert.rejects(run(0, { password: 'wrong' }), { kind: 'InvalidPassword', message: /Check `user`/ });
  await assert.rejects(run(1, { schema: 'nowhere' }), { kind: 'InvalidSchemaName', message: /nowhere/ });
  await postgres.query('CREATE TABLE public.events (uuid text)');
  await assert.rejects(run(2, { user: 'reader', password: 'reader' }), { kind: 'InsufficientPrivilege' });
});
