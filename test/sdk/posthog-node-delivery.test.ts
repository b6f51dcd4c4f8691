// How the current posthog-node delivers what it has: in bursts, from years ago, and over bad lines.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, mock, test } from 'node:test';
import { PostHog } from 'posthog-node';
import { startFaultyProxy } from './faulty-proxy.ts';
import { names, QUICKLY, useClient } from './node-client.ts';
import { openWholeProgram, type WholeProgram } from './stored.ts';

const DAY_MS = 86_400_000;

let program: WholeProgram;
before(async () => {
  program = await openWholeProgram();
});

test('a burst of 250: all stored, in order, though they go out as several requests', async () => {
  const distinctId = randomUUID();
  const wanted = Array.from({ length: 250 }, (_, index) => `event ${index}`);
  const begun = Date.now() - DAY_MS;
  await useClient(program, (client) => {
    for (const [index, event] of wanted.entries()) {
      client.capture({ distinctId, event, timestamp: new Date(begun + index * 1_000) });
    }
  });
  assert.deepEqual(names(await program.eventsOf(distinctId)), wanted);
});

test('flush: what was captured so far is acknowledged', async () => {
  const distinctId = randomUUID();
  await useClient(program, async (client) => {
    client.capture({ distinctId, event: 'flushed' });
    await client.flush();
    assert.deepEqual(names(await program.eventsOf(distinctId)), ['flushed']);
  });
});

test('historicalMigration: events of years ago are stored at their time', async () => {
  const distinctId = randomUUID();
  const timestamp = new Date(Date.now() - 2_000 * DAY_MS);
  await useClient(program, (client) => client.capture({ distinctId, event: 'long ago', timestamp }), {
    historicalMigration: true,
  });
  const [event] = await program.eventsOf(distinctId);
  assert.ok(Math.abs(Date.parse(event?.timestamp ?? '') - timestamp.getTime()) < 5_000, event?.timestamp);
});

test('disableCompression: plain JSON is stored alike', async () => {
  const distinctId = randomUUID();
  await useClient(program, (client) => client.capture({ distinctId, event: 'unpacked' }), { disableCompression: true });
  assert.deepEqual(names(await program.eventsOf(distinctId)), ['unpacked']);
});

test('a server that is busy for a moment: the client comes back, and each event is stored once', async () => {
  const distinctId = randomUUID();
  await using proxy = await startFaultyProxy(program.url, [{ refuse: 503 }, 'cut off', { refuse: 429 }]);
  await useClient(
    program,
    (client) => {
      client.capture({ distinctId, event: 'one' });
      client.capture({ distinctId, event: 'two' });
    },
    { ...QUICKLY, host: proxy.url },
  );
  assert.deepEqual(proxy.fates, [503, 'cut off', 429, 200]);
  assert.deepEqual(names(await program.eventsOf(distinctId)), ['one', 'two']);
});

test('an answer that is lost: the client sends again, and each event is stored once', async () => {
  const distinctId = randomUUID();
  await using proxy = await startFaultyProxy(program.url, ['lose the answer', 'lose the answer']);
  await useClient(
    program,
    (client) => {
      client.capture({ distinctId, event: 'one' });
      client.capture({ distinctId, event: 'two' });
    },
    { ...QUICKLY, host: proxy.url },
  );
  assert.deepEqual(proxy.fates, ['lose the answer', 'lose the answer', 200]);
  assert.deepEqual(names(await program.eventsOf(distinctId)), ['one', 'two']);
});

test('a proxy that refuses large bodies: the client sends smaller ones, and each event is stored once', async () => {
  const distinctId = randomUUID();
  await using proxy = await startFaultyProxy(program.url, [{ refuse: 413 }]);
  await useClient(
    program,
    (client) => {
      for (const event of ['1', '2', '3', '4']) client.capture({ distinctId, event });
    },
    { ...QUICKLY, host: proxy.url, maxBatchSize: 4, flushAt: 4 },
  );
  assert.deepEqual(names(await program.eventsOf(distinctId)).sort(), ['1', '2', '3', '4']);
});

test('a wrong key: the client is told, and nothing is stored', async () => {
  const distinctId = randomUUID();
  const client = new PostHog('phc_nobody_has_this', { host: program.url, ...QUICKLY });
  const logged = mock.method(console, 'error', () => {});
  const errors: unknown[] = [];
  client.on('error', (error) => void errors.push(error));
  await client.captureImmediate({ distinctId, event: 'lost' }).catch((error: unknown) => void errors.push(error));
  await client.shutdown();
  logged.mock.restore();
  assert.match(String(errors[0]), /401/);
  assert.deepEqual(await program.eventsOf(distinctId), []);
});
