// Fresh PostgreSQL databases for tests: each call gets its own, with every migration applied.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import { Client, type Pool } from 'pg';
import { pino } from 'pino';
import { openEmbeddedPostgres } from '../src/metadata/embedded/open.ts';
import { migrateMetadata } from '../src/metadata/migrate.ts';
import { openPool } from '../src/metadata/pool.ts';
import type { Database } from '../src/metadata/tables.ts';

export interface TestDatabase extends AsyncDisposable {
  url: string;
  db: Kysely<Database>;
  pool: Pool;
  close(): Promise<void>;
}

const log = pino({ level: 'silent' });
const MIGRATIONS = new URL('../src/metadata/migrations/', import.meta.url);

/** Takes some 50 ms where TENREC_TEST_DATABASE_URL names a server (the test runner starts one); else one is started. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = await takeServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = withDatabase(server.url, name);
  await withClient(server.url, async (client) => {
    const template = await ensureTemplate(client, server.url);
    await client.query(`create database ${name} template ${template}`);
  });
  const pool = openPool(url, log);
  const close = async () => {
    await pool.end();
    await withClient(server.url, (client) => client.query(`drop database ${name} with (force)`));
    await server.release();
  };
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { url, db, pool, close, [Symbol.asyncDispose]: close };
}

/** For a program under test that is to use it, which spares it the making of a PostgreSQL of its own. */
export const programOn = ({ url }: Pick<TestDatabase, 'url'>) => ({
  DATABASE_URL: url,
  TENREC_SECRET_KEY: 'a secret key that only tests would ever use',
});

/** The migrated database that the others are copies of; its name says which migrations, so a changed file makes a new one. */
async function ensureTemplate(client: Client, serverUrl: string): Promise<string> {
  const digest = createHash('sha256');
  for (const file of (await readdir(MIGRATIONS)).sort()) digest.update(await readFile(new URL(file, MIGRATIONS)));
  const name = `template_${digest.digest('hex').slice(0, 16)}`;
  // Test files run at the same time; the first makes it. The lock ends with the client's session.
  await client.query('select pg_advisory_lock(1)');
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) {
    const unfinished = `unfinished_${name}`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished}`);
    const pool = openPool(withDatabase(serverUrl, unfinished), log);
    await migrateMetadata(pool, log).finally(() => pool.end());
    await client.query(`alter database ${unfinished} rename to ${name}`);
  }
  await client.query('select pg_advisory_unlock(1)');
  return name;
}

let started: { opening: Promise<{ url: string; close(): Promise<void> }>; users: number } | undefined;

async function takeServer(): Promise<{ url: string; release(): Promise<void> }> {
  const given = process.env.TENREC_TEST_DATABASE_URL;
  if (given) return { url: given, release: async () => {} };
  started ??= { opening: startServer(), users: 0 };
  started.users += 1;
  const { url } = await started.opening;
  const release = async () => {
    if (!started || --started.users > 0) return;
    const { opening } = started;
    started = undefined;
    await (await opening).close();
  };
  return { url, release };
}

async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), 'tenrec-test-db-'));
  const { url, close } = await openEmbeddedPostgres(folder, log, { settings: { fsync: 'off' } });
  return {
    url,
    async close() {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits its turn: many files begin at once. */
async function withClient(url: string, run: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  await client.connect();
  await run(client).finally(() => client.end());
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
