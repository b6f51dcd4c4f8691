// `kill -9` of the program and of each engine, in turn, under writes: it comes back, and every acknowledged write is there.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { KEY, processTree, waitFor } from '../program.ts';
import { isLong, seededRandom, seedOfRun } from '../random.ts';

const ROUNDS = 50;
/** In short, `nothing-lost` kills each of the three once. */
const skip = isLong ? false : 'takes minutes: npm run test:long crash';
const RECOVERY_MS_MAX = 60_000;
const random = seededRandom(seedOfRun);
const data = await mkdtemp(join(tmpdir(), 'tenrec-crash-'));

let program: ChildProcess | undefined;
let url = '';
after(async () => {
  program?.removeAllListeners('exit');
  program?.disconnect();
  await waitFor(() => (program?.exitCode !== null || program?.signalCode !== null ? true : undefined), 15_000);
  await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
});

async function start(): Promise<void> {
  const child = fork(join(import.meta.dirname, '..', 'crash-program.ts'), {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      TENREC_DATA: data,
      TENREC_BOOTSTRAP_PERSONAL_API_KEY: KEY,
    },
    silent: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  program = child;
  url = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: { address?: string }) => message.address && resolve(message.address));
    child.once('exit', () => reject(new Error(`the program did not start:\n${output}`)));
  });
  child.on('message', ({ n, answer }: { n?: number; answer?: string }) => {
    if (n !== undefined && answer === 'stored') stored.add(n);
    if (n !== undefined) answered.add(n);
  });
}

/** What was acknowledged: names of projects in PostgreSQL, numbers of rows in ClickHouse. */
const named = new Set<string>();
const stored = new Set<number>();
const answered = new Set<number>();
let writing = true;

async function writeProjects(): Promise<void> {
  for (let n = 0; writing; n += 1) {
    const name = `project ${n}`;
    const response = await fetch(`${url}/api/projects/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
      signal: AbortSignal.timeout(10_000),
    }).catch((error: Error) => error);
    if (response instanceof Error) {
      assert.notEqual(response.name, 'TimeoutError', 'a request hangs');
      await delay(10);
    } else if (response.status === 201) named.add(name);
    else assert.equal(response.status, 503, await response.text());
  }
}

async function writeRows(): Promise<void> {
  for (let n = 0; writing; n += 1) {
    const asked = program;
    // As a client would: the same row again, with the same token, until there is an answer.
    if (!asked?.connected) {
      await delay(10);
      n -= 1;
      continue;
    }
    asked.send({ insert: n });
    await waitFor(() => (answered.has(n) || program !== asked || !asked.connected ? true : undefined), 30_000);
    if (!stored.has(n)) {
      answered.delete(n);
      n -= 1;
      await delay(10);
    }
  }
}

const isReady = async () =>
  (await fetch(`${url}/_readiness`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined))?.status === 200 ||
  undefined;

const engines = { PostgreSQL: 'bin/postgres -D', ClickHouse: 'store/embedded/child.ts' };

function findEngine(mark: string): number | undefined {
  return processTree(program?.pid ?? 0).find(({ command }) => command.includes(mark))?.pid;
}

async function listRows(): Promise<number[]> {
  return new Promise((resolve) => {
    const take = (message: { rows?: number[] }) => {
      if (!message.rows) return;
      program?.off('message', take);
      resolve(message.rows);
    };
    program?.on('message', take);
    program?.send({ list: true });
  });
}

async function checkEverything(): Promise<void> {
  const acknowledged = { named: [...named], stored: [...stored] };
  const response = await fetch(`${url}/api/projects/?limit=1000000`, { headers: { authorization: `Bearer ${KEY}` } });
  const { results } = (await response.json()) as { results: { name: string }[] };
  const names = new Set(results.map(({ name }) => name));
  assert.deepEqual(
    acknowledged.named.filter((name) => !names.has(name)),
    [],
    'projects that were acknowledged are lost',
  );
  const rows = await listRows();
  assert.equal(new Set(rows).size, rows.length, 'a row is stored twice');
  assert.deepEqual(
    acknowledged.stored.filter((n) => !rows.includes(n)),
    [],
    'rows that were acknowledged are lost',
  );
}

test(`${ROUNDS} rounds of kill -9 lose nothing that was acknowledged (seed ${seedOfRun})`, { skip }, async () => {
  await start();
  const writers = Promise.all([writeProjects(), writeRows()]);
  try {
    await Promise.race([killInTurn(), writers]);
  } finally {
    writing = false;
    await writers;
  }
  await checkEverything();
  assert.ok(named.size > ROUNDS * 3 && stored.size > ROUNDS * 3, `only ${named.size} and ${stored.size} writes`);
});

async function killInTurn(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, mark] of Object.entries(engines)) {
      await delay(random.int(200));
      const pid = findEngine(mark);
      assert.ok(pid, `${name} is not running`);
      process.kill(pid, 'SIGKILL');
      await waitFor(
        () => (findEngine(mark) ?? pid) !== pid || undefined,
        RECOVERY_MS_MAX,
        () => `${name} was not restarted`,
      );
      await waitFor(isReady, RECOVERY_MS_MAX, () => `not ready after ${name} was killed`);
    }
    await delay(random.int(200));
    program?.kill('SIGKILL');
    await start();
    await waitFor(isReady, RECOVERY_MS_MAX, () => 'not ready after the program was killed');
    await checkEverything();
  }
}
