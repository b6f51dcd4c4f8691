// The least that could be done: the engine writing the same bytes for nobody, and PostgreSQL taking the same file.
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { modelColumns } from '../../src/exports/destinations/destination.ts';
import { fileReading } from '../../src/exports/destinations/files/format.ts';
import type { Source } from '../../src/exports/source.ts';
import type { Interval } from './intervals.ts';

/** The engine alone, writing Parquet as for a file; answers the seconds it took. */
export async function streamParquet(source: Source, team_id: number, { start, end }: Interval): Promise<number> {
  const columns = modelColumns.events.filter(({ name }) => name !== 'team_id');
  const begun = performance.now();
  const bytes = await source.read(
    { team_id, model: 'events', range: { from: start * 1_000, to: end * 1_000 } },
    fileReading(columns, 'Parquet', 'zstd'),
    new AbortController().signal,
  );
  let length = 0;
  for await (const chunk of bytes) length += chunk.length;
  return told('the engine alone', length, begun);
}

/** Writes down what a table holds, in the form that COPY takes. */
export async function prepareFile(client: Client, table: string, path: string): Promise<void> {
  await pipeline(client.query(copyTo(`COPY ${table} TO STDOUT`)), createWriteStream(path));
}

/** COPY of a prepared file, into a new table like the one it was made from; answers the seconds it took. */
export async function copyFile(client: Client, table: string, path: string): Promise<number> {
  await client.query('DROP TABLE IF EXISTS beside');
  await client.query(`CREATE TABLE beside (LIKE ${table} INCLUDING ALL)`);
  const begun = performance.now();
  const copy = client.query(copyFrom('COPY beside FROM STDIN'));
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), copy);
  return told('COPY alone', (await stat(path)).size, begun);
}

function told(what: string, bytes: number, begun: number): number {
  const seconds = (performance.now() - begun) / 1_000;
  console.log(`${what}: ${bytes} bytes, ${seconds.toFixed(1)} s`);
  return seconds;
}
