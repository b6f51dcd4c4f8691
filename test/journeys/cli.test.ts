// The command line as people use it: the real program, in data folders of its own, running and stopped.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findRunningPostgres } from '../../src/metadata/embedded/running.ts';
import { openTestDatabase, programOn } from '../db.ts';
import { eventually } from '../eventually.ts';
import { type RunningTenrec, runHere, runTenrec, startTenrec } from '../tenrec.ts';

// Where no other user may enter, when it is root's; most other tests are below the temporary folder.
const root = await mkdtemp(join(homedir(), 'tenrec-cli-'));
after(() => rm(root, { recursive: true, force: true }));

const PASSWORD = 'correct horse battery';
const data = (name: string) => ({ TENREC_DATA: join(root, name) });
const shared = data('shared');
/** On the shared folder; some tests end it, and a later one starts it again. */
let running: RunningTenrec;

async function statusOf({ address }: RunningTenrec, key: string): Promise<number> {
  const response = await fetch(`${address}/api/projects/`, { headers: { authorization: `Bearer ${key}` } });
  await response.body?.cancel();
  return response.status;
}

async function signIn({ address }: RunningTenrec, email: string, password: string): Promise<number> {
  const response = await fetch(`${address}/api/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  await response.body?.cancel();
  return response.status;
}

/** Where the program on the shared folder listens, or did. */
const portOf = ({ address }: RunningTenrec) => ({ ...shared, PORT: new URL(address).port });

const countIn = (text: string, part: string) => text.split(part).length - 1;

test('the first start prints each secret once, and they work; the second start prints none', async () => {
  const first = await startTenrec(shared);
  const said = first.stdout();
  const [projectKey = ''] = /phc_\w+/.exec(said) ?? [];
  const [personalKey = ''] = /phx_\w+/.exec(said) ?? [];
  const [, email = ''] = /sign-in +(\S+)/.exec(said) ?? [];
  const [, password = ''] = /password +(\S+)/.exec(said) ?? [];

  assert.equal(await statusOf(first, personalKey), 200);
  assert.equal(await signIn(first, email, password), 200);
  assert.equal(await first.end('SIGTERM'), 0);
  running = await startTenrec(shared);
  assert.equal(await statusOf(running, personalKey), 200);

  for (const secret of [projectKey, personalKey, password]) {
    assert.ok(secret.length > 10, secret);
    assert.equal(countIn(first.stdout() + first.stderr(), secret), 1);
    assert.equal(countIn(running.stdout() + running.stderr(), secret), 0);
  }
  assert.doesNotMatch(running.stdout(), /ph[cx]_|password/);
});

test('beside a running server, users, projects and keys are managed at once', async () => {
  const run = (line: string, input?: string) => runHere([...line.split(' '), '--json'], shared, input);

  const created = await run('user create ada@example.com --first-name Ada --level admin', PASSWORD);
  assert.equal(created.code, 0, created.stderr);
  assert.equal(created.json.password, null);
  assert.equal(await signIn(running, 'ada@example.com', PASSWORD), 200);

  const changed = await run('user password ADA@example.com --generate');
  assert.equal(await signIn(running, 'ada@example.com', PASSWORD), 400);
  assert.equal(await signIn(running, 'ada@example.com', changed.json.password), 200);

  const key = await run('key create --user ada@example.com --scope project:read --label reports');
  assert.match(key.json.value, /^phx_/);
  assert.equal(await statusOf(running, key.json.value), 200);
  assert.equal((await run('user deactivate ada@example.com')).code, 0);
  assert.equal(await statusOf(running, key.json.value), 401);
  assert.equal(await signIn(running, 'ada@example.com', changed.json.password), 400);
  assert.equal((await run('user activate ada@example.com')).code, 0);
  assert.equal(await statusOf(running, key.json.value), 200);
  assert.equal((await run(`key revoke ${key.json.id}`)).code, 0);
  assert.equal(await statusOf(running, key.json.value), 401);

  const project = await run('project create Shop --timezone Europe/Vienna');
  const rotated = await run(`project rotate-key ${project.json.id}`);
  assert.notEqual(rotated.json.api_token, project.json.api_token);
  const listed = await run('project list');
  assert.deepEqual(
    listed.json.map(({ name, api_token }: Record<string, string>) => [name, name === 'Shop' && api_token]),
    [
      ['Default project', false],
      ['Shop', rotated.json.api_token],
    ],
  );
});

test('with DATABASE_URL a command asks that server, and no data folder is made', async () => {
  const DATABASE_URL = (await findRunningPostgres(shared.TENREC_DATA))!;
  const env = { ...data('untouched'), DATABASE_URL, TENREC_SECRET_KEY: 'x'.repeat(32) };

  const { code, json } = await runTenrec(['user', 'list', '--json'], env);

  assert.equal(code, 0);
  assert.ok(json.some(({ email }: { email: string }) => email === 'owner@localhost'));
  assert.ok(!existsSync(env.TENREC_DATA));
});

test('a second program on the data folder is refused in one line', async () => {
  const { code, stderr, stdout } = await runTenrec(['start'], { ...shared, PORT: '0' });

  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, new RegExp(`^[^\\n]*process ${running.pid}\\) is using[^\\n]*\\n$`));
});

test('one Ctrl-C that arrives twice still stops gracefully', async () => {
  process.kill(running.pid, 'SIGINT');
  await eventually('it is stopping', () => running.stderr().includes('"msg":"stopping"'));
  assert.equal(await running.end('SIGINT'), 0);
  assert.match(running.stderr(), /"msg":"stopped"/);
});

test('without a running server the same commands work, and the next start knows what they did', async () => {
  const created = await runTenrec(['user', 'create', 'grace@example.com'], shared, `${PASSWORD}\n`);
  assert.equal(created.code, 0, created.stderr);
  const key = await runHere(['key', 'create', '--user=grace@example.com', '--scope=*', '--json'], shared);
  const users = await runHere(['user', 'list'], shared);
  const keys = await runHere(['key', 'list', '--user', 'grace@example.com'], shared);

  assert.match(users.stdout, /ada@example\.com[^\n]*\n[^\n]*grace@example\.com/);
  assert.ok(keys.stdout.includes(key.json.mask_value) && !keys.stdout.includes(key.json.value));
  running = await startTenrec(shared);
  assert.equal(await statusOf(running, key.json.value), 200);
  assert.equal(await signIn(running, 'grace@example.com', PASSWORD), 200);
});

test('doctor finds a running program well', async () => {
  const { code, json, stdout } = await runTenrec(['doctor', '--json'], portOf(running));

  assert.deepEqual([code, json.ok], [0, true], stdout);
  const found = (name: string) => json.checks.find((check: { name: string }) => check.name === name).found;
  assert.match(found('port'), /Tenrec answers/);
  assert.match(found('ClickHouse'), /in the running Tenrec/);
});

test('a request that never ends does not keep the program from stopping with 0 within 10 s', async () => {
  const socket = connect(Number(new URL(running.address).port), '127.0.0.1');
  socket.on('error', () => {});
  // The server's word to go on shows that it has begun with the request, whose body never comes.
  const head = ['POST /api/login/ HTTP/1.1', 'host: a', 'content-type: application/json', 'content-length: 9'];
  socket.write(`${[...head, 'expect: 100-continue'].join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');

  const startedAt = performance.now();
  assert.equal(await running.end('SIGTERM'), 0, running.stderr());
  assert.ok(performance.now() - startedAt < 10_000);
  socket.destroy();
});

