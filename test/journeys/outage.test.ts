// An engine that is gone: requests are told to come back, quickly, and everything recovers by itself.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { KEY, type Program, processTree, startProgram, stopProgram, waitFor } from '../program.ts';

const ANSWER_MS_MAX = 3_000;
const folder = await mkdtemp(join(tmpdir(), 'tenrec-outage-'));
let program: Program;
before(async () => {
  program = await startProgram({ data: join(folder, 'data') });
});
after(async () => {
  await stopProgram(program);
  await rm(folder, { recursive: true, force: true });
});

const get = async (path: string) => {
  const begun = performance.now();
  const response = await fetch(program.url + path, { headers: { authorization: `Bearer ${KEY}` } });
  const text = await response.text();
  return {
    status: response.status,
    text,
    retryAfter: response.headers.get('retry-after'),
    ms: performance.now() - begun,
  };
};
const findProcess = (mark: string) =>
  processTree(program.child.pid ?? 0).find(({ command }) => command.includes(mark))?.pid ?? 0;

test('a PostgreSQL that hangs gives 503 within seconds, not a hang, and is used again when it answers', async () => {
  const server = processTree(findProcess('bin/postgres -D'));
  for (const { pid } of server) process.kill(pid, 'SIGSTOP');
  try {
    const readiness = await get('/_readiness');
    assert.deepEqual([readiness.status, readiness.retryAfter], [503, '1'], readiness.text);
    assert.ok(readiness.ms < ANSWER_MS_MAX, `${readiness.ms} ms`);
    assert.equal((await get('/_liveness')).status, 200);
  } finally {
    for (const { pid } of server) process.kill(pid, 'SIGCONT');
  }
  await waitFor(async () => (await get('/_readiness')).status === 200 || undefined, 20_000);
  assert.equal((await get('/api/projects/')).status, 200);
});

test('a PostgreSQL that is killed gives 503 with Retry-After, quickly, until it is back', async () => {
  process.kill(findProcess('bin/postgres -D'), 'SIGKILL');
  let refused = 0;
  await waitFor(async () => {
    const answer = await get('/api/projects/');
    assert.ok(answer.ms < ANSWER_MS_MAX, `${answer.ms} ms`);
    if (answer.status === 200) return true;
    refused += 1;
    assert.deepEqual([answer.status, answer.retryAfter], [503, '1'], answer.text);
    assert.equal(JSON.parse(answer.text).code, 'service_unavailable');
    return undefined;
  }, 20_000);
  assert.ok(refused > 0);
  assert.match(program.output(), /PostgreSQL was killed by SIGKILL; restarting it/);
  assert.match((await get('/metrics')).text, /tenrec_engine_restarts\{service="PostgreSQL"\} 1/);
});

test('a ClickHouse that is killed makes the program not ready, and the rest goes on', async () => {
  process.kill(findProcess('store/embedded/child.ts'), 'SIGKILL');
  await waitFor(async () => (await get('/_readiness')).status === 503 || undefined, 5_000);
  assert.equal((await get('/api/projects/')).status, 200);
  await waitFor(async () => (await get('/_readiness')).status === 200 || undefined, 20_000);
});

test('the numbers for Prometheus tell requests by route, engines, the event loop and memory', async () => {
  const { text } = await get('/metrics');
  assert.match(
    text,
    /tenrec_http_request_duration_seconds_count\{method="GET",route="\/api\/projects\/",status="200"\}/,
  );
  assert.match(text, /tenrec_service_up\{service="PostgreSQL"\} 1/);
  assert.match(text, /nodejs_eventloop_lag_p99_seconds/);
  assert.match(text, /process_resident_memory_bytes/);
});

test('a second program on the same data folder says so in one line and ends', async () => {
  const failure = await startProgram({ data: join(folder, 'data') }).catch((error: Error) => error);
  assert.ok(failure instanceof Error);
  assert.match(failure.message, /Another Tenrec \(process \d+\) is using/);
  assert.equal((await get('/api/projects/')).status, 200);
});
