import assert from 'node:assert/strict';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pino from 'pino';
import { openTestDatabase } from '../../test/db.ts';
import { openTempFolder } from '../../test/temp-folder.ts';
import { StartError } from '../platform/start-error.ts';
import { listMigrations, migrateMetadata, withMigrationLock } from './migrate.ts';
import { openPool } from './pool.ts';

const log = pino({ level: 'silent' });
const database = await openTestDatabase();
const { pool } = database;
after(() => database.close());

/** A folder of migrations beside the product's own, on a database that has seen none. */
async function withMigrations(files: Record<string, string>) {
  await pool.query('drop schema public cascade; create schema public');
  const temp = await openTempFolder();
  const folder = join(temp.path, 'migrations');
  await mkdir(folder);
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql);
  return { folder, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

const two = {
  '000001-fruit.sql': 'create table fruit (name text); insert into fruit values ($$apple; pear$$);',
  '000002-colour.sql': 'alter table fruit add colour text;',
};

test('migrations are applied in order, once, and listed with their time', async () => {
  await using migrations = await withMigrations(two);
  assert.deepEqual(await listMigrations(pool, migrations.folder), [
    { name: '000001-fruit', applied_at: null },
    { name: '000002-colour', applied_at: null },
  ]);
  assert.deepEqual(await migrateMetadata(pool, log, migrations.folder), ['000001-fruit', '000002-colour']);
  assert.deepEqual(await migrateMetadata(pool, log, migrations.folder), []);
  assert.deepEqual((await pool.query('select * from fruit')).rows, [{ name: 'apple; pear', colour: null }]);

  await writeFile(join(migrations.folder, '000003-taste.sql'), 'alter table fruit add taste text;');
  const listed = await listMigrations(pool, migrations.folder);
  assert.match(listed[1]!.applied_at!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/);
  assert.deepEqual(listed[2], { name: '000003-taste', applied_at: null });
  assert.deepEqual(await migrateMetadata(pool, log, migrations.folder), ['000003-taste']);
});

test('a migration that fails leaves nothing of itself, keeps those before it, and can be mended', async () => {
  await using migrations = await withMigrations({
    ...two,
    '000002-colour.sql': 'create table half (n int); alter table vegetable add colour text;',
  });
  await assert.rejects(migrateMetadata(pool, log, migrations.folder), (error) => {
    assert.ok(error instanceof StartError);
    assert.match(
      error.message,
      /000002-colour failed, and nothing of it was kept: relation "vegetable" does not exist/,
    );
    return true;
  });
  const { rows } = await pool.query("select to_regclass('half') as half, to_regclass('fruit') as fruit");
  assert.deepEqual(rows, [{ half: null, fruit: 'fruit' }]);
  await writeFile(join(migrations.folder, '000002-colour.sql'), two['000002-colour.sql']);
  assert.deepEqual(await migrateMetadata(pool, log, migrations.folder), ['000002-colour']);
});

test('a migration and the note that it was applied are kept together or not at all', async () => {
  await using migrations = await withMigrations({
    ...two,
    '000002-colour.sql': "create table half (n int); alter table tenrec_migration add check (name < '000002');",
  });
  await assert.rejects(migrateMetadata(pool, log, migrations.folder), /violates check constraint/);
  assert.deepEqual((await pool.query("select to_regclass('half') as half")).rows, [{ half: null }]);
});

test('a migration changed after it was applied stops the start; changed line ends do not', async () => {
  await using migrations = await withMigrations({ '000001-fruit.sql': 'create table fruit (\n  name text\n);\n' });
  await migrateMetadata(pool, log, migrations.folder);
  await writeFile(join(migrations.folder, '000001-fruit.sql'), 'create table fruit (\r\n  name text\r\n);\r\n');
  assert.deepEqual(await migrateMetadata(pool, log, migrations.folder), []);
  await writeFile(join(migrations.folder, '000001-fruit.sql'), 'create table fruit (name varchar);');
  await assert.rejects(migrateMetadata(pool, log, migrations.folder), /000001-fruit was changed after/);
});

test('a database newer than the program stops the start', async () => {
  await using migrations = await withMigrations(two);
  await migrateMetadata(pool, log, migrations.folder);
  await rm(join(migrations.folder, '000002-colour.sql'));
  await assert.rejects(migrateMetadata(pool, log, migrations.folder), /newer than this program: .* 000002-colour/);
});

test('a number left out, twice or written otherwise is refused with the name that is right', async () => {
  await using migrations = await withMigrations(two);
  const { folder } = migrations;
  await rename(join(folder, '000002-colour.sql'), join(folder, '000003-colour.sql'));
  await assert.rejects(migrateMetadata(pool, log, folder), /number 2 is named 000002-what-it-does\.sql/);
  await rename(join(folder, '000003-colour.sql'), join(folder, '000001-colour.sql'));
  await assert.rejects(migrateMetadata(pool, log, folder), /number 2 is named 000002/);
  await rename(join(folder, '000001-colour.sql'), join(folder, '2_colour.sql'));
  await assert.rejects(migrateMetadata(pool, log, folder), /number 2 is named 000002/);
  assert.deepEqual((await readdir(folder)).length, 2);
});

test('of several processes that start together one migrates, and all go on when it is done', async () => {
  await using migrations = await withMigrations(two);
  const pools = Array.from({ length: 4 }, () => openPool(database.url, log));
  const applied = await Promise.all(pools.map((each) => migrateMetadata(each, log, migrations.folder)));
  await Promise.all(pools.map((each) => each.end()));
  assert.deepEqual(applied.flat().sort(), ['000001-fruit', '000002-colour']);
});

test('under the lock nobody else runs, the holder may take it again, and waiting for it has an end', async () => {
  const other = openPool(database.url, log);
  const order: string[] = [];
  const release = Promise.withResolvers<void>();
  const holding = withMigrationLock(pool, async () => {
    order.push('first');
    await assert.rejects(
      withMigrationLock(other, async () => order.push('never'), 0),
      /Another process has been changing the tables/,
    );
    await withMigrationLock(pool, async () => order.push('nested'));
    await release.promise;
    order.push('released');
  });
  const waiting = withMigrationLock(other, async () => order.push('second'));
  release.resolve();
  await Promise.all([holding, waiting]);
  await other.end();
  assert.deepEqual(
    order.filter((each) => each !== 'second'),
    ['first', 'nested', 'released'],
  );
  assert.ok(order.at(-1) === 'second' || order[0] === 'second', order.join(' '));
});

test('the lock is free again when what ran under it failed', async () => {
  await assert.rejects(
    withMigrationLock(pool, () => Promise.reject(new Error('on purpose'))),
    /on purpose/,
  );
  assert.equal(await withMigrationLock(pool, async () => 'free', 0), 'free');
});