test('doctor finds a stopped program well', async () => {
  const { code, json, stdout } = await runTenrec(['doctor', '--json'], portOf(running));

  assert.deepEqual([code, json.ok], [0, true], stdout);
});

test('secrets given by the environment are used and not printed', async () => {
  const key = 'phx_given-by-the-environment';
  await using database = await openTestDatabase();
  await using tenrec = await startTenrec({
    ...data('given'),
    ...programOn(database),
    TENREC_BOOTSTRAP_EMAIL: 'ada@example.com',
    TENREC_BOOTSTRAP_PASSWORD: PASSWORD,
    TENREC_BOOTSTRAP_PERSONAL_API_KEY: key,
  });

  assert.equal(await statusOf(tenrec, key), 200);
  assert.equal(await signIn(tenrec, 'ada@example.com', PASSWORD), 200);
  assert.equal(countIn(tenrec.stdout() + tenrec.stderr(), key), 0);
  assert.equal(countIn(tenrec.stdout() + tenrec.stderr(), PASSWORD), 0);
});

test('migrate makes the tables before the first start, which then still is the first', async () => {
  const env = data('migrated');

  const applied = await runTenrec(['migrate', '--json'], env);
  const status = await runHere(['migrate', '--status', '--json'], env);
  await using tenrec = await startTenrec(env, ['--json']);
  const beside = await runHere(['migrate', '--status', '--json'], env);

  assert.ok(applied.json.applied.postgresql.length > 0 && applied.json.applied.clickhouse.length > 0);
  assert.deepEqual([status.code, status.json.pending], [0, false]);
  assert.match(JSON.parse(tenrec.stdout()).first_start.project_token, /^phc_/);
  assert.deepEqual([beside.code, beside.json.pending, beside.json.clickhouse], [0, false, null]);
});

