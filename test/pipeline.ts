// A whole pipeline on real engines, for tests: events are appended as capture does it, and looked for where they end.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { acceptedCounter } from '../src/capture/accepted-counter.ts';
import type { CaptureDrop } from '../src/capture/drops.ts';
import { encodeDrop, eventEncoder, type RequestFacts } from '../src/capture/record.ts';
import { configWith } from '../src/config.ts';
import { openLmdbLog } from '../src/log/lmdb.ts';
import type { EventLog } from '../src/log/log.ts';
import type { FindPlace } from '../src/pipeline/prepare-event.ts';
import { type Pipeline, startPipeline } from '../src/pipeline/run.ts';
import { SeenEvents } from '../src/pipeline/seen-events.ts';
import { migrateStore } from '../src/store/migrate.ts';
import { type EventStore, openStore } from '../src/store/open.ts';
import { openTestDatabase, type TestDatabase } from './db.ts';
import { waitFor } from './program.ts';
import { openTempFolder } from './temp-folder.ts';

export interface TestEvent {
  uuid?: string;
  event?: string;
  distinct_id?: string;
  timestamp?: string;
  offset?: number;
  properties?: Record<string, unknown> | string;
  $set?: Record<string, unknown>;
  $set_once?: Record<string, unknown>;
}

export interface TestPipeline extends AsyncDisposable {
  team_id: number;
  database: TestDatabase;
  pool: Pool;
  store: EventStore;
  eventLog: EventLog;
  pipeline: Pipeline;
  /** Appends the events of one request and waits until nothing is left to be processed. */
  send(events: readonly TestEvent[], facts?: Partial<RequestFacts>): Promise<void>;
  append(events: readonly TestEvent[], facts?: Partial<RequestFacts>): Promise<void>;
  dropAtTheDoor(drop: CaptureDrop): Promise<void>;
  /** Resolves when every record is processed and every batch finished. */
  settled(): Promise<void>;
  rows<Row>(query: string, params?: Record<string, unknown>): Promise<Row[]>;
  /** Ends the pipeline and starts another on the same data. */
  restart(): Promise<void>;
}

const log = pino({ level: process.env.TENREC_LOG_LEVEL ?? 'silent' });
let uuids = 0;

export const nextUuid = (): string => `0190a5d0-0000-7000-8000-${(++uuids).toString(16).padStart(12, '0')}`;

export async function openTestPipeline(findPlace?: FindPlace): Promise<TestPipeline> {
  const folder = await openTempFolder();
  const database = await openTestDatabase();
  const store = await openStore(configWith({ TENREC_DATA: folder.path }), log);
  await migrateStore(store.client, log);
  const eventLog = await openLmdbLog(
    { path: join(folder.path, 'log'), partitions: 4, maxBytes: 256 * 1024 * 1024, diskReserveBytes: 0 },
    log,
  );
  const seen = new SeenEvents(join(folder.path, 'seen'));
  const { pool } = database;
  const start = () => startPipeline({ eventLog, pool, client: store.client, seen, findPlace, log });
  const team_id = await insertTestProject(pool);

  const factsOf = (facts: Partial<RequestFacts>): RequestFacts => ({
    team_id,
    now: Date.now(),
    sent_at: undefined,
    ip: undefined,
    historical_migration: false,
    ...facts,
  });
  const test: TestPipeline = {
    team_id,
    database,
    pool,
    store,
    eventLog,
    pipeline: start(),
    async append(events, given = {}) {
      const facts = factsOf(given);
      const encode = eventEncoder(facts);
      const entries = events.map(({ uuid = nextUuid(), event = 'seen', distinct_id = 'someone', ...rest }) => ({
        key: `${facts.team_id}:${distinct_id}`,
        value: encode({
          uuid,
          event,
          distinct_id,
          ...(rest.timestamp !== undefined && { timestamp: rest.timestamp }),
          ...(rest.offset !== undefined && { offset: rest.offset }),
          properties: toBytes(rest.properties ?? {}),
          ...(rest.$set && { $set: toBytes(rest.$set) }),
          ...(rest.$set_once && { $set_once: toBytes(rest.$set_once) }),
        }),
      }));
      await eventLog.append(entries, { [acceptedCounter(facts.team_id, facts.now)]: events.length });
    },
    async send(events, facts) {
      await test.append(events, facts);
      await test.settled();
    },
    async dropAtTheDoor(drop) {
      const facts = factsOf({});
      const value = encodeDrop(drop, facts);
      await eventLog.append([{ key: `${team_id}:`, value }], { [acceptedCounter(team_id, facts.now)]: drop.count });
      await test.settled();
    },
    async settled() {
      await waitFor(
        async () => {
          const { partitions } = await eventLog.stats();
          if (partitions.some(({ next, committed }) => committed < next)) return undefined;
          const { rows } = await pool.query('select from ingestion_batch');
          return rows.length === 0 || undefined;
        },
        30_000,
        () => `events are still waiting: ${JSON.stringify(test.pipeline.stats())}`,
      );
    },
    async rows<Row>(query: string, query_params: Record<string, unknown> = {}) {
      const result = await store.client.query({ query, query_params, format: 'JSONEachRow' });
      return result.json<Row>();
    },
    async restart() {
      await test.pipeline.close();
      test.pipeline = start();
    },
    async [Symbol.asyncDispose]() {
      await test.pipeline.close();
      await seen.close();
      await eventLog.close();
      await store.close();
      await database.close();
      await rm(folder.path, { recursive: true, force: true });
    },
  };
  return test;
}

const toBytes = (json: Record<string, unknown> | string): Buffer =>
  Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));

export async function insertTestProject(pool: Pool, settings: Record<string, unknown> = {}): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `with organization as (
       insert into organization (name, slug) values ('Test', gen_random_uuid()::text) returning id
     )
     insert into project (organization_id, api_token, name, settings)
     select id, 'phc_' || gen_random_uuid()::text, 'Test', $1 from organization
     returning id`,
    [JSON.stringify(settings)],
  );
  return rows[0]!.id;
}
