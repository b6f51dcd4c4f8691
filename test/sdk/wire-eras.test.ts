// Whatever a client of whatever year puts on the wire, the same events are stored.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, suite, test } from 'node:test';
import { clocklessForms, clockTellingForms } from './server-forms.cases.ts';
import { openWholeProgram, type WholeProgram } from './stored.ts';
import { browserEras, type Era, replayEras, type Told, type WireRequest } from './wire-eras.cases.ts';

const HOUR_MS = 3_600_000;

let program: WholeProgram;
before(async () => {
  program = await openWholeProgram();
});

/** Text that any wrong step of decoding would spoil. */
const PROPERTIES = { amount: 12.5, name: 'Zoë + "Ōta" & co = 100 % 🦔', nested: { list: [1, null, true] }, none: null };

function tell(count: number): Told[] {
  const distinct_id = randomUUID();
  return Array.from({ length: count }, (_, index) => ({
    event: `told ${index}`,
    distinct_id,
    properties: { ...PROPERTIES, index },
    uuid: randomUUID(),
    offset: 3_000 - index * 1_000,
  }));
}

async function send(request: WireRequest): Promise<{ status: number; text: string }> {
  const response = await fetch(program.url + request.path, {
    method: request.method ?? 'POST',
    headers: request.headers ?? {},
    body: request.body ?? null,
  });
  return { status: response.status, text: await response.text() };
}

const OK = { status: 200, text: '{"status":"Ok"}' };

/** Sends by this era's habits, from a clock that is wrong by so much, and looks at what is stored. */
async function sendAndRead(era: Era, clockOffMs: number) {
  const told = tell(era.events === 'one' ? 1 : 3);
  const begun = Date.now();
  const request = era.pack(told, { token: program.token, clock: begun + clockOffMs });
  const answer = await send(request);
  const tookMs = Date.now() - begun;
  assert.deepEqual(answer, request.status === 204 ? { status: 204, text: '' } : OK);
  const stored = await program.eventsOf(told[0]?.distinct_id ?? '');
  assert.deepEqual(
    stored.map(({ event }) => event),
    told.map(({ event }) => event),
  );
  return told.map((one, index) => ({ told: one, stored: stored[index]!, begun, tookMs }));
}

function assertStored({ told, stored, begun, tookMs }: Awaited<ReturnType<typeof sendAndRead>>[number], era: Era) {
  assert.partialDeepStrictEqual(stored.properties, told.properties);
  if (era.uuids) assert.equal(stored.id, told.uuid);
  const happened = Date.parse(stored.timestamp);
  const latenessMs = happened - (begun - told.offset);
  assert.ok(latenessMs >= -1 && latenessMs <= tookMs + 1, `${stored.timestamp} is ${latenessMs} ms late`);
}

// Each has a person of its own, so they need not wait for each other.
suite('events', { concurrency: 8 }, () => {
  for (const era of [...browserEras, ...clockTellingForms]) {
    test(`${era.name}: stored, at its time though the sender's clock is an hour slow`, async () => {
      for (const pair of await sendAndRead(era, -HOUR_MS)) assertStored(pair, era);
    });
  }

  for (const era of clocklessForms) {
    test(`${era.name}: stored, at the time it says`, async () => {
      for (const pair of await sendAndRead(era, 0)) assertStored(pair, era);
    });
  }
});

suite('recordings', () => {
  for (const era of replayEras) {
    test(`${era.name}: taken off the sender's hands, and counted as not stored`, async () => {
      const before = await program.settled();
      const answer = await send(era.pack(tell(3), { token: program.token, clock: Date.now() }));
      const after = await program.settled();
      assert.deepEqual(answer, OK);
      assert.equal(after.stored, before.stored);
      assert.equal((after.dropped.replay_not_supported ?? 0) - (before.dropped.replay_not_supported ?? 0), 3);
    });
  }
});
