// The selected rows, out of the event store: counted, and as a stream of any length in bounded memory.
import { addAbortSignal, type Readable } from 'node:stream';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import type { EventStore } from '../store/open.ts';
import type { Reading } from './destinations/destination.ts';
import { countStatement, readStatement, type Selection } from './selection/selection.ts';

export interface Source {
  count(selection: Selection, signal: AbortSignal): Promise<number>;
  /** Aborting the signal, or destroying the stream, stops the engine's work as well. */
  read(selection: Selection, reading: Reading, signal: AbortSignal): Promise<Readable>;
  close(): Promise<void>;
}

const DAY_SECONDS = 86_400;

const SETTINGS: ClickHouseSettings = {
  // A run has a time limit of its own, which is the longer one.
  max_execution_time: 3 * DAY_SECONDS,
  cancel_http_readonly_queries_on_client_close: 1,
  // Rows wide enough to fill memory by the block come in smaller blocks.
  preferred_block_size_bytes: '1000000',
  output_format_json_quote_64bit_integers: 0,
};

export function openSource(store: EventStore): Source {
  // A destination that is slow to take the rows makes the connection stand still, which is no failure.
  const client: ClickHouseClient = store.connect({ request_timeout: 3 * DAY_SECONDS * 1_000 });
  return {
    async count(selection, signal) {
      const { text, params } = countStatement(selection);
      const result = await client.query({
        query: text,
        query_params: params,
        format: 'JSONEachRow',
        abort_signal: signal,
        clickhouse_settings: SETTINGS,
      });
      const [row] = await result.json<{ rows: number }>();
      return Number(row?.rows ?? 0);
    },
    async read(selection, reading, signal) {
      const { text, params } = readStatement(selection, reading);
      const { stream } = await client.exec({
        query: text,
        query_params: params,
        abort_signal: signal,
        clickhouse_settings: { ...SETTINGS, ...reading.settings },
      });
      return addAbortSignal(signal, stream);
    },
    close: () => client.close(),
  };
}
