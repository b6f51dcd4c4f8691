// What holds of the embedded form alone: it is our own child process, on our own folder.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ClickHouseClient } from '@clickhouse/client';
import { pino } from 'pino';
import { listPriorities } from '../../../test/priorities.ts';
import { isLong } from '../../../test/random.ts';
import { configWith } from '../../config.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import { askOne, eventually } from '../conformance/asking.ts';
import { type EventStore, openStore, type StoreConfig } from '../open.ts';

const quiet = pino({ level: 'silent' });

interface Home extends AsyncDisposable {
  folder: string;
  open(limits?: Partial<StoreConfig>): Promise<EventStore>;
}

/** A data folder; stores opened on it are closed with it. */
async function makeHome(): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'tenrec-embedded-'));
  const opened: EventStore[] = [];
  return {
    folder,
    async open(limits = {}) {
      const store = await openStore(configWith({ TENREC_DATA: folder, ...limits }), quiet);
      opened.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((store) => store.close()));
      await rm(folder, { recursive: true });
    },
  };
}

const createTable = (client: ClickHouseClient) =>
  client.command({
    query:
      'CREATE TABLE t (n UInt32) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 1000',
  });

const insert = (client: ClickHouseClient, n: number, token = `token ${n}`) =>
  client.insert({
    table: 't',
    values: [{ n }],
    format: 'JSONEachRow',
    clickhouse_settings: { insert_deduplication_token: token },
  });

const countRows = (client: ClickHouseClient) => askOne(client, 'SELECT toUInt32(count()) FROM t');

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** What most promises are tried on; others have a home of their own. */
let home: Home;
let store: EventStore;
before(async () => {
  home = await makeHome();
  store = await home.open();
});
after(() => home[Symbol.asyncDispose]());

const isLinux = process.platform === 'linux';

test('the engine gives way to the program when the processors are busy', {
  skip: !isLinux && 'needs /proc',
}, async () => {
  assert.equal(await askOne(store.client, 'SELECT 1'), 1);
  const threads = await listPriorities(store.engine!.pid!);
  const giving = threads.filter((priority) => priority > getPriority());
  // Those of V8 were there before.
  assert.ok(giving.length > threads.length / 2, `${giving.length} of ${threads.length} threads`);
});

test('rows and tokens are there after closing and opening again', async () => {
  await using home = await makeHome();
  const first = await home.open();
  await createTable(first.client);
  await insert(first.client, 1);
  await first.close();

  const second = await home.open();
  assert.equal(await countRows(second.client), 1);
  await insert(second.client, 1);
  assert.equal(await countRows(second.client), 1);
});

test('after kill -9 the same client finds every acknowledged row, and meanwhile a clear failure', async () => {
  await using home = await makeHome();
  const store = await home.open();
  const { client } = store;
  await createTable(client);

  const acknowledged = new Set<number>();
  const failures: unknown[] = [];
  let next = 0;
  for (let round = 1; round <= (isLong ? 3 : 1); round += 1) {
    const before = acknowledged.size;
    const write = async () => {
      while (acknowledged.size < before + 60) {
        const n = next;
        next += 1;
        try {
          await insert(client, n);
          acknowledged.add(n);
        } catch (error) {
          failures.push(error);
          await eventually(async () => store.engine!.up, 'the engine is up');
        }
      }
    };
    const writers = [write(), write(), write()];
    await eventually(async () => acknowledged.size > before + 10, 'some rows are acknowledged');
    process.kill(store.engine!.pid!, 'SIGKILL');
    await Promise.all(writers);
    assert.equal(store.engine?.restarts, round);
  }
  await eventually(async () => store.engine!.up, 'the engine is up');

  const lost: number[] = [];
  const result = await client.query({ query: 'SELECT n FROM t', format: 'JSONCompactEachRow' });
  const stored = new Set((await result.json<[number]>()).map(([n]) => n));
  for (const n of acknowledged) if (!stored.has(n)) lost.push(n);
  assert.deepEqual(lost, []);
  assert.ok(failures.length > 0);
  for (const failure of failures) assert.ok(failure instanceof Unavailable, String(failure));
});

