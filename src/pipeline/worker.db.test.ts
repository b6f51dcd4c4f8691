import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { openTestDatabase } from '../../test/db.ts';
import { insertTestProject, nextUuid } from '../../test/pipeline.ts';
import { listPriorities } from '../../test/priorities.ts';
import { waitFor } from '../../test/program.ts';
import { openTestTables } from '../../test/tables.ts';
import { openTempFolder } from '../../test/temp-folder.ts';
import { eventEncoder } from '../capture/record.ts';
import { configWith } from '../config.ts';
import { openLmdbLog } from '../log/lmdb.ts';
import { migrateStore } from '../store/migrate.ts';
import { openStore } from '../store/open.ts';
import { startPipelineWorker } from './worker.ts';

const log = pino({ level: 'silent' });

test('a thread that gives way stores what another appends, also after the event store has moved', async () => {
  await using folder = await openTempFolder();
  await using database = await openTestDatabase();
  await using stack = new AsyncDisposableStack();
  const config = configWith({ TENREC_DATA: folder.path, TENREC_LOG_LEVEL: 'fatal', TENREC_LOG_FORMAT: 'json' });
  const store = await openStore(config, log);
  stack.defer(() => store.close());
  await migrateStore(store.client, log);
  const eventLog = await openLmdbLog(
    { path: join(folder.path, 'log'), maxBytes: config.TENREC_LOG_MAX_MB * 1024 * 1024, diskReserveBytes: 0 },
    log,
  );
  stack.defer(() => eventLog.close());
  const team_id = await insertTestProject(database.pool);
  const worker = await startPipelineWorker({ config, databaseUrl: database.url, store, log });
  stack.defer(() => worker.close());
  if (process.platform === 'linux') {
    const threads = await listPriorities('self');
    assert.ok(
      threads.some((priority) => priority > getPriority()),
      'no thread gives way to the doors',
    );
  }

  const encode = eventEncoder({
    team_id,
    now: Date.now(),
    sent_at: undefined,
    ip: undefined,
    historical_migration: false,
  });
  const append = (distinct_id: string) => {
    const value = encode({ uuid: nextUuid(), event: 'seen', distinct_id, properties: Buffer.from('{}') });
    return eventLog.append([{ key: `${team_id}:${distinct_id}`, value }]);
  };
  const stored = async () => {
    const result = await store.client.query({
      query: 'SELECT distinct_id FROM events ORDER BY 1',
      format: 'JSONEachRow',
    });
    return (await result.json<{ distinct_id: string }>()).map(({ distinct_id }) => distinct_id).join();
  };
  const waitForStored = (expected: string) =>
    waitFor(
      async () => (await stored().catch(() => '')) === expected || undefined,
      30_000,
      () => `not stored: ${expected}`,
    );

  await append('a');
  await waitForStored('a');
  process.kill(store.engine!.pid!, 'SIGKILL');
  await append('b');
  await waitForStored('a,b');

  const stats = await waitFor(async () => {
    const found = await worker.stats();
    return found && found.records >= 2 ? found : undefined;
  }, 30_000);
  assert.equal(stats.records, 2);
  await worker.close();
  assert.equal(worker.up, false);
});

test('a pipeline that another took over ends, and does not take it back', async () => {
  await using folder = await openTempFolder();
  await using database = await openTestDatabase();
  await using stack = new AsyncDisposableStack();
  const settings = { TENREC_LOG_LEVEL: 'fatal', TENREC_LOG_FORMAT: 'json' } as const;
  const start = async (name: string) => {
    const config = configWith({ TENREC_DATA: join(folder.path, name), ...settings });
    const worker = await startPipelineWorker({ config, databaseUrl: database.url, store, log });
    stack.defer(() => worker.close());
    return worker;
  };
  const { store } = stack.use(await openTestTables());

  const first = await start('first');
  const second = await start('second');
  await waitFor(() => first.takenOver || undefined, 30_000);
  await waitFor(() => !first.up || undefined, 30_000);

  assert.deepEqual([first.restarts, second.up, second.takenOver], [0, true, false]);
});