test('stdout holds nothing but JSON, however much is logged', async () => {
  const loud = { ...shared, TENREC_LOG_LEVEL: 'trace' };

  const { code, stdout, stderr } = await runTenrec(['user', 'list', '--json'], loud);

  assert.equal(code, 0);
  assert.equal(stdout.trim().split('\n').length, 1);
  assert.ok(Array.isArray(JSON.parse(stdout)));
  for (const line of stderr.trim().split('\n')) JSON.parse(line);
});

test('doctor finds a machine well before the first start, and leaves nothing behind', async () => {
  const env = { ...data('new'), PORT: '0' };

  const { code, json } = await runTenrec(['doctor', '--json'], env);

  assert.equal(code, 0, JSON.stringify(json));
  assert.ok(json.ok);
  assert.ok(!existsSync(env.TENREC_DATA));
});

test('doctor names what is broken and how to mend it', async () => {
  await writeFile(join(root, 'file'), '');
  using taken = await listenSomewhere();
  const env = {
    TENREC_DATA: join(root, 'file'),
    PORT: String(taken.port),
    CLICKHOUSE_URL: `http://127.0.0.1:${taken.port}`,
  };

  const broken = await runTenrec(['doctor', '--json'], env);
  const unconfigured = await runTenrec(['doctor'], { PORT: 'many', HOST: '' });

  const problems = broken.json.checks.filter(({ state }: { state: string }) => state === 'problem');
  assert.equal(broken.code, 1);
  assert.deepEqual(
    problems.map(({ name }: { name: string }) => name),
    ['data folder', 'port', 'ClickHouse'],
  );
  for (const { mend } of problems) assert.ok(mend.length > 10, mend);
  assert.equal(unconfigured.code, 1);
  assert.match(unconfigured.stdout, /problem +configuration +PORT: "many" is not/);
});

test('wrong usage, wrong configuration and missing data each have their exit code', async () => {
  const ran = await Promise.all([
    runTenrec(['strat'], shared),
    runTenrec(['user', 'list'], { PORT: 'x', TENREC_LOG_LEVEL: 'loud' }),
    runTenrec(['user', 'list'], data('nowhere')),
  ]);

  assert.deepEqual(
    ran.map(({ code, stdout }) => [code, stdout]),
    [
      [2, ''],
      [2, ''],
      [3, ''],
    ],
  );
  assert.match(ran[1].stderr, /^PORT: [^\n]*\nTENREC_LOG_LEVEL: [^\n]*\n$/);
});

test('with --json a failure is one JSON value on stderr', async () => {
  const { code, stdout, stderr } = await runHere(['user', 'list', '--json'], data('nowhere'));

  assert.deepEqual([code, stdout, JSON.parse(stderr).exit_code], [3, '', 3]);
});

test('a start that cannot listen says so in one line, and makes nothing', async () => {
  using taken = await listenSomewhere();
  const env = { ...data('unlistened'), PORT: String(taken.port) };

  const { code, stderr } = await runTenrec(['start'], env);

  assert.deepEqual(
    [code, stderr],
    [1, `PORT: ${taken.port} is taken by another program. Stop it, or set PORT to another number.\n`],
  );
  assert.ok(!existsSync(env.TENREC_DATA));
});

test('a server at DATABASE_URL that does not answer ends with 4', async () => {
  const env = {
    ...data('unserved'),
    DATABASE_URL: `postgres://a:secret@127.0.0.1:1/a`,
    TENREC_SECRET_KEY: 'x'.repeat(32),
  };

  const { code, stderr } = await runTenrec(['user', 'list'], env);

  assert.equal(code, 4, stderr);
  assert.match(stderr, /^DATABASE_URL: [^\n]*ECONNREFUSED[^\n]*\n$/);
  assert.doesNotMatch(stderr, /secret/);
});

test('nothing is written beside the data folders', async () => {
  const expected = new Set(['shared', 'given', 'migrated', 'file']);

  assert.deepEqual(new Set(await readdir(root)), expected);
});

async function listenSomewhere() {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => server.close() };
}