/** Long enough for a machine with other things to do, and far from the time that a query may take. */
const QUICK_MS_MAX = isLong ? 2_000 : 10_000;

test('while the engine is down, asking fails quickly and health says so', async () => {
  await store.health();
  const startedAt = performance.now();
  process.kill(store.engine!.pid!, 'SIGKILL');
  await assert.rejects(async () => {
    for (;;) await askOne(store.client, 'SELECT 1');
  }, Unavailable);
  await assert.rejects(store.health(), Unavailable);
  assert.ok(performance.now() - startedAt < QUICK_MS_MAX);
  await eventually(async () => store.engine!.restarts === 1 && store.engine!.up, 'the engine is back');
  await store.health();
});

test('a second program on the same folder is told so, and the first goes on', async () => {
  await assert.rejects(home.open(), /is in use by another program \(process \d+\)/);
  assert.equal(await askOne(store.client, 'SELECT 1'), 1);
});

test('signals meant for the whole program do not end the engine', async () => {
  const { pid } = store.engine!;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.kill(pid!, signal);
    assert.equal(await askOne(store.client, 'SELECT 1'), 1);
  }
  assert.equal(store.engine?.pid, pid);
});

test('the engine ends with its program, and the folder is free for the next', async () => {
  await using home = await makeHome();
  const program = startProgram(home.folder);
  const [line] = (await once(program.stdout!, 'data')) as [Buffer];
  const engine = Number(line.toString());
  assert.ok(isAlive(engine));
  process.kill(program.pid!, 'SIGKILL');
  // The engine locks its folder, so that the next can only open when the last has ended.
  const store = await home.open();
  assert.equal(await askOne(store.client, 'SELECT 1'), 1);
});

/** Another process that opens the store and prints the engine's process id. */
function startProgram(folder: string): ChildProcess {
  const open = fileURLToPath(new URL('../open.ts', import.meta.url));
  const config = fileURLToPath(new URL('../../config.ts', import.meta.url));
  const script = `
    const { openStore } = await import(${JSON.stringify(open)});
    const { configWith } = await import(${JSON.stringify(config)});
    const { pino } = await import('pino');
    const store = await openStore(configWith({ TENREC_DATA: ${JSON.stringify(folder)} }), pino({ level: 'silent' }));
    console.log(store.engine.pid);`;
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  return spawn(process.execPath, ['--input-type=module', '-e', script], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
}

test('who does not know the password is refused', async () => {
  const stranger = store.connect({ password: 'guessed' });
  await assert.rejects(askOne(stranger, 'SELECT 1'), { code: '516', type: 'AUTHENTICATION_FAILED' });
  await stranger.close();
});

test('a query has the configured memory and time, and may ask for less memory and more time', async () => {
  await using home = await makeHome();
  const { client } = await home.open({ TENREC_QUERY_MEMORY_MB: 64, TENREC_QUERY_SECONDS: 1 });
  const large = 'SELECT length(groupArray(number)) FROM numbers(30000000)';
  const asked = client.query({ query: large, clickhouse_settings: { max_memory_usage: '10000000000' } });
  await assert.rejects(asked, /Query memory limit exceeded: .* maximum: 64\.00 MiB/);

  const endless = 'SELECT sum(sipHash64(number)) FROM numbers(1000000000000) SETTINGS max_threads = 1';
  await assert.rejects(askOne(client, endless), { type: 'TIMEOUT_EXCEEDED' });
  await client.query({ query: 'SELECT sleep(1.5)', clickhouse_settings: { max_execution_time: 10 } });
});

test('data on its way in leaves no file behind', async () => {
  await createTable(store.client);
  await insert(store.client, 1);
  await assert.rejects(store.client.insert({ table: 't', values: [{ n: 'x' }], format: 'JSONEachRow' }));
  const spool = join(home.folder, 'clickhouse', 'run', 'spool');
  await eventually(async () => (await readdir(spool)).length === 0, 'the spool is empty');
});
