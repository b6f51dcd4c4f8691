// The program of the pipeline's crash test: engines, log and pipeline as the real one has them, and a door through which
// events are appended to the log as capture does it.
import { join } from 'node:path';
import { acceptedCounter } from '../src/capture/accepted-counter.ts';
import { eventEncoder } from '../src/capture/record.ts';
import { readConfig } from '../src/config.ts';
import { openLmdbLog } from '../src/log/lmdb.ts';
import { migrateMetadata } from '../src/metadata/migrate.ts';
import { openMetadata } from '../src/metadata/open.ts';
import { listCounts } from '../src/pipeline/accounting.ts';
import { startPipelineWorker } from '../src/pipeline/worker.ts';
import { openDataFolder } from '../src/platform/data-folder.ts';
import { openLogger } from '../src/platform/logger.ts';
import { migrateStore } from '../src/store/migrate.ts';
import { openStore } from '../src/store/open.ts';
import { insertTestProject } from './pipeline.ts';

export interface DriverEvent {
  uuid: string;
  event: string;
  distinct_id: string;
  timestamp: string;
  properties: Record<string, unknown>;
}

export type ToProgram =
  | { ask: 'append'; id: number; events: DriverEvent[] }
  | { ask: 'rows'; id: number; query: string }
  | { ask: 'state'; id: number; query: string }
  | { ask: 'counts'; id: number }
  | { ask: 'waiting'; id: number };

const config = readConfig();
const log = await openLogger({ level: 'info', format: 'json' });
await openDataFolder(config.TENREC_DATA);
const [metadata, store] = await Promise.all([openMetadata(config, log), openStore(config, log)]);
await migrateMetadata(metadata.pool, log);
await migrateStore(store.client, log);
const eventLog = await openLmdbLog(
  { path: join(config.TENREC_DATA, 'log'), maxBytes: config.TENREC_LOG_MAX_MB * 1024 * 1024, diskReserveBytes: 0 },
  log,
);
const { rows } = await metadata.pool.query<{ id: number }>('select id from project order by id limit 1');
const team_id = rows[0]?.id ?? (await insertTestProject(metadata.pool));
await startPipelineWorker({ config, databaseUrl: metadata.pool.options.connectionString!, store, log });

async function append(events: DriverEvent[]): Promise<void> {
  const now = Date.now();
  const encode = eventEncoder({ team_id, now, sent_at: undefined, ip: undefined, historical_migration: false });
  const entries = events.map(({ properties, ...event }) => ({
    key: `${team_id}:${event.distinct_id}`,
    value: encode({ ...event, properties: Buffer.from(JSON.stringify(properties)) }),
  }));
  await eventLog.append(entries, { [acceptedCounter(team_id, now)]: events.length });
}

async function answer(message: ToProgram): Promise<unknown> {
  switch (message.ask) {
    case 'append':
      return append(message.events);
    case 'rows': {
      const result = await store.client.query({ query: message.query, format: 'JSONEachRow' });
      return result.json();
    }
    case 'state':
      return (await metadata.pool.query(message.query)).rows;
    case 'counts':
      return listCounts(metadata.db, eventLog, team_id, { fromMs: 0, toMs: Date.now() + 3_600_000 });
    case 'waiting': {
      const { partitions } = await eventLog.stats();
      const batches = await metadata.pool.query('select from ingestion_batch');
      return partitions.reduce((sum, { next, committed }) => sum + next - committed, 0) + batches.rows.length;
    }
  }
}

process.on('message', async (message: ToProgram) => {
  try {
    process.send?.({ id: message.id, result: (await answer(message)) ?? null });
  } catch (error) {
    process.send?.({ id: message.id, failure: (error as Error).message });
  }
});
process.on('disconnect', () => process.exit(0));
process.send?.({ team_id, partitions: eventLog.partitions });
