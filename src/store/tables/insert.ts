// Inserts rows, each batch exactly once. A batch is sent as one block and becomes one part: readers see all of it or
// nothing. The engine remembers the batch's token, so the same batch sent again, because its answer was lost or the
// sender was killed, changes nothing. The session rows that come from it carry a token of their own.
import { Readable } from 'node:stream';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { encodeEvents } from './encode-events.ts';
import { events } from './events.ts';
import type { EventRow, RowsByTable } from './rows.ts';
import { MEND_SESSIONS } from './sessions.ts';

/**
 * The most that the texts of a batch may hold together. While it inserts a batch, the engine needs some 12 times as much
 * memory for ordinary events, and 14 times for objects with very many names.
 */
export const BATCH_BYTES_MAX = 24 * 1024 * 1024;

/** More rows and bytes than any batch has: the engine neither cuts a batch nor waits for another to join it. */
const ALL_OF_IT = String(2 ** 40);

const insertSettings = (token: string): ClickHouseSettings => ({
  // Several inserts gathered by the server would share one part, and lose their tokens.
  async_insert: 0,
  insert_deduplicate: 1,
  insert_deduplication_token: token,
  // After a crash between a table and the one fed from it, the repetition must still reach the second.
  deduplicate_blocks_in_dependent_materialized_views: 1,
  max_insert_block_size: ALL_OF_IT,
  min_insert_block_size_rows: ALL_OF_IT,
  min_insert_block_size_bytes: ALL_OF_IT,
  input_format_parallel_parsing: 0,
  max_insert_threads: '1',
  // In a cluster the answer waits for the machines that hold the rows, and each of them knows the token.
  distributed_foreground_insert: 1,
});

const EVENT_COLUMNS = events.columns
  .filter(({ derived }) => derived === undefined)
  .map(({ name }) => name)
  .join(', ');

/** Inserts one recorded batch of events. All of its rows have the same `inserted_at`; the token names the batch. */
export async function insertEvents(client: ClickHouseClient, rows: Iterable<EventRow>, token: string): Promise<void> {
  const { stream } = await client.exec({
    query: `INSERT INTO events (${EVENT_COLUMNS}) FORMAT RowBinary`,
    values: Readable.from(encodeEvents(rows), { objectMode: false }),
    clickhouse_settings: insertSettings(token),
  });
  // An insert answers nothing; reading to the end gives the connection back.
  await stream.resume().toArray();
}

/** For a batch whose events are all stored, but perhaps not the sessions that are fed from them. */
export async function mendSessions(
  client: ClickHouseClient,
  batch: { id: number; inserted_at: number },
  token: string,
): Promise<void> {
  await client.command({
    query: MEND_SESSIONS,
    query_params: { batch_id: batch.id, inserted_at: batch.inserted_at },
    clickhouse_settings: insertSettings(token),
  });
}

/** Inserts rows of another table, exactly once as well. Rows of one batch for several tables may share a token. */
export async function insertRows<Name extends keyof RowsByTable>(
  client: ClickHouseClient,
  table: Name,
  rows: readonly RowsByTable[Name][],
  token: string,
): Promise<void> {
  if (rows.length === 0) return;
  await client.insert({
    table,
    values: rows,
    format: 'JSONEachRow',
    clickhouse_settings: insertSettings(token),
  });
}
