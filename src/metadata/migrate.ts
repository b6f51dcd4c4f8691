// Brings the tables of PostgreSQL up to date: numbered SQL files, forward only, each applied once.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import type { Logger } from '../platform/logger.ts';
import { StartError } from '../platform/start-error.ts';
import { connectAlone } from './pool.ts';

export interface MigrationState {
  name: string;
  applied_at: string | null;
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

interface AppliedMigration {
  name: string;
  checksum: string;
  applied_at: string;
}

const FOLDER = join(import.meta.dirname, 'migrations');
/** `tenrec` in hexadecimal: any number will do that other programs on the same database are unlikely to lock. */
const LOCK = 0x74656e726563;
/** Long enough for the process before us to rewrite a large table. */
const LOCK_WAIT_MS = 10 * 60_000;
const LOCK_POLL_MS = 200;

/** The pool whose lock the running code holds already, so that whoever takes it around several steps does not wait for itself. */
const held = new AsyncLocalStorage<Pool>();

/** Runs while no other process on this database does: whichever comes first migrates, the others find it done. */
export async function withMigrationLock<T>(pool: Pool, run: () => Promise<T>, waitMs = LOCK_WAIT_MS): Promise<T> {
  if (held.getStore() === pool) return run();
  const client = await connectAlone(urlOf(pool));
  try {
    await takeLock(client, waitMs);
    return await held.run(pool, run);
  } finally {
    // The lock belongs to the session and ends with it.
    await client.end().catch(() => {});
  }
}

async function takeLock(client: Client, waitMs: number): Promise<void> {
  const until = performance.now() + waitMs;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK]);
    if (rows[0]!.taken) return;
    if (performance.now() > until) {
      const seconds = Math.round(waitMs / 1_000);
      throw new StartError(`Another process has been changing the tables for over ${seconds} s: see what it is doing.`);
    }
    await delay(LOCK_POLL_MS);
  }
}

/** Applies what is missing, in order, and returns the names of what it applied. */
export async function migrateMetadata(pool: Pool, log: Logger, folder = FOLDER): Promise<string[]> {
  const migrations = await readMigrations(folder);
  return withMigrationLock(pool, async () => {
    const client = await connectAlone(urlOf(pool));
    try {
      await client.query(`
        create table if not exists tenrec_migration (
          name text primary key,
          checksum text not null,
          applied_at timestamptz not null default now()
        )`);
      const applied = await listApplied(client);
      checkHistory(migrations, applied);
      const pending = migrations.filter(({ name }) => !applied.some((each) => each.name === name));
      for (const migration of pending) {
        log.info({ migration: migration.name }, `Changing the tables of PostgreSQL: ${migration.name}`);
        await apply(client, migration);
      }
      return pending.map(({ name }) => name);
    } finally {
      await client.end().catch(() => {});
    }
  });
}

/** Every migration that this program knows, and when it was applied. Changes nothing. */
export async function listMigrations(pool: Pool, folder = FOLDER): Promise<MigrationState[]> {
  const migrations = await readMigrations(folder);
  const { rows } = await pool.query<{ present: boolean }>(
    "select to_regclass('tenrec_migration') is not null as present",
  );
  const applied = rows[0]!.present ? await listApplied(pool) : [];
  return migrations.map(({ name }) => ({
    name,
    applied_at: applied.find((each) => each.name === name)?.applied_at ?? null,
  }));
}

async function listApplied(from: Client | Pool): Promise<AppliedMigration[]> {
  const { rows } = await from.query<AppliedMigration>(
    'select name, checksum, applied_at from tenrec_migration order by name',
  );
  return rows;
}

function checkHistory(migrations: readonly Migration[], applied: readonly AppliedMigration[]): void {
  for (const { name, checksum } of applied) {
    const known = migrations.find((each) => each.name === name);
    if (!known) {
      throw new StartError(
        `The database is newer than this program: it has the migration ${name}. Start the newer version of Tenrec.`,
      );
    }
    if (known.checksum !== checksum) {
      throw new StartError(
        `The migration ${name} was changed after it had been applied: restore the file, and put the change into a new one.`,
      );
    }
  }
}

async function apply(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into tenrec_migration (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw new StartError(`The migration ${name} failed, and nothing of it was kept: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** In order. Two files with one number, or a number left out, would mean different orders on different machines. */
async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, index) => {
      if (!/^\d{6}-[a-z0-9-]+\.sql$/.test(file) || Number(file.slice(0, 6)) !== index + 1) {
        const expected = String(index + 1).padStart(6, '0');
        throw new StartError(
          `${join(folder, file)}: migration number ${index + 1} is named ${expected}-what-it-does.sql.`,
        );
      }
      // A checkout may change the line ends; what is applied is the same.
      const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
      return { name: file.slice(0, -'.sql'.length), sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

function urlOf(pool: Pool): string {
  const url = pool.options.connectionString;
  if (url === undefined) throw new Error('migrations need a pool that was opened with a URL');
  return url;
}
