// Exports beside the least that could be done: the engine streaming the same bytes into nothing, and PostgreSQL taking
// the same file by COPY. `npm run bench exports [rows] [files|table]`; 5,000,000 rows if nothing is said.
//
// The bare way and ours take turns over fifths of the rows, so that what else the machine does concerns both; then ours
// ships all rows in one run, which must be as quick and need no more memory.
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { configWith } from '../src/config.ts';
import { openExports } from '../src/exports/open.ts';
import { migrateStore } from '../src/store/migrate.ts';
import { openStore } from '../src/store/open.ts';
import { openTestDatabase } from '../test/db.ts';
import { startPostgresServer } from '../test/exports/postgres-server.ts';
import { startS3Server } from '../test/exports/s3-server.ts';
import { startWorkerProcess } from '../test/load/export-worker.ts';
import { insertTestProject } from '../test/pipeline.ts';
import { openTempFolder } from '../test/temp-folder.ts';
import { copyFile, prepareFile, streamParquet } from './exports/bare.ts';
import { type Bare, beside, memory, speed } from './exports/figures.ts';
import { fillInterval } from './exports/fill.ts';
import { ALL, FIFTHS } from './exports/intervals.ts';
import { openShipper, type Shipping } from './exports/shipping.ts';
import type { Figure } from './measure/figure.ts';

const SECRET = 'a secret key that only tests would ever use';
const TURNS = FIFTHS.slice(0, 3);

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
  const begun = performance.now();
  let stored = 0;
  for (const { start } of FIFTHS) stored += await fillInterval(store.client, team_id, start, Number(asked) / 5);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  console.log(`${stored.toLocaleString('en')} events are stored, in ${seconds} s`);

  const { db } = database;
  const exports = openExports({ db, store, secretKey: SECRET, config, log });
  const worker = await startWorkerProcess({
    databaseUrl: database.url,
    address: store.address,
    folder: folder.path,
    secretKey: SECRET,
    timing: { pollMs: 20 },
  });
  const pids = { exporter: worker.child.pid!, engine: store.engine!.pid! };
  const { ship } = await openShipper(db, exports, team_id, pids);

  async function shipFiles(): Promise<Figure[]> {
    const parquet = { file_format: 'Parquet', compression: 'zstd' };
    const lines = { compression: 'gzip' };
    const engine: Bare = { name: 'the engine alone', rows: stored / FIFTHS.length, seconds: [] };
    const turns: Shipping[] = [];
    for (const fifth of TURNS) {
      engine.seconds.push(await streamParquet(exports.parts.source, team_id, fifth));
      turns.push(await ship('S3', { ...s3.access, ...parquet, prefix: 'turns' }, fifth));
    }
    const bucket = await ship('S3', { ...s3.access, ...parquet, prefix: 'all' }, ALL);
    const folder = await ship('File', { ...parquet, prefix: 'files' }, TURNS[0]!);
    const fewLines = await ship('S3', { ...s3.access, ...lines, prefix: 'turns' }, TURNS[0]!);
    const allLines = await ship('S3', { ...s3.access, ...lines, prefix: 'all' }, ALL);
    return [
      speed('S3 Parquet zstd', bucket),
      beside('S3 Parquet zstd, in turns', engine, turns),
      beside('S3 Parquet zstd, all rows', engine, [bucket]),
      beside('File Parquet zstd', engine, [folder]),
      speed('S3 JSONLines gzip', allLines),
      ...memory('S3 Parquet zstd', turns.at(-1)!, bucket),
      ...memory('S3 JSONLines gzip', fewLines, allLines),
    ];
  }

  async function shipTable(): Promise<Figure[]> {
    const client = new Client(warehouse.access as object);
    await client.connect();
    const path = join(folder.path, 'copy.tsv');
    const copy: Bare = { name: 'COPY alone', rows: stored / FIFTHS.length, seconds: [] };
    const turns: Shipping[] = [];
    for (const [turn, fifth] of TURNS.entries()) {
      turns.push(await ship('Postgres', { ...warehouse.access, table_name: 'turns' }, fifth));
      if (turn === 0) await prepareFile(client, 'turns', path);
      copy.seconds.push(await copyFile(client, 'turns', path));
    }
    const all = await ship('Postgres', { ...warehouse.access, table_name: 'everything' }, ALL);
    await client.end();
    return [
      speed('Postgres', all),
      beside('Postgres, in turns', copy, turns),
      beside('Postgres, all rows', copy, [all]),
      ...memory('Postgres', turns.at(-1)!, all),
    ];
  }

  try {
    return [...(isAsked('files') ? await shipFiles() : []), ...(isAsked('table') ? await shipTable() : [])];
  } finally {
    await worker.kill('SIGTERM');
    await exports.close();
    await store.close();
  }
}
