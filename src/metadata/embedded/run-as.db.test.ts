// PostgreSQL as root and as others. Needs root, which can be anybody.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { pino } from 'pino';
import { openTempFolder } from '../../../test/temp-folder.ts';
import { StartError } from '../../platform/start-error.ts';
import { openEmbeddedPostgres } from './open.ts';
import { startTestProgram } from './test-programs.ts';

const run = promisify(execFile);
const log = pino({ level: 'silent' });
/** Does what `unshare` does where user namespaces are forbidden: fails. */
const FORBIDDEN = { unshare: 'false' };
const NOBODY = 65_534;
/** A number without a name, as containers are often given. */
const NAMELESS = 54_321;

const isRoot = process.geteuid?.() === 0;
const rootOnly = !isRoot && 'needs root';
const canRunAs = async (uid: number, ...command: string[]) =>
  isRoot &&
  run(command[0]!, command.slice(1), { uid, gid: uid, cwd: '/' }).then(
    () => true,
    () => false,
  );
const namespaces = await run('unshare', ['--user', 'true']).then(
  () => true,
  () => false,
);

/** Starts, counts its starts in a table, stops. */
async function startAndCount(folder: string, options = {}): Promise<number> {
  const postgres = await openEmbeddedPostgres(folder, log, options);
  const client = new Client(postgres.url);
  try {
    await client.connect();
    await client.query('create table if not exists start_count (n int)');
    await client.query('insert into start_count values (1)');
    return Number((await client.query('select count(*) as n from start_count')).rows[0].n);
  } finally {
    await client.end();
    await postgres.close();
  }
}

const ownerOf = async (path: string) => (await stat(path)).uid;

test('as root, in a folder that only root may enter, it runs in a user namespace', {
  skip: rootOnly || (!namespaces && 'user namespaces are forbidden here'),
}, async () => {
  await using folder = await openTempFolder();
  assert.equal(await startAndCount(folder.path), 1);
  assert.equal(await startAndCount(folder.path), 2);
  assert.equal(await ownerOf(join(folder.path, 'postgres')), 0);
  assert.equal((await stat(folder.path)).mode & 0o777, 0o700);
});

test('as root without user namespaces, it runs as an ordinary user, who is given the files and stays their owner', {
  skip: rootOnly,
}, async () => {
  await using folder = await openTempFolder();
  assert.equal(await startAndCount(folder.path, FORBIDDEN), 1);
  const owner = await ownerOf(join(folder.path, 'postgres'));
  assert.notEqual(owner, 0);
  assert.equal((await stat(folder.path)).mode & 0o007, 0, 'closed to everybody else');
  assert.equal(await startAndCount(folder.path), 2, 'also where namespaces are allowed again');
  assert.equal(await ownerOf(join(folder.path, 'postgres')), owner);
});

test('files that root made in a user namespace move to an ordinary user where namespaces are forbidden', {
  skip: rootOnly || (!namespaces && 'user namespaces are forbidden here'),
}, async () => {
  await using folder = await openTempFolder();
  assert.equal(await startAndCount(folder.path), 1);
  assert.equal(await startAndCount(folder.path, FORBIDDEN), 2);
});

test('as root without user namespaces, the ordinary user is the one whose folder it is in', {
  skip: rootOnly,
}, async () => {
  await using home = await openTempFolder();
  await chown(home.path, NOBODY, NOBODY);
  const data = join(home.path, 'data');
  await mkdir(data, { mode: 0o700 });
  assert.equal(await startAndCount(data, FORBIDDEN), 1);
  assert.equal(await ownerOf(join(data, 'postgres')), NOBODY);
});

test('as root without user namespaces, in a folder nobody else can reach, one line says so', {
  skip: rootOnly,
}, async () => {
  await using home = await openTempFolder();
  const data = join(home.path, 'data');
  await mkdir(data);
  await assert.rejects(startAndCount(data, FORBIDDEN), (error) => {
    assert.ok(error instanceof StartError);
    assert.match(
      error.message,
      /^PostgreSQL refuses to run as root, and no other way works here \(.+\)\. Start Tenrec as .+\.$/,
    );
    return true;
  });
});

test('as an ordinary user, in a folder of its own, it runs as that user', {
  skip: !(await canRunAs(NOBODY, process.execPath, '--version')) && 'needs root, and a Node that others may execute',
}, async () => {
  await using folder = await openTempFolder();
  await chown(folder.path, NOBODY, NOBODY);
  await startTwice(folder.path, NOBODY);
});

test('as a user without a name, it runs in a user namespace', {
  skip:
    !(await canRunAs(NAMELESS, 'unshare', '--user', process.execPath, '--version')) &&
    'needs root, user namespaces for everybody, and a Node that others may execute',
}, async () => {
  await using folder = await openTempFolder();
  await chown(folder.path, NAMELESS, NAMELESS);
  await startTwice(folder.path, NAMELESS);
});

async function startTwice(folder: string, uid: number): Promise<void> {
  for (const expected of [1, 2]) {
    const program = startTestProgram(folder, { uid, gid: uid });
    const said = await program.next();
    assert.equal(said.n, expected, String(said.message));
    await program.end('SIGTERM');
    assert.equal(program.child.exitCode, 0);
  }
  assert.equal(await ownerOf(join(folder, 'postgres')), uid);
}

test('files of another user are refused with the command that gives them to this one', {
  skip: !(await canRunAs(NOBODY, process.execPath, '--version')) && 'needs root, and a Node that others may execute',
}, async () => {
  await using folder = await openTempFolder();
  await chown(folder.path, NOBODY, NOBODY);
  await mkdir(join(folder.path, 'postgres'));
  await chmod(join(folder.path, 'postgres'), 0o700);
  const said = await startTestProgram(folder.path, { uid: NOBODY, gid: NOBODY }).next();
  assert.match(said.message as string, /belongs to user 0, and this program runs as user 65534: .*chown -R 65534/);
});
