// The limit of the pipeline: rows that are ready, as bytes, into empty tables of the same engine and form.
import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { pino } from 'pino';
import { configWith } from '../../src/config.ts';
import { openStore } from '../../src/store/open.ts';
import { parts } from '../../src/store/tables/all.ts';
import { printForOne } from '../../src/store/tables/ddl.ts';
import { events } from '../../src/store/tables/events.ts';

const BATCH_ROWS = 10_000;
/** They are held in memory. */
const BATCHES_MAX = 20;

const COLUMNS = events.columns
  .filter(({ derived }) => derived === undefined)
  .map(({ name }) => name)
  .join(', ');

/** Takes the rows that stand in this data folder, and inserts them once more, elsewhere. */
export async function measureBareInsert(data: string): Promise<{ rowsPerSecond: number }> {
  const store = await openStore(configWith({ TENREC_DATA: data }), pino({ level: 'silent' }));
  try {
    const { batches, rows } = await readBatches(store.client);
    await store.client.command({ query: 'CREATE DATABASE bare' });
    const bare = store.connect({ database: 'bare' });
    for (const query of printForOne(parts)) await bare.command({ query });
    const startedAt = performance.now();
    for (const [n, batch] of batches.entries()) await insert(bare, batch, `bare ${n}`);
    const seconds = (performance.now() - startedAt) / 1000;
    await bare.close();
    return { rowsPerSecond: rows / seconds };
  } finally {
    await store.close();
  }
}

async function readBatches(client: ClickHouseClient): Promise<{ batches: Buffer[]; rows: number }> {
  const counted = await client.query({ query: 'SELECT count() AS rows FROM events', format: 'JSONEachRow' });
  const [{ rows: stored }] = (await counted.json<{ rows: string }>()) as [{ rows: string }];
  const rows = Math.min(Math.floor(Number(stored) / BATCH_ROWS), BATCHES_MAX) * BATCH_ROWS;
  const batches: Buffer[] = [];
  for (let offset = 0; offset < rows; offset += BATCH_ROWS) {
    const { stream } = await client.exec({
      // In the order in which they came, as the pipeline inserted them.
      query: `SELECT ${COLUMNS} FROM events ORDER BY inserted_at, log_partition, log_position
               LIMIT ${BATCH_ROWS} OFFSET ${offset} FORMAT RowBinary`,
    });
    batches.push(Buffer.concat(await stream.toArray()));
  }
  return { batches, rows };
}

/** One batch as one block, as the pipeline inserts it, without asking whether it was there before. */
async function insert(client: ClickHouseClient, batch: Buffer, token: string): Promise<void> {
  const { stream } = await client.exec({
    query: `INSERT INTO events (${COLUMNS}) FORMAT RowBinary`,
    values: Readable.from([batch], { objectMode: false }),
    clickhouse_settings: {
      async_insert: 0,
      insert_deduplication_token: token,
      max_insert_block_size: String(2 ** 40),
      min_insert_block_size_rows: String(2 ** 40),
      min_insert_block_size_bytes: String(2 ** 40),
      input_format_parallel_parsing: 0,
      max_insert_threads: '1',
    },
  });
  await stream.resume().toArray();
}
