import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { openTestDatabase } from '../../test/db.ts';
import { eventually } from '../../test/eventually.ts';
import { StartError } from '../platform/start-error.ts';
import { Unavailable } from '../platform/unavailable.ts';
import { openMetadata } from './open.ts';
import { connectAlone, openPool } from './pool.ts';

const log = pino({ level: 'silent' });
const database = await openTestDatabase();
after(() => database.close());

/** A TCP server that accepts connections and never says a word, as a stopped PostgreSQL does. */
async function openMuteServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `postgres://someone:secret-word@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const REFUSED = 'postgres://someone:secret-word@127.0.0.1:1/postgres';

test('with DATABASE_URL nothing embedded starts, and the server is used', async () => {
  const metadata = await openMetadata({ DATABASE_URL: database.url, TENREC_DATA: '/nowhere' }, log);
  try {
    assert.equal(metadata.kind, 'server');
    assert.equal(metadata.engine, undefined);
    await metadata.health();
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(metadata.db);
    assert.equal(`/${rows[0]!.name}`, new URL(database.url).pathname);
  } finally {
    await metadata.close();
  }
});

test('a URL that cannot be used stops the start in one line, without the password', async () => {
  const url = database.url.replace(/\/test_\w+/, '/missing');
  await assert.rejects(openMetadata({ DATABASE_URL: url, TENREC_DATA: '' }, log), (error) => {
    assert.ok(error instanceof StartError);
    assert.match(error.message, /^DATABASE_URL: PostgreSQL at .*\/missing cannot be used: database "missing" does not/);
    assert.doesNotMatch(error.message, /secret-word/);
    return true;
  });
});

test('times come as the wire wants them whatever the time zone of the database, ids as numbers, JSON parsed', async () => {
  await database.pool.query(
    `alter database ${new URL(database.url).pathname.slice(1)} set TimeZone = 'America/St_Johns'`,
  );
  const pool = openPool(`${database.url}&options=`, log);
  const { rows } = await pool.query(`
    select timestamptz '2025-02-03 10:11:12.345678+00' as t, '2025-02-03 10:11:12Z'::timestamptz as whole,
           array[timestamptz '2025-02-03 10:11:12.5+00', null] as list, 'infinity'::timestamptz as never,
           7::bigint as id, 9007199254740993::bigint as huge, '{1,2}'::bigint[] as ids,
           '{"a": [1, null]}'::jsonb as json, date '2025-02-03' as day`);
  await pool.end();
  assert.deepEqual(rows, [
    {
      t: '2025-02-03T10:11:12.345678Z',
      whole: '2025-02-03T10:11:12Z',
      list: ['2025-02-03T10:11:12.500000Z', null],
      never: 'infinity',
      id: 7,
      huge: '9007199254740993',
      ids: [1, 2],
      json: { a: [1, null] },
      day: '2025-02-03',
    },
  ]);
});

test('a connection that the server ends is Unavailable to whoever uses it, and the next statement gets another', async () => {
  const pool = openPool(database.url, log);
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const sleeping = assert.rejects(client.query('select pg_sleep(20)'), Unavailable);
  await database.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
  await sleeping;
  await assert.rejects(client.query('select 1'), Unavailable);
  client.release();
  assert.equal((await pool.query('select 1 as one')).rows[0].one, 1);
  await pool.end();
});

test('an idle connection that the server ends harms nobody', async () => {
  const pool = openPool(database.url, log);
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  await database.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
  await eventually('the pool has noticed', () => pool.totalCount === 0);
  assert.equal((await pool.query('select 1 as one')).rows[0].one, 1);
  await pool.end();
});

test('through Kysely, in and out of a transaction, a lost connection is Unavailable and a mistake stays a mistake', async () => {
  const metadata = await openMetadata({ DATABASE_URL: database.url, TENREC_DATA: '' }, log);
  const end = (db: Kysely<never>) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
  try {
    const db = metadata.db as unknown as Kysely<never>;
    await assert.rejects(end(db), Unavailable);
    await assert.rejects(db.transaction().execute(end), Unavailable);
    await assert.rejects(sql`select * from missing`.execute(db), { code: '42P01' });
  } finally {
    await metadata.close();
  }
});

test('a server that is not there, or accepts and stays mute, is Unavailable within three seconds', async () => {
  await using mute = await openMuteServer();
  for (const url of [REFUSED, mute.url]) {
    const pool = openPool(url, log);
    const startedAt = performance.now();
    await assert.rejects(pool.query('select 1'), Unavailable);
    await assert.rejects(connectAlone(url, 500), Unavailable);
    assert.ok(performance.now() - startedAt < 3_500);
    await pool.end();
  }
});

test('a pool with every connection busy gives up as Unavailable instead of queueing for ever', async () => {
  const pool = openPool(database.url, log);
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  await assert.rejects(pool.query('select 1'), Unavailable);
  for (const client of clients) client.release();
  assert.equal((await pool.query('select 1 as one')).rows[0].one, 1);
  await pool.end();
});

test('health answers for the server, also while every connection of the pool is busy', async () => {
  const metadata = await openMetadata({ DATABASE_URL: database.url, TENREC_DATA: '' }, log);
  const clients = await Promise.all(Array.from({ length: metadata.pool.options.max }, () => metadata.pool.connect()));
  await metadata.health();
  for (const client of clients) client.release();
  await metadata.close();
});
