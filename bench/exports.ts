// Exports beside the least that could be done: the engine streaming the same bytes into nothing, and PostgreSQL taking
// the same file by COPY. `npm run bench exports [rows] [files|table]`; 5,000,000 rows if nothing is said, and a fifth of
// them for the comparison of memory.
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { pino } from 'pino';
import { makeUuidV7 } from '../src/capture/uuid.ts';
import { configWith } from '../src/config.ts';
import { createExport } from '../src/exports/change.ts';
import { modelColumns } from '../src/exports/destinations/destination.ts';
import { fileReading } from '../src/exports/destinations/files/format.ts';
import { openExports } from '../src/exports/open.ts';
import { insertRun } from '../src/exports/runs/sql.ts';
import { migrateStore } from '../src/store/migrate.ts';
import { openStore } from '../src/store/open.ts';
import { events } from '../src/store/tables/events.ts';
import { insertEvents } from '../src/store/tables/insert.ts';
import { openTestDatabase } from '../test/db.ts';
import { startPostgresServer } from '../test/exports/postgres-server.ts';
import { startS3Server } from '../test/exports/s3-server.ts';
import { startWorkerProcess } from '../test/load/export-worker.ts';
import { watchOwnMemory } from '../test/load/memory.ts';
import { insertTestProject } from '../test/pipeline.ts';
import { waitFor } from '../test/program.ts';
import { openTempFolder } from '../test/temp-folder.ts';
import type { Figure } from './measure/figure.ts';
import { sampleEvents } from './measure/sample-events.ts';

const SECRET = 'a secret key that only tests would ever use';
const SEED_ROWS = 50_000;
const HOUR_MS = 3_600_000;
/** Two intervals, one of which holds everything and the other a fifth. */
const LARGE = Date.UTC(2025, 2, 4, 9);
const SMALL = LARGE + HOUR_MS;
const RUN_MS_MAX = 3_600_000;
/** The share of the bare way's speed that has to be reached, as how many times as long it may take. */
const TIMES_AS_LONG_MAX = 1 / 0.6;
const MEMORY_ABOVE_IDLE_MB_MAX = 300;

type Part = 'files' | 'table';

const log = pino({ level: process.env.TENREC_LOG_LEVEL ?? 'silent' });

