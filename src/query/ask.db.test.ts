import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestTables, type TestTables } from '../../test/tables.ts';
import { openEngine } from './ask.ts';

let tables: TestTables;
before(async () => {
  tables = await openTestTables();
});
after(() => tables[Symbol.asyncDispose]());

test('a project that asks too much at once is told so, and others are answered', async () => {
  const engine = openEngine(tables.store, { seconds: 20, memoryBytes: 1024 ** 3 });
  const stop = new AbortController();
  const ask = (team_id: number, text: string) => engine.rows({ team_id, signal: stop.signal }, { text, params: {} });
  // Four run and forty wait.
  const asked = Array.from({ length: 44 }, () => ask(1, 'SELECT sleep(3)'));

  await assert.rejects(ask(1, 'SELECT 1'), { status: 429, code: 'concurrency_limit_exceeded' });
  assert.deepEqual(await ask(2, 'SELECT 1 AS one'), [{ one: 1 }]);

  stop.abort();
  const ends = await Promise.allSettled(asked);
  assert.deepEqual([...new Set(ends.map(({ status }) => status))], ['rejected']);
});
