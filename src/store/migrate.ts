// Brings the event store's tables up to date: numbered SQL files, applied in order, each once, never backwards.
// ClickHouse knows no transactions over definitions and no locks. So the caller lets one process migrate at a time, and
// a file can be run again from its start after a crash in the middle of it: it says `IF NOT EXISTS` throughout.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Logger } from '../platform/logger.ts';
import { splitStatements } from './split-statements.ts';

export interface StoreMigration {
  name: string;
  applied_at: string | null;
}

const FOLDER = fileURLToPath(new URL('migrations/', import.meta.url));
const FILE = /^\d{6}-[a-z0-9-]+\.sql$/;

/**
 * Applies what has not been applied yet and returns the names. One process at a time: that is the caller's to ensure.
 * With the name of a cluster, the tables are made on all of its machines.
 */
export async function migrateStore(
  client: ClickHouseClient,
  log: Logger,
  { cluster = '', folder = FOLDER }: { cluster?: string; folder?: string } = {},
): Promise<string[]> {
  const pending = (await listStoreMigrations(client, folder)).filter(({ applied_at }) => applied_at === null);
  for (const { name } of pending) {
    log.info({ migration: name }, `ClickHouse: applying ${name}`);
    for (const statement of await readStatements(folder, name, cluster)) {
      await client.command({ query: statement });
    }
    await client.insert({
      table: 'store_migrations',
      columns: ['name', 'applied_at'],
      values: [{ name, applied_at: Date.now() }],
      format: 'JSONEachRow',
    });
  }
  return pending.map(({ name }) => name);
}

/** Every migration there is, in order, and when it was applied; null when it was not. */
export async function listStoreMigrations(client: ClickHouseClient, folder = FOLDER): Promise<StoreMigration[]> {
  const applied = await readApplied(client);
  const names = await listFiles(folder);
  return names.map((name) => ({ name, applied_at: applied.get(name) ?? null }));
}

/** Every file has a counterpart for clusters, in which `{cluster}` stands for the name. */
async function readStatements(folder: string, name: string, cluster: string): Promise<string[]> {
  const path = cluster ? join(folder, 'cluster', `${name}.sql`) : join(folder, `${name}.sql`);
  const statements = splitStatements(await readFile(path, 'utf8'));
  return statements.map((statement) => statement.replaceAll('{cluster}', cluster));
}

async function listFiles(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  for (const file of files) {
    if (!FILE.test(file)) throw new Error(`Migration ${file} must be named like 000002-add-sessions.sql.`);
  }
  const names = files.map((file) => file.slice(0, -'.sql'.length));
  names.forEach((name, at) => {
    if (Number(name.slice(0, 6)) !== at + 1) throw new Error(`Migration ${name} should have the number ${at + 1}.`);
  });
  return names;
}

async function readApplied(client: ClickHouseClient): Promise<Map<string, string>> {
  if (!(await hasTable(client))) return new Map();
  const result = await client.query({
    query: `
      SELECT name, formatDateTime(min(applied_at), '%Y-%m-%dT%H:%i:%SZ', 'UTC') AS applied_at
        FROM store_migrations
       GROUP BY name`,
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ name: string; applied_at: string }>();
  return new Map(rows.map(({ name, applied_at }) => [name, applied_at]));
}

/** Before the first migration there is nowhere to look. */
async function hasTable(client: ClickHouseClient): Promise<boolean> {
  const result = await client.query({ query: 'EXISTS TABLE store_migrations', format: 'JSONEachRow' });
  const [row] = await result.json<{ result: number }>();
  return row?.result === 1;
}
