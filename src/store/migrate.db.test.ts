import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ClickHouseClient } from '@clickhouse/client';
import { pino } from 'pino';
import { configWith } from '../config.ts';
import { askOne } from './conformance/asking.ts';
import { listStoreMigrations, migrateStore } from './migrate.ts';
import { type EventStore, openStore } from './open.ts';

const quiet = pino({ level: 'silent' });
const { CLICKHOUSE_URL = '' } = process.env;
let home: string;
let store: EventStore;

before(async () => {
  home = await mkdtemp(join(tmpdir(), 'tenrec-migrate-'));
  store = await openStore(configWith({ TENREC_DATA: home, CLICKHOUSE_URL }), quiet);
});
after(async () => {
  await store.close();
  await rm(home, { recursive: true });
});

/** A client in an empty database of its own. */
async function inEmptyDatabase(name: string, check: (client: ClickHouseClient) => Promise<void>): Promise<void> {
  const database = `migrate_${process.pid}_${name}`;
  await store.client.command({ query: `CREATE DATABASE ${database}` });
  const client = store.connect({ database });
  try {
    await check(client);
  } finally {
    await client.close();
    await store.client.command({ query: `DROP DATABASE ${database}` });
  }
}

/** A folder that starts with our first migration and goes on with these files. */
async function makeFolder(name: string, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(home, `${name}-`));
  const first =
    'CREATE TABLE IF NOT EXISTS store_migrations (name String, applied_at DateTime64(3)) ENGINE = MergeTree ORDER BY name';
  await writeFile(join(folder, '000001-migrations.sql'), first);
  for (const [file, sql] of Object.entries(files)) await writeFile(join(folder, file), sql);
  return folder;
}

test('every migration is applied once, in order, and says when', () =>
  inEmptyDatabase('once', async (client) => {
    const before = await listStoreMigrations(client);
    assert.ok(before.length > 0);
    assert.ok(before.every(({ applied_at }) => applied_at === null));

    assert.deepEqual(
      await migrateStore(client, quiet),
      before.map(({ name }) => name),
    );
    assert.deepEqual(await migrateStore(client, quiet), []);
    for (const { applied_at } of await listStoreMigrations(client)) {
      const ageMs = Date.now() - Date.parse(applied_at ?? '');
      assert.ok(ageMs >= -1_000 && ageMs < 60_000, String(applied_at));
    }
  }));

test('a migration that failed in the middle is run again from its start', () =>
  inEmptyDatabase('again', async (client) => {
    const table = (name: string) => `CREATE TABLE IF NOT EXISTS ${name} (n Int8) ENGINE = MergeTree ORDER BY n;\n`;
    const folder = await makeFolder('again', { '000002-two.sql': `${table('a')} SELECT broken; ${table('b')}` });
    await assert.rejects(migrateStore(client, quiet, { folder }), { type: 'UNKNOWN_IDENTIFIER' });
    assert.equal((await listStoreMigrations(client, folder))[1]?.applied_at, null);

    await writeFile(join(folder, '000002-two.sql'), `${table('a')}${table('b')}`);
    assert.deepEqual(await migrateStore(client, quiet, { folder }), ['000002-two']);
    assert.equal(
      await askOne(client, 'SELECT toUInt32(count()) FROM system.tables WHERE database = currentDatabase()'),
      3,
    );
  }));

test('a file that is misnamed or out of number is refused', () =>
  inEmptyDatabase('names', async (client) => {
    const misnamed = await makeFolder('names', { 'two.sql': 'SELECT 1' });
    await assert.rejects(migrateStore(client, quiet, { folder: misnamed }), /two\.sql must be named like/);
    const gap = await makeFolder('gap', { '000003-three.sql': 'SELECT 1' });
    await assert.rejects(migrateStore(client, quiet, { folder: gap }), /000003-three should have the number 2/);
  }));
