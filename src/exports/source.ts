// The selected rows, out of the event store: counted, and as a stream of any length in bounded memory.
import { addAbortSignal, type Readable } from 'node:stream';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import type { Statement } from '../filters/ask.ts';
import { Unavailable } from '../platform/unavailable.ts';
import type { EventStore } from '../store/open.ts';
import type { Reading } from './destinations/destination.ts';
import { earliestStatement } from './selection/earliest.ts';
import type { Selection } from './selection/selection.ts';
import { countStatement, describeStatement, readStatement } from './selection/statements.ts';

export interface Source {
  count(selection: Selection, signal: AbortSignal): Promise<number>;
  /** The event store's types of the columns that a person chose. */
  describe(selection: Selection): Promise<string[]>;
  /** When the first row of the model was stored, in microseconds; null when there is none. */
  earliest(selection: Omit<Selection, 'range'>): Promise<number | null>;
  /**
   * Aborting the signal, or destroying the stream, stops the engine's work as well.
   * @param mark by which `rowsRead` knows it
   */
  read(selection: Selection, reading: Reading, signal: AbortSignal, mark?: string): Promise<Readable>;
  /** How many rows the engine has read for the readings that bear the mark and are not at their end. */
  rowsRead(mark: string): Promise<number>;
  close(): Promise<void>;
}

const DAY_SECONDS = 86_400;

const SETTINGS: ClickHouseSettings = {
  // A run has a time limit of its own, which is the longer one.
  max_execution_time: 3 * DAY_SECONDS,
  cancel_http_readonly_queries_on_client_close: 1,
  // Rows wide enough to fill memory by the block come in smaller blocks.
  preferred_block_size_bytes: '1000000',
  // One thread reads and writes faster than most destinations take it. Several would each keep some blocks more, which
  // doubles the engine's memory, and would take the other cores from those who wait for an answer.
  max_threads: 1,
  output_format_parallel_formatting: 0,
  output_format_json_quote_64bit_integers: 0,
  // What a destination reads is named as it likes, and still made of the columns as they are.
  prefer_column_name_to_alias: 1,
};

export function openSource(store: EventStore): Source {
  let opened: ClickHouseClient | undefined;
  // Opened when first used. A destination that is slow to take the rows makes the connection stand still, which is no
  // failure, so it has none of the usual limit.
  const client = () => {
    opened ??= store.connect({ request_timeout: 3 * DAY_SECONDS * 1_000 });
    return opened;
  };
  const ask = <Row>({ text, params }: Statement, signal?: AbortSignal): Promise<Row | undefined> =>
    atMostTwice(async () => {
      const result = await client().query({
        query: text,
        query_params: params,
        format: 'JSONEachRow',
        clickhouse_settings: SETTINGS,
        ...(signal && { abort_signal: signal }),
      });
      return (await result.json<Row>())[0];
    });
  return {
    async count(selection, signal) {
      const row = await ask<{ rows: number }>(countStatement(selection), signal);
      return Number(row?.rows ?? 0);
    },
    async describe(selection) {
      const { text, params } = describeStatement(selection);
      const result = await client().query({
        query: text,
        query_params: params,
        format: 'JSONCompactEachRowWithNamesAndTypes',
        clickhouse_settings: SETTINGS,
      });
      const [, types = []] = await result.json<string[]>();
      // The last one is the clock, which nobody chose.
      return types.slice(0, -1);
    },
    async earliest(selection) {
      const row = await ask<{ micros: number; rows: number }>(earliestStatement(selection));
      return row && Number(row.rows) > 0 ? Number(row.micros) : null;
    },
    async read(selection, reading, signal, mark) {
      const { text, params } = readStatement(selection, reading);
      const { stream } = await atMostTwice(() =>
        client().exec({
          query: text,
          query_params: params,
          abort_signal: signal,
          clickhouse_settings: { ...SETTINGS, ...reading.settings, ...(mark && { log_comment: mark }) },
        }),
      );
      return addAbortSignal(signal, stream);
    },
    async rowsRead(mark) {
      const text = `SELECT sum(read_rows) AS rows FROM system.processes
                     WHERE startsWith(Settings['log_comment'], {mark:String})`;
      const row = await ask<{ rows: number }>({ text, params: { mark } });
      return Number(row?.rows ?? 0);
    },
    close: async () => opened?.close(),
  };
}

/**
 * A connection that stood unused may have been closed by the other side at the very moment it is used again, which says
 * nothing about the store. What only reads can be asked again.
 */
async function atMostTwice<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return ask();
  }
}
