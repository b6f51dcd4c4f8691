// The tables in a database of their own, for tests: on the embedded ClickHouse, or on the server at CLICKHOUSE_URL.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { pino } from 'pino';
import { configWith } from '../../config.ts';
import { type EventStore, openStore } from '../open.ts';
import { parts } from './all.ts';
import { printForOne } from './ddl.ts';
import type { EventRow } from './rows.ts';

export interface TestTables extends AsyncDisposable {
  store: EventStore;
  client: ClickHouseClient;
  /** The rows of an answer. */
  ask<Row>(query: string, params?: Record<string, unknown>): Promise<Row[]>;
  /** Closes the store and opens it again, with what was stored before. */
  reopen(): Promise<void>;
}

const DATABASE = `tables_${process.pid}`;

export async function openTestTables(clickhouseUrl = ''): Promise<TestTables> {
  const folder = await mkdtemp(join(tmpdir(), 'tenrec-tables-'));
  const config = configWith({ TENREC_DATA: folder, CLICKHOUSE_URL: clickhouseUrl });
  const open = () => openStore(config, pino({ level: 'silent' }));
  const store = await open();
  await store.client.command({ query: `CREATE DATABASE ${DATABASE}` });
  const tables: TestTables = {
    store,
    client: store.connect({ database: DATABASE }),
    async ask<Row>(query: string, query_params: Record<string, unknown> = {}) {
      const result = await tables.client.query({ query, query_params, format: 'JSONEachRow' });
      return await result.json<Row>();
    },
    async reopen() {
      await tables.client.close();
      await tables.store.close();
      tables.store = await open();
      tables.client = tables.store.connect({ database: DATABASE });
    },
    async [Symbol.asyncDispose]() {
      await tables.client.close();
      await tables.store.client.command({ query: `DROP DATABASE ${DATABASE}` });
      await tables.store.close();
      await rm(folder, { recursive: true });
    },
  };
  for (const query of printForOne(parts)) await tables.client.command({ query });
  return tables;
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
