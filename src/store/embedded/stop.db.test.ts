// The engine is stopped at any moment of its work: while it inserts, merges, answers, is asked to stop answering.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { isLong, seededRandom, seedOfRun } from '../../../test/random.ts';
import { createStoreClient } from '../client.ts';
import { listeningPort, spawnEngine, stopEngine } from './process.ts';

const ROUNDS = isLong ? 60 : 2;
const PASSWORD = 'of this test';
const LIMITS = { queryMemoryBytes: 512 * 1024 * 1024, querySeconds: 60 };

type Work = (client: ClickHouseClient, signal: AbortSignal) => Promise<unknown>;

const longQuery: Work = (client) => client.command({ query: 'SELECT sum(sipHash64(number)) FROM numbers(1000000000)' });
const copy: Work = (client) =>
  client.command({ query: 'INSERT INTO t SELECT number, toString(number) FROM numbers(200000)' });

/** Every way to be busy. The long ones are many, so that some are still being killed when the last has ended. */
const WORK: readonly Work[] = [
  ...Array<Work>(10).fill(longQuery),
  ...Array<Work>(4).fill(copy),
  (client) => client.insert({ table: 't', values: [{ n: 1, s: 'x' }], format: 'JSONEachRow' }),
  // A setting that does not exist makes the engine renew the session.
  (client) => client.command({ query: 'SELECT 1', clickhouse_settings: { no_such_setting: 1 } as never }),
  (client, abort_signal) => client.command({ query: 'SELECT sleep(3)', abort_signal }),
  (client) => client.ping(),
];

suite(`an engine that is stopped in the middle of its work ends by itself, without a crash (seed ${seedOfRun})`, () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    test(`round ${round}`, async () => {
      const random = seededRandom(seedOfRun + round);
      const folder = await mkdtemp(join(tmpdir(), 'tenrec-stop-'));
      const child = spawnEngine({ folder, ...LIMITS }, PASSWORD);
      const said: string[] = [];
      child.stderr?.on('data', (chunk) => said.push(String(chunk)));
      const url = `http://127.0.0.1:${await listeningPort(child, AbortSignal.timeout(30_000))}`;
      const client = createStoreClient({ url, password: PASSWORD }, LIMITS.querySeconds);
      await client.command({ query: 'CREATE TABLE t (n UInt64, s String) ENGINE = MergeTree ORDER BY n' });

      const leaving = new AbortController();
      const work = WORK.map((start) => start(client, leaving.signal).catch(() => {}));
      // Not a wait for anything: the moment of the stop is what differs from round to round.
      await delay(random.int(400));
      leaving.abort();
      stopEngine(child);
      const [code, signal] = await once(child, 'exit');

      assert.deepEqual({ code, signal, said: said.join('') }, { code: 0, signal: null, said: '' });
      await Promise.all(work);
      await client.close();
      await rm(folder, { recursive: true });
    });
  }
});
