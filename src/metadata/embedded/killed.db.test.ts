import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { eventually } from '../../../test/eventually.ts';
import { openTempFolder } from '../../../test/temp-folder.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import { openMetadata } from '../open.ts';
import { isAlive } from './running.ts';
import { startTestProgram } from './test-programs.ts';

const log = pino({ level: 'silent' });
/** One for all tests of this file, which come one after the other: making the files takes longest. */
const folder = await openTempFolder();
after(() => folder[Symbol.asyncDispose]());
/** Connecting takes at most two seconds, and a statement on a lost connection fails at once. */
const FAILS_WITHIN_MS = 3_000;

test('kill -9 of the server: every acknowledged row is there, statements meanwhile fail fast as Unavailable', async () => {
  const { pool, engine, close } = await openMetadata({ DATABASE_URL: '', TENREC_DATA: folder.path }, log);
  try {
    await pool.query('create table written (n int)');
    const acknowledged: number[] = [];
    const failures: { error: unknown; tookMs: number }[] = [];
    let n = 0;
    const write = async () => {
      const value = ++n;
      const startedAt = performance.now();
      await pool.query('insert into written values ($1)', [value]).then(
        () => acknowledged.push(value),
        (error) => failures.push({ error, tookMs: performance.now() - startedAt }),
      );
    };

    while (acknowledged.length < 50) await write();
    process.kill(engine!.pid!, 'SIGKILL');
    await eventually('a statement fails', async () => write().then(() => failures.length > 0));
    const before = acknowledged.length;
    await eventually('rows are written again', async () => write().then(() => acknowledged.length > before));

    const { rows } = await pool.query<{ n: number }>('select n from written');
    const found = new Set(rows.map((row) => row.n));
    assert.deepEqual(
      acknowledged.filter((value) => !found.has(value)),
      [],
    );
    for (const { error, tookMs } of failures) {
      assert.ok(error instanceof Unavailable, `${error}`);
      assert.ok(tookMs < FAILS_WITHIN_MS, `failed after ${tookMs} ms`);
    }
    await eventually('it is up', () => engine!.up);
    assert.ok(engine!.restarts >= 1);
  } finally {
    await close();
  }
});

test('kill -9 of one connection: the server recovers by itself, and the others hear Unavailable', async () => {
  const { pool, engine, close, health } = await openMetadata({ DATABASE_URL: '', TENREC_DATA: folder.path }, log);
  try {
    const sleeping = pool.query('select pg_sleep(20)').catch((error) => error);
    await eventually('the other connection is busy', async () => {
      const { rows } = await pool.query("select from pg_stat_activity where query = 'select pg_sleep(20)'");
      return rows.length === 1;
    });
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    process.kill(rows[0]!.pid, 'SIGKILL');
    const failure = await sleeping;
    assert.ok(failure instanceof Unavailable, String(failure));
    await eventually('it is healthy again', () =>
      health().then(
        () => true,
        () => false,
      ),
    );
    assert.equal(engine!.restarts, 0);
  } finally {
    await close();
  }
});

test('a server that was stopped fails the health check within a second, and the close within ten', async () => {
  const { engine, close, health } = await openMetadata({ DATABASE_URL: '', TENREC_DATA: folder.path }, log);
  const pid = engine!.pid!;
  process.kill(pid, 'SIGSTOP');
  const stoppedAt = performance.now();
  await assert.rejects(health(), Unavailable);
  assert.ok(performance.now() - stoppedAt < 2_000);
  await close();
  assert.ok(performance.now() - stoppedAt < 10_000);
  assert.ok(!isAlive(pid));
});

test('kill -9 of the program while the files are made: the next start makes them anew', async () => {
  await using fresh = await openTempFolder();
  const program = startTestProgram(fresh.path);
  const isMaking = async () => (await readdir(fresh.path)).some((name) => name.startsWith('postgres.unfinished-'));
  await eventually('the files are being made', isMaking);
  await program.end('SIGKILL');
  assert.ok(!(await readdir(fresh.path)).includes('postgres'));

  const next = startTestProgram(fresh.path);
  assert.equal((await next.next()).n, 1);
  await next.end('SIGTERM');
  assert.deepEqual((await readdir(fresh.path)).sort(), ['lock', 'postgres']);
});

test('kill -9 of the program: its server ends by itself, and the next start has the data', async () => {
  const program = startTestProgram(folder.path);
  const { pid, n } = await program.next();
  await program.end('SIGKILL');
  await eventually('the server is gone', () => !isAlive(pid as number), 15_000);

  const next = startTestProgram(folder.path);
  assert.equal((await next.next()).n, (n as number) + 1);
  await next.end('SIGTERM');
});

test('kill -9 of the program and a start at once: the new program waits for the old server', async () => {
  const first = startTestProgram(folder.path);
  const { n } = await first.next();
  await first.end('SIGKILL');
  const second = startTestProgram(folder.path);
  assert.equal((await second.next()).n, (n as number) + 1);
  await second.end('SIGTERM');
});

test('a server left without program and guardian is ended by the next start', {
  skip: process.platform !== 'linux' && 'finds the guardian in /proc',
}, async () => {
  const first = startTestProgram(folder.path);
  const { pid, n } = await first.next();
  process.kill(await findGuardian(pid as number), 'SIGKILL');
  await first.end('SIGKILL');
  assert.ok(isAlive(pid as number));

  const second = startTestProgram(folder.path);
  assert.equal((await second.next()).n, (n as number) + 1);
  assert.ok(!isAlive(pid as number));
  await second.end('SIGTERM');
});

async function findGuardian(serverPid: number): Promise<number> {
  for (const entry of await readdir('/proc')) {
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    if (command.endsWith(`tenrec-guardian\0${serverPid}\0`)) return Number(entry);
  }
  throw new Error(`no guardian of ${serverPid}`);
}

test('Ctrl-C in the terminal reaches the program only, which still has its server to finish with', async () => {
  const program = startTestProgram(folder.path);
  const { pid } = await program.next();
  process.kill(-program.child.pid!, 'SIGINT');
  assert.deepEqual(await program.next(), { interrupted: true, restarts: 0 });
  await program.end('SIGTERM');
  assert.equal(program.child.exitCode, 0);
  assert.ok(!isAlive(pid as number));
});

test('a second program on the folder is told so in one line and leaves the first alone', async () => {
  const first = startTestProgram(folder.path);
  await first.next();
  const { started, message } = await startTestProgram(folder.path).next();
  assert.equal(started, false);
  assert.match(message as string, new RegExp(`^TENREC_DATA: .*process ${first.child.pid}.* is using .*\\.$`));
  process.kill(first.child.pid!, 'SIGINT');
  assert.deepEqual(await first.next(), { interrupted: true, restarts: 0 });
  await first.end('SIGTERM');
});
