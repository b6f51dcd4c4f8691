import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isLong } from '../../../test/random.ts';
import { makeEvent, openTestTables, SOME_DAY, type TestTables } from '../../../test/tables.ts';
import { BATCH_BYTES_MAX, insertEvents, insertRows } from './insert.ts';
import type { EventRow } from './rows.ts';

const { CLICKHOUSE_URL } = process.env;
const embeddedOnly = { skip: CLICKHOUSE_URL ? 'the server is not ours to stop' : false };

let tables: TestTables;
before(async () => {
  tables = await openTestTables(CLICKHOUSE_URL ?? '');
});
after(() => tables[Symbol.asyncDispose]());

const MONTH_MICROS = 31 * 86_400_000_000;
/** In a session, so that the batch also feeds another table. */
const inSession = { properties: '{"$session_id":"01890a5d-ac96-774b-bcce-b302099a8057"}' };

/** A batch whose events happened in many different months. */
function makeBatch(team_id: number, rows: number): EventRow[] {
  return Array.from({ length: rows }, (_, n) =>
    makeEvent(n, { team_id, ...inSession, timestamp: SOME_DAY - (n % 200) * MONTH_MICROS }),
  );
}

async function countOf(team_id: number): Promise<{ events: number; inSessions: number; parts: number }> {
  const count = async (query: string) => Number((await tables.ask<{ n: string }>(query))[0]?.n);
  return {
    events: await count(`SELECT count() AS n FROM events WHERE team_id = ${team_id}`),
    inSessions: await count(`SELECT sum(event_count) AS n FROM raw_sessions WHERE team_id = ${team_id}`),
    parts: await count(`SELECT uniqExact(_part) AS n FROM events WHERE team_id = ${team_id}`),
  };
}

test('a batch is one part, however many months its events come from', async () => {
  await insertEvents(tables.client, makeBatch(1, 1_000), 'one part');
  assert.deepEqual(await countOf(1), { events: 1_000, inSessions: 1_000, parts: 1 });
});

test('a batch that is sent again changes nothing', async () => {
  await insertEvents(tables.client, makeBatch(2, 1_000), 'again');
  await insertEvents(tables.client, makeBatch(2, 1_000), 'again');
  assert.deepEqual(await countOf(2), { events: 1_000, inSessions: 1_000, parts: 1 });
});

test('batches of the same content are two when their tokens are', async () => {
  await insertEvents(tables.client, makeBatch(3, 10), 'first of two');
  await insertEvents(tables.client, makeBatch(3, 10), 'second of two');
  const { events, inSessions } = await countOf(3);
  assert.deepEqual({ events, inSessions }, { events: 20, inSessions: 20 });
});

test('a batch that is sent again reaches the sessions, if they had missed it', async () => {
  await tables.client.command({ query: 'DETACH TABLE raw_sessions_feed' });
  await insertEvents(tables.client, makeBatch(4, 100), 'missed');
  await tables.client.command({ query: 'ATTACH TABLE raw_sessions_feed' });
  assert.equal((await countOf(4)).inSessions, 0);

  await insertEvents(tables.client, makeBatch(4, 100), 'missed');
  await insertEvents(tables.client, makeBatch(4, 100), 'missed');
  assert.deepEqual(await countOf(4), { events: 100, inSessions: 100, parts: 1 });
});

test('a batch of the largest size becomes one part, in the memory of one query', async () => {
  const oneText = JSON.stringify({ text: 'x'.repeat(999_000) });
  const manyNames = JSON.stringify(Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [`n${n}`, n % 10])));
  const rows = function* () {
    for (let bytes = 0, n = 0; bytes < BATCH_BYTES_MAX - 1_000_000; n += 1) {
      const properties = n % 2 === 0 ? oneText : manyNames;
      bytes += properties.length;
      yield makeEvent(n, { team_id: 5, properties });
    }
  };
  await insertEvents(tables.client, rows(), 'large');
  // Again, when there is time: it costs as much as the first.
  if (isLong) await insertEvents(tables.client, rows(), 'large');
  const { events, parts } = await countOf(5);
  assert.deepEqual({ events, parts }, { events: [...rows()].length, parts: 1 });
});

test('a batch that breaks off on its way leaves nothing behind', async () => {
  const rows = function* () {
    yield* makeBatch(6, 5_000);
    throw new Error('no more rows');
  };
  await assert.rejects(insertEvents(tables.client, rows(), 'broken off'));
  assert.equal((await countOf(6)).events, 0);

  await insertEvents(tables.client, makeBatch(6, 5_000), 'broken off');
  assert.equal((await countOf(6)).events, 5_000);
});

test('a batch without rows changes nothing', async () => {
  const before = await tables.ask('SELECT count() AS n FROM events');
  await insertEvents(tables.client, [], 'no rows');
  assert.deepEqual(await tables.ask('SELECT count() AS n FROM events'), before);
});

test('rows of other tables are stored once as well', async () => {
  const warning = { team_id: 7, source: 'pipeline', type: 'odd', details: '{}', timestamp: Date.now() * 1_000 };
  await insertRows(tables.client, 'ingestion_warnings', [warning], 'warned');
  await insertRows(tables.client, 'ingestion_warnings', [warning], 'warned');
  await insertRows(tables.client, 'ingestion_warnings', [], 'nobody warned');
  assert.equal((await tables.ask('SELECT 1 FROM ingestion_warnings WHERE team_id = 7')).length, 1);
});

test('a batch is known by its token after the store was closed and opened', embeddedOnly, async () => {
  await insertEvents(tables.client, makeBatch(8, 100), 'before closing');
  await tables.reopen();
  await insertEvents(tables.client, makeBatch(8, 100), 'before closing');
  assert.deepEqual(await countOf(8), { events: 100, inSessions: 100, parts: 1 });
});

test('batches are stored once each, whenever the engine is killed', embeddedOnly, async () => {
  const batches = isLong ? 40 : 2;
  const rows = 2_000;
  for (let batch = 0; batch < batches; batch += 1) {
    // The kill falls into another moment of every batch: before, during and after the insert.
    const kill = delay((25 + batch * 25) % 110).then(() => process.kill(tables.store.engine!.pid!, 'SIGKILL'));
    await insertUntilStored(makeBatch(9, rows), `killed ${batch}`);
    await kill;
  }
  await insertUntilStored([makeEvent(0, { team_id: 9, ...inSession })], 'after the last kill');
  const { events, inSessions } = await countOf(9);
  assert.deepEqual({ events, inSessions }, { events: batches * rows + 1, inSessions: batches * rows + 1 });
});

/** As the pipeline does: the same batch with the same token, until there is an answer. */
async function insertUntilStored(batch: readonly EventRow[], token: string): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    try {
      await insertEvents(tables.client, batch, token);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(50);
    }
  }
}
