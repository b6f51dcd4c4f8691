// `npm run schema`: migrates an empty database and writes down what came of it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { migrateMetadata } from './migrate.ts';
import { openMetadata } from './open.ts';
import { printSchema } from './print-schema.ts';

const SCHEMA = join(import.meta.dirname, 'schema.sql');

const log = pino({ level: 'warn' });
const folder = await mkdtemp(join(tmpdir(), 'tenrec-schema-'));
try {
  const metadata = await openMetadata({ DATABASE_URL: '', TENREC_DATA: folder }, log);
  try {
    await migrateMetadata(metadata.pool, log);
    await writeFile(SCHEMA, await printSchema(metadata.pool));
  } finally {
    await metadata.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
