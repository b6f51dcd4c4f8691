// The program for the crash test: as `tenrec start` runs it, with a door for writing rows straight into the event store.
import { readConfig } from '../src/config.ts';
import { startTenrec } from '../src/main.ts';
import { openLogger } from '../src/platform/logger.ts';

const log = await openLogger({ level: 'info', format: 'json' });
const { address, store } = await startTenrec(readConfig(), log);
await store.client.command({
  query: `create table if not exists crash (n UInt64) engine = MergeTree order by n
          settings non_replicated_deduplication_window = 10000`,
});

process.on('message', async ({ insert: n }: { insert?: number }) => {
  if (n === undefined) return;
  const answer = await store.client
    .insert({
      table: 'crash',
      values: [{ n }],
      format: 'JSONEachRow',
      clickhouse_settings: { insert_deduplication_token: `row-${n}` },
    })
    .then(
      () => 'stored',
      () => 'failed',
    );
  process.send?.({ n, answer });
});
process.on('message', async ({ list }: { list: boolean }) => {
  if (!list) return;
  const result = await store.client.query({ query: 'select n from crash', format: 'JSONEachRow' });
  const rows = await result.json<{ n: string }>();
  process.send?.({ rows: rows.map(({ n }) => Number(n)) });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ address });