export async function run(): Promise<Figure[]> {
  const [asked = '5000000', only] = process.argv.slice(3);
  const isAsked = (part: Part) => only === undefined || only === part;
  await using folder = await openTempFolder();
  await using database = await openTestDatabase();
  await using s3 = await startS3Server();
  await using warehouse = await startPostgresServer();
  const config = configWith({ TENREC_DATA: folder.path, TENREC_EXPORT_PRIVATE_NETWORKS: true });
  const store = await openStore(config, log);
  await migrateStore(store.client, log);
  const team_id = await insertTestProject(database.pool);
  const fill = async (start: number, count: number) => {
    const filled = await fillInterval(store.client, team_id, start, count);
    console.log(`${filled.toLocaleString('en')} events are stored`);
    return filled;
  };
  const rows = await fill(LARGE, Number(asked));
  await fill(SMALL, Math.floor(rows / 5));

  const { db } = database;
  const exports = openExports({ db, store, secretKey: SECRET, config, log });
  const worker = await startWorkerProcess({
    databaseUrl: database.url,
    address: store.address,
    folder: folder.path,
    secretKey: SECRET,
    timing: { pollMs: 20 },
  });

  /** Ships one interval; how long it took, and how much more memory exporter and engine had than at rest. */
  async function ship(type: string, given: Record<string, unknown>, start: number) {
    const destination = { type, config: given };
    const row = await createExport(exports.parts, team_id, { name: type, interval: 'hour', paused: true, destination });
    const id = makeUuidV7(Date.now());
    const watches = [worker.child.pid!, store.engine!.pid!].map((pid) => {
      const watch = watchOwnMemory(pid);
      const idleMb = watchOwnMemory(pid).stop();
      return { stop: () => watch.stop() - idleMb };
    });
    await insertRun(db, { id, batch_export_id: row.id, backfill_id: null, interval: { start, end: start + HOUR_MS } });
    const done = await waitFor(async () => {
      const found = await db.selectFrom('batch_export_run').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      if (found.status === 'Completed') return found;
      if (found.latest_error) throw new Error(found.latest_error);
      return undefined;
    }, RUN_MS_MAX);
    const seconds = (Date.parse(done.finished_at!) - Date.parse(done.started_at!)) / 1_000;
    const grownMb = watches.reduce((sum, watch) => sum + watch.stop(), 0);
    const { records_completed: records, bytes_exported: bytes } = done;
    console.log(
      `${type} ${JSON.stringify(given.compression ?? null)}: ${records} rows, ${bytes} bytes, ${seconds} s, ${Math.round(grownMb)} MB`,
    );
    return { seconds, grownMb };
  }

  /** The engine alone, writing the same Parquet for nobody. */
  async function stream(start: number): Promise<number> {
    const columns = modelColumns.events.filter(({ name }) => name !== 'team_id');
    const begun = performance.now();
    const range = { from: start * 1_000, to: (start + HOUR_MS) * 1_000 };
    const signal = new AbortController().signal;
    const bytes = await exports.parts.source.read(
      { team_id, model: 'events', range },
      fileReading(columns, 'Parquet', 'zstd'),
      signal,
    );
    let length = 0;
    for await (const chunk of bytes) length += chunk.length;
    const seconds = (performance.now() - begun) / 1_000;
    console.log(`the engine alone: ${length} bytes, ${seconds.toFixed(1)} s`);
    return seconds;
  }

  const client = new Client(warehouse.access as object);
  await client.connect();
  /** COPY of the very rows that were exported, from a file, into a table like theirs. */
  async function copy(): Promise<number> {
    const path = join(folder.path, 'copy.tsv');
    await pipeline(client.query(copyTo('COPY events TO STDOUT')), createWriteStream(path));
    await client.query('CREATE TABLE beside (LIKE events INCLUDING ALL)');
    const begun = performance.now();
    await pipeline(
      createReadStream(path, { highWaterMark: 1 << 20 }),
      client.query(copyFrom('COPY beside FROM STDIN')),
    );
    const seconds = (performance.now() - begun) / 1_000;
    console.log(`COPY alone: ${(await stat(path)).size} bytes, ${seconds.toFixed(1)} s`);
    return seconds;
  }

  const perSecond = ({ seconds }: { seconds: number }) => rows / seconds;
  const memory = (of: string, { grownMb }: { grownMb: number }): Figure => ({
    ...{ name: `memory above idle, ${of}`, value: grownMb, unit: 'MB', max: MEMORY_ABOVE_IDLE_MB_MAX },
  });
  const beside = (name: string, { seconds }: { seconds: number }, least: number): Figure => ({
    ...{ name, value: seconds / least, unit: '', max: TIMES_AS_LONG_MAX },
  });

  async function shipFiles(): Promise<Figure[]> {
    const parquet = { file_format: 'Parquet', compression: 'zstd' };
    await stream(SMALL);
    const small = await ship('S3', { ...s3.access, ...parquet, prefix: 'small' }, SMALL);
    const engine = await stream(LARGE);
    const bucket = await ship('S3', { ...s3.access, ...parquet, prefix: 'large' }, LARGE);
    const lines = await ship('S3', { ...s3.access, prefix: 'lines', compression: 'gzip' }, LARGE);
    const file = await ship('File', { ...parquet, prefix: 'files' }, LARGE);
    return [
      { name: 'S3 Parquet zstd', value: perSecond(bucket), unit: 'rows/s' },
      beside('S3 Parquet, times as long as the engine alone', bucket, engine),
      beside('File Parquet, times as long as the engine alone', file, engine),
      { name: 'S3 JSONLines gzip', value: perSecond(lines), unit: 'rows/s' },
      memory('S3 Parquet', bucket),
      memory('a fifth of the rows', small),
      memory('JSONLines gzip', lines),
    ];
  }

  async function shipTable(): Promise<Figure[]> {
    const table = await ship('Postgres', { ...warehouse.access }, LARGE);
    const least = await copy();
    return [
      { name: 'Postgres', value: perSecond(table), unit: 'rows/s' },
      beside('Postgres, times as long as COPY alone', table, least),
      memory('Postgres', table),
    ];
  }

  try {
    return [...(isAsked('files') ? await shipFiles() : []), ...(isAsked('table') ? await shipTable() : [])];
  } finally {
    await client.end();
    await worker.kill('SIGTERM');
    await exports.close();
    await store.close();
  }
}

const COLUMNS = events.columns
  .filter(({ derived }) => derived === undefined)
  .map(({ name }) => name)
  .join(', ');

/**
 * Some events as people's clients send them, again and again until there are enough. The engine takes a part of another
 * table in without reading it, so that millions of rows are there in a moment. Answers how many.
 */
async function fillInterval(client: ClickHouseClient, team_id: number, start: number, rows: number): Promise<number> {
  const seeds = Math.min(SEED_ROWS, rows);
  const inserted_at = start * 1_000;
  const sample = sampleEvents({ rows: seeds, webShare: 0.7, people: 5_000, days: 1 });
  const stamped = function* () {
    for (const row of sample) yield { ...row, team_id, inserted_at, timestamp: inserted_at + row.log_position };
  };
  await insertEvents(client, stamped(), `seed ${start}`);
  // Merges would go on while we measure.
  await client.command({ query: 'SYSTEM STOP MERGES events' });
  await client.command({ query: 'CREATE TABLE seed AS events' });
  await client.command({
    query: `INSERT INTO seed (${COLUMNS}) SELECT ${COLUMNS} FROM events
             WHERE team_id = {team_id:Int64} AND inserted_at = fromUnixTimestamp64Micro({inserted_at:Int64})`,
    query_params: { team_id, inserted_at },
    clickhouse_settings: { insert_deduplication_token: `copy ${start}` },
  });
  const parts = await client.query({
    query: "SELECT DISTINCT partition_id AS id FROM system.parts WHERE table = 'seed'",
  });
  const { data } = await parts.json<{ id: string }>();
  const copies = Math.ceil(rows / seeds);
  for (let copy = 1; copy < copies; copy += 1) {
    for (const { id } of data) {
      await client.command({ query: `ALTER TABLE events ATTACH PARTITION ID '${id}' FROM seed` });
    }
  }
  await client.command({ query: 'DROP TABLE seed' });
  return copies * seeds;
}
