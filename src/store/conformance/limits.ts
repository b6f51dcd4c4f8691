// A query takes no more than it may, and nobody waits for somebody else's.
import assert from 'node:assert/strict';
import type { ClickHouseClient } from '@clickhouse/client';
import { askOne, eventually } from './asking.ts';
import type { Promises } from './bench.ts';

const ENDLESS = 'SELECT sum(sipHash64(number)) FROM numbers(1000000000000)';
/** Waits instead of counting: as long as a whole test may take. */
const WAITING = 'SELECT count() FROM numbers(6000) WHERE sleepEachRow(0.01) = 0';

/** Runs statements until told to stop; `over` says how many have ended by themselves. */
function runAside(client: ClickHouseClient, queries: readonly string[]) {
  const leaving = new AbortController();
  const aside = { over: 0, end };
  const running = queries.map(async (query) => {
    const clickhouse_settings = { max_execution_time: 60, max_block_size: '1' };
    await client.query({ query, abort_signal: leaving.signal, clickhouse_settings }).catch(() => {});
    aside.over += 1;
  });
  function end(): Promise<unknown> {
    leaving.abort();
    return Promise.all(running);
  }
  return aside;
}

export function promiseLimits(promise: Promises): void {
  promise('a query ends at its time limit', async ({ client }) => {
    const startedAt = performance.now();
    const clickhouse_settings = { max_execution_time: 1 };
    const asked = client.query({ query: `${ENDLESS} SETTINGS max_threads = 1`, clickhouse_settings });
    await assert.rejects(asked, { code: '159', type: 'TIMEOUT_EXCEEDED' });
    // Its own limit, and not the one that every query has.
    assert.ok(performance.now() - startedAt < 20_000);
  });

  promise('a query ends at its memory limit', async ({ client }) => {
    const query = 'SELECT groupArray(number) FROM numbers(100000000)';
    const asked = client.query({ query, clickhouse_settings: { max_memory_usage: '50000000' } });
    await assert.rejects(asked, { code: '241', type: 'MEMORY_LIMIT_EXCEEDED' });
  });

  promise('a query whose caller leaves is stopped', async ({ client }) => {
    const running = async () => {
      const query = "SELECT toUInt32(count()) FROM system.processes WHERE query LIKE '%numbers(999999999999)%'";
      return Number(await askOne(client, `${query} AND query NOT LIKE '%processes%'`));
    };
    const leaving = new AbortController();
    const asked = client.query({
      query: 'SELECT sum(sipHash64(number)) FROM numbers(999999999999)',
      abort_signal: leaving.signal,
      clickhouse_settings: { cancel_http_readonly_queries_on_client_close: 1 },
    });
    await eventually(async () => (await running()) === 1, 'the query runs');
    leaving.abort();
    await assert.rejects(asked);
    await eventually(async () => (await running()) === 0, 'the query has ended');
  });

  promise('a setting is for its own query only', async ({ client }) => {
    const query = "SELECT toUInt32(getSetting('max_block_size'))";
    const usual = await askOne(client, query);
    const result = await client.query({
      query,
      clickhouse_settings: { max_block_size: '77' },
      format: 'JSONCompactEachRow',
    });
    assert.deepEqual(await result.json(), [[77]]);
    assert.equal(await askOne(client, query), usual);
    await client.command({ query: 'SET max_block_size = 78' });
    assert.equal(await askOne(client, query), usual);
  });

  promise('a query works in the database of its client', async ({ client, store, database }) => {
    assert.equal(await askOne(client, 'SELECT currentDatabase()'), database);
    assert.equal(await askOne(store.client, 'SELECT currentDatabase()'), 'default');
    const lost = store.connect({ database: 'no_such_database' });
    await assert.rejects(askOne(lost, 'SELECT 1'), { type: 'UNKNOWN_DATABASE' });
    await lost.close();
  });

  promise('long queries hold up neither short ones nor inserts', async ({ client }) => {
    await client.command({ query: 'CREATE TABLE busy (n UInt32) ENGINE = MergeTree ORDER BY n' });
    const aside = runAside(client, [ENDLESS, ENDLESS, WAITING, WAITING, WAITING, WAITING]);
    for (let n = 0; n < 5; n += 1) {
      await client.insert({ table: 'busy', values: [{ n }], format: 'JSONEachRow' });
      assert.equal(await askOne(client, 'SELECT toUInt32(count()) FROM busy'), n + 1);
    }
    assert.equal(aside.over, 0);
    await aside.end();
  });

  promise('a subquery that takes long holds up nobody', async ({ client }) => {
    const aside = runAside(client, [`SELECT (${WAITING})`]);
    for (let at = 0; at < 20; at += 1) await askOne(client, 'SELECT 1');
    assert.equal(aside.over, 0);
    await aside.end();
  });
}
