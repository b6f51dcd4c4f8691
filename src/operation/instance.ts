// How the program itself is: whether its services answer, how much they keep, and how much room is left.
import { statfs } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { callerRoute, type Route } from '../http/route.ts';
import type { EventLog } from '../log/log.ts';
import type { Database } from '../metadata/tables.ts';
import type { EventStore } from '../store/open.ts';
import { check } from './health.ts';
import type { WatchedService } from './metrics.ts';

export interface InstanceParts {
  db: Kysely<Database>;
  store: EventStore;
  eventLog: EventLog;
  services: readonly WatchedService[];
  dataFolder: string;
}

const Size = z.strictObject({ name: z.string(), rows: z.int(), bytes: z.int() });

const Instance = z.strictObject({
  /** `state` is `ok`, or what is wrong; `restarts` is null for what the program does not run itself. */
  services: z.array(z.strictObject({ name: z.string(), state: z.string(), restarts: z.int().nullable() })),
  /** Of all projects together; rows of PostgreSQL are its own estimate. */
  event_store: z.strictObject({ bytes: z.int(), tables: z.array(Size) }),
  metadata: z.strictObject({ bytes: z.int(), tables: z.array(Size) }),
  event_log: z.strictObject({ bytes: z.int(), bytes_max: z.int(), full: z.boolean() }),
  /** The disk that holds the data folder. */
  disk: z.strictObject({ bytes_free: z.int(), bytes_total: z.int() }),
});

type Size = z.output<typeof Size>;

const TABLES_MAX = 20;

export const instanceRoutes = (parts: InstanceParts): Route[] => [
  callerRoute('GET', '/instance/', {
    summary: 'Whether the services of the program answer, how much they keep, and how much room is left',
    scope: 'ingestion_warning:read',
    returns: Instance,
    async handle() {
      const [services, event_store, metadata, event_log, disk] = await Promise.all([
        Promise.all(parts.services.map(toState)),
        measureStore(parts.store),
        measureMetadata(parts.db),
        measureLog(parts.eventLog),
        measureDisk(parts.dataFolder),
      ]);
      return { services, event_store, metadata, event_log, disk };
    },
  }),
];

const toState = async (service: WatchedService) => ({
  name: service.name,
  state: await check(service),
  restarts: service.engine?.restarts ?? null,
});

const sum = (tables: readonly Size[]) => tables.reduce((total, { bytes }) => total + bytes, 0);

async function measureStore({ client }: EventStore) {
  const result = await client.query({
    query: `
      SELECT table AS name, sum(rows) AS rows, sum(bytes_on_disk) AS bytes
        FROM system.parts
       WHERE active AND database = currentDatabase()
       GROUP BY table ORDER BY bytes DESC`,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  const tables = await result.json<Size>();
  return { bytes: sum(tables), tables: tables.slice(0, TABLES_MAX) };
}

async function measureMetadata(db: Kysely<Database>) {
  const { rows } = await sql<Size>`
    select relname as name, n_live_tup as rows, pg_total_relation_size(relid) as bytes
      from pg_stat_user_tables
     where schemaname = current_schema()
     order by bytes desc`.execute(db);
  const tables = rows.map(({ name, rows: count, bytes }) => ({ name, rows: Number(count), bytes: Number(bytes) }));
  return { bytes: sum(tables), tables: tables.slice(0, TABLES_MAX) };
}

async function measureLog(log: EventLog) {
  const { bytes, bytesMax, full } = await log.stats();
  return { bytes, bytes_max: bytesMax, full };
}

async function measureDisk(folder: string) {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { bytes_free: bavail * bsize, bytes_total: blocks * bsize };
}
