import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeEvent, openTestTables, type TestTables } from '../../test/tables.ts';
import { insertEvents } from '../store/tables/insert.ts';
import { type BatchRows, noRows } from './batch-rows.ts';
import { storeBatch, storeBatchAgain } from './store-batch.ts';

let tables: TestTables;
before(async () => {
  tables = await openTestTables();
});
after(() => tables[Symbol.asyncDispose]());

/** Near the present: warnings have a limited life. */
const NOW = Date.now() * 1_000;

function makeBatch(id: number, rows = 100): { record: { id: number; inserted_at: number }; rows: BatchRows } {
  const inserted_at = NOW + id;
  const events = Array.from({ length: rows }, (_, n) => makeEvent(n, { team_id: id, batch_id: id, inserted_at }));
  const others = noRows();
  others.ingestion_warnings.push({
    team_id: id,
    source: 'pipeline',
    type: 'odd',
    details: '{}',
    timestamp: inserted_at,
  });
  return { record: { id, inserted_at }, rows: { events, others } };
}

async function countOf(team_id: number): Promise<{ events: number; different: number; warnings: number }> {
  const [found] = await tables.ask<Record<string, string>>(
    `SELECT count() AS events, uniqExact(log_position) AS different,
            (SELECT count() FROM ingestion_warnings WHERE team_id = {team_id:Int64}) AS warnings
       FROM events WHERE team_id = {team_id:Int64}`,
    { team_id },
  );
  return {
    events: Number(found!.events),
    different: Number(found!.different),
    warnings: Number(found!.warnings),
  };
}
const ONCE = { events: 100, different: 100, warnings: 1 };

test('a batch that was stored and is stored again is there once, with its warnings', async () => {
  const { record, rows } = makeBatch(1);
  await storeBatch(tables.client, record, rows);
  await storeBatchAgain(tables.client, record, rows);
  assert.deepEqual(await countOf(1), ONCE);
});

test('a batch that was never stored is stored by the second try', async () => {
  const { record, rows } = makeBatch(2);
  await storeBatchAgain(tables.client, record, rows);
  assert.deepEqual(await countOf(2), ONCE);
});

test('rows that are there under a token that nobody remembers are not stored twice', async () => {
  const { record, rows } = makeBatch(3);
  await insertEvents(tables.client, rows.events.slice(0, 40), 'forgotten');
  await storeBatchAgain(tables.client, record, rows);
  assert.deepEqual(await countOf(3), ONCE);
});

test('rows that are not there are stored, even if the engine remembers their token', async () => {
  const { record, rows } = makeBatch(4);
  await storeBatch(tables.client, record, rows);
  await tables.client.command({ query: 'DELETE FROM events WHERE team_id = 4' });
  await storeBatchAgain(tables.client, record, rows);
  assert.deepEqual(await countOf(4), ONCE);
});

test('a batch with more text than one insert may hold is stored in several', async () => {
  const { record, rows } = makeBatch(5);
  const large = JSON.stringify({ text: 'x'.repeat(400_000) });
  const events = rows.events.map((row) => ({ ...row, properties: large }));
  await storeBatch(tables.client, record, { ...rows, events });
  await storeBatchAgain(tables.client, record, { ...rows, events });
  assert.deepEqual(await countOf(5), ONCE);
});

const SESSION = '0190a5d0-1234-7000-8000-000000000001';

test('sessions that the engine had no time to feed are fed when the batch is stored again, and once', async () => {
  const { record, rows } = makeBatch(6, 10);
  const events = rows.events.map((row, n) => ({
    ...row,
    event: n % 2 === 0 ? '$pageview' : 'other',
    properties: JSON.stringify({ $session_id: SESSION, $current_url: `https://example.com/${n}` }),
  }));
  const ask = () =>
    tables.ask(`SELECT toUInt32(event_count) AS events, toUInt32(pageview_count) AS pages, length(urls) AS urls
                  FROM sessions WHERE team_id = 6`);
  // One part of the batch with its sessions, and the rest without, as an engine leaves it that is killed in between.
  await insertEvents(tables.client, events.slice(0, 4), 'fed');
  await tables.client.command({ query: 'DETACH TABLE raw_sessions_feed' });
  await insertEvents(tables.client, events.slice(4), 'not fed');
  await tables.client.command({ query: 'ATTACH TABLE raw_sessions_feed' });
  const before = await ask();
  await storeBatchAgain(tables.client, record, { ...rows, events });
  await storeBatchAgain(tables.client, record, { ...rows, events });

  assert.deepEqual(before, [{ events: 4, pages: 2, urls: 4 }]);
  assert.deepEqual(await ask(), [{ events: 10, pages: 5, urls: 10 }]);
});
