// The tables in a database of their own.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { pino } from 'pino';
import { configWith } from '../src/config.ts';
import { type EventStore, openStore } from '../src/store/open.ts';
import { parts } from '../src/store/tables/all.ts';
import { printForOne } from '../src/store/tables/ddl.ts';
import type { EventRow } from '../src/store/tables/rows.ts';

export interface TestTables extends AsyncDisposable {
  /** Knows of their database only. */
  store: EventStore;
  readonly client: ClickHouseClient;
  /** The rows of an answer. */
  ask<Row>(query: string, params?: Record<string, unknown>): Promise<Row[]>;
  /** Closes the store and opens it again, with what was stored before. */
  reopen(): Promise<void>;
}

/** In the ClickHouse that the test runner started or was given; in an embedded one of their own when the URL is empty. */
export async function openTestTables(url = process.env.TENREC_TEST_CLICKHOUSE_URL ?? ''): Promise<TestTables> {
  const database = `tables_${randomBytes(8).toString('hex')}`;
  const folder = await mkdtemp(join(tmpdir(), 'tenrec-tables-'));
  const config = configWith({ TENREC_DATA: folder, CLICKHOUSE_URL: url });
  const open = async () => {
    const store = await openStore(config, pino({ level: 'silent' }));
    await store.client.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` });
    return bindTo(store, database);
  };
  const tables: TestTables = {
    store: await open(),
    get client() {
      return tables.store.client;
    },
    async ask<Row>(query: string, query_params: Record<string, unknown> = {}) {
      const result = await tables.client.query({ query, query_params, format: 'JSONEachRow' });
      return await result.json<Row>();
    },
    async reopen() {
      await tables.store.close();
      tables.store = await open();
    },
    async [Symbol.asyncDispose]() {
      await tables.client.command({ query: `DROP DATABASE ${database}` });
      await tables.store.close();
      await rm(folder, { recursive: true });
    },
  };
  for (const query of printForOne(parts)) await tables.client.command({ query });
  return tables;
}

/** The same store to somebody who knows of one database only. */
function bindTo(store: EventStore, database: string): EventStore {
  const client = store.connect({ database });
  return Object.create(store, {
    client: { value: client },
    address: { get: () => ({ ...store.address, url: new URL(database, store.address.url).href }) },
    connect: { value: (options: Parameters<EventStore['connect']>[0]) => store.connect({ database, ...options }) },
    close: {
      value: async () => {
        await client.close();
        await store.close();
      },
    },
  });
}

const DAY_MICROS = 86_400_000_000;
export const SOME_DAY = Date.UTC(2025, 2, 10) * 1_000;

/** An event that is like any other, but for what is given. */
export function makeEvent(n: number, given: Partial<EventRow> = {}): EventRow {
  const digits = n.toString(16).padStart(12, '0');
  return {
    uuid: `018f0000-0000-7000-8000-${digits}`,
    event: 'bought',
    properties: '{}',
    properties_sent: '',
    timestamp: SOME_DAY + (n % 1_000) * 1_000_000,
    team_id: 1,
    distinct_id: `person-${n % 10}`,
    elements_chain: '',
    created_at: SOME_DAY + DAY_MICROS,
    person_id: `11111111-1111-5111-8111-${(n % 10).toString(16).padStart(12, '0')}`,
    person_created_at: SOME_DAY / 1_000,
    person_properties: '{}',
    person_mode: 'full',
    historical_migration: false,
    inserted_at: SOME_DAY + DAY_MICROS,
    log_partition: 3,
    log_position: n,
    batch_id: 1,
    ...given,
  };
}
