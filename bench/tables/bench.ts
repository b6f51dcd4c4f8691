// What the measurements of the tables share: an engine with databases to try things in, inserts, and clocks.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ClickHouseClient, ClickHouseClientConfigOptions } from '@clickhouse/client';
import { pino } from 'pino';
import { configWith } from '../../src/config.ts';
import { type EventStore, openStore } from '../../src/store/open.ts';
import { printForOne } from '../../src/store/tables/ddl.ts';
import { type Column, type Part, quoteName } from '../../src/store/tables/description.ts';
import type { EventRow } from '../../src/store/tables/rows.ts';

export const PEOPLE = 50_000;
const QUERY_ROUNDS = 5;

export interface Bench {
  store: EventStore;
  /** A database of its own, with the tables of this way. */
  inDatabase<R>(
    parts: readonly Part[],
    use: (client: ClickHouseClient) => Promise<R>,
    options?: ClickHouseClientConfigOptions,
  ): Promise<R>;
}

export async function withBench(use: (bench: Bench) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tenrec-bench-tables-'));
  const store = await openStore(configWith({ TENREC_DATA: folder }), pino({ level: 'silent' }));
  let databases = 0;
  const inDatabase: Bench['inDatabase'] = async (made, measure, options = {}) => {
    const database = `bench_${databases++}`;
    await store.client.command({ query: `CREATE DATABASE ${database}` });
    const client = store.connect({ database, ...options });
    for (const query of printForOne(made)) await client.command({ query });
    try {
      return await measure(client);
    } finally {
      await client.close();
      await store.client.command({ query: `DROP DATABASE ${database} SYNC` });
    }
  };
  try {
    await use({ store, inDatabase });
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
}

/** Microseconds of processor time that the engine has used so far. Elapsed time says little beside busy neighbours. */
export async function engineCpuMicros({ engine }: EventStore): Promise<number> {
  const stat = await readFile(`/proc/${engine!.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const TICK_MICROS = 10_000;
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS;
}

export function* cut(rows: readonly EventRow[], size: number): Generator<EventRow[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

let batches = 0;
export const nextToken = (): string => `batch ${batches++}`;

export interface InsertCost {
  rowsPerSecond: number;
  cpuMicros: number;
}

export async function insertAll(
  store: EventStore,
  rows: readonly EventRow[],
  batchRows: number,
  insert: (batch: readonly EventRow[]) => Promise<void>,
): Promise<InsertCost> {
  const [first] = cut(rows, batchRows);
  await insert(first!); // The first insert of a table compiles and opens much that the others find ready.
  const [startedAt, cpuBefore] = [performance.now(), await engineCpuMicros(store)];
  for (const batch of cut(rows, batchRows)) await insert(batch);
  return {
    rowsPerSecond: rows.length / ((performance.now() - startedAt) / 1_000),
    cpuMicros: ((await engineCpuMicros(store)) - cpuBefore) / rows.length,
  };
}

/** Milliseconds of processor time for a question, the least of several rounds. */
export async function costOfQuery(store: EventStore, client: ClickHouseClient, query: string): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < QUERY_ROUNDS; round += 1) {
    const before = await engineCpuMicros(store);
    await (await client.query({ query, format: 'JSONEachRow' })).text();
    costs.push(((await engineCpuMicros(store)) - before) / 1_000);
  }
  return Math.min(...costs);
}

export async function insertAs(
  client: ClickHouseClient,
  columns: readonly Column[],
  format: string,
  chunks: Iterable<Buffer>,
): Promise<void> {
  const clickhouse_settings: ClickHouseClientConfigOptions['clickhouse_settings'] = {
    async_insert: 0,
    insert_deduplication_token: nextToken(),
    input_format_parallel_parsing: 0,
  };
  const { stream } = await client.exec({
    query: `INSERT INTO events (${columns.map(({ name }) => quoteName(name)).join(', ')}) FORMAT ${format}`,
    values: Readable.from(chunks, { objectMode: false }),
    clickhouse_settings,
  });
  await stream.resume().toArray();
}

export type Encode = (rows: readonly EventRow[]) => Iterable<Buffer>;

/** Microseconds of this thread's processor time for a row. The least of several rounds: the rest is what neighbours do. */
export function timeEncoding(encode: Encode, rows: readonly EventRow[]): number {
  const times = Array.from({ length: 7 }, () => {
    const before = process.threadCpuUsage();
    for (const chunk of encode(rows)) if (chunk.length === 0) throw new Error('nothing was encoded');
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / rows.length;
  });
  return Math.min(...times);
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en');
export const ratio = (value: number, base: number, unit: string): string =>
  `${value.toFixed(value < 100 ? 1 : 0)} ${unit} (${(value / base).toFixed(2)})`;
