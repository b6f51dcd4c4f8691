// Results of every format and any length, and failures as failures.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ClickHouseError, type ResponseJSON } from '@clickhouse/client';
import { askOne, askRows } from './asking.ts';
import type { ConformanceOptions, Promises } from './bench.ts';

/** More than one block of the engine, so that a head or foot written for each block would show. */
const MANY = 70_000;

const failures: { query: string; code: string; type: string }[] = [
  { query: 'SELEC 1', code: '62', type: 'SYNTAX_ERROR' },
  { query: 'SELECT (1', code: '62', type: 'SYNTAX_ERROR' },
  { query: 'SELECT * FROM no_such_table', code: '60', type: 'UNKNOWN_TABLE' },
  { query: 'SELECT no_such_column', code: '47', type: 'UNKNOWN_IDENTIFIER' },
  { query: 'SELECT noSuchFunction(1)', code: '46', type: 'UNKNOWN_FUNCTION' },
  { query: 'SELECT 1 FROM no_such_database.t', code: '81', type: 'UNKNOWN_DATABASE' },
  { query: "SELECT toInt8('x')", code: '6', type: 'CANNOT_PARSE_TEXT' },
  { query: 'SELECT 1 SETTINGS no_such_setting = 1', code: '115', type: 'UNKNOWN_SETTING' },
  { query: 'SELECT 1; SELECT 2', code: '62', type: 'SYNTAX_ERROR' },
];

export function promiseResults(promise: Promises, { longResultBytes }: ConformanceOptions): void {
  promise('every format is one document, however many blocks it is made of', async ({ client }) => {
    const ask = (format: 'JSON' | 'CSVWithNames' | 'JSONCompactEachRowWithNames') =>
      client.query({ query: 'SELECT number AS n FROM numbers({count:UInt32})', query_params: { count: MANY }, format });
    const { data, rows } = (await (await ask('JSON')).json<{ n: number }>()) as ResponseJSON<{ n: number }>;
    assert.equal(data.length, MANY);
    assert.equal(rows, MANY);
    const lines = (await (await ask('CSVWithNames')).text()).trimEnd().split('\n');
    assert.equal(lines.length, MANY + 1);
    assert.equal(lines.filter((line) => line === '"n"').length, 1);
  });

  for (const format of ['Parquet', 'Native', 'RowBinary', 'ArrowStream'] as const) {
    promise(`what is read as ${format} can be inserted as ${format}`, async ({ client }) => {
      const table = `via_${format}`.toLowerCase();
      await client.command({ query: `CREATE TABLE ${table} (n UInt64, s String) ENGINE = MergeTree ORDER BY n` });
      const { stream } = await client.exec({
        query: `SELECT number AS n, toString(number) AS s FROM numbers(${MANY}) FORMAT ${format}`,
      });
      const bytes = await buffer(stream);
      const values = Readable.from([bytes], { objectMode: false });
      const inserted = await client.exec({ query: `INSERT INTO ${table} FORMAT ${format}`, values });
      await buffer(inserted.stream);
      assert.deepEqual(
        await askRows(client, `SELECT toUInt32(count()), toUInt32(countIf(s = toString(n))) FROM ${table}`),
        [[MANY, MANY]],
      );
    });
  }

  promise('an empty result is an empty result', async ({ client }) => {
    assert.deepEqual(await askRows(client, 'SELECT 1 WHERE 0'), []);
  });

  promise('a long result passes through without being kept', async ({ client, store }) => {
    const rowBytes = 1000;
    const count = Math.ceil(longResultBytes / rowBytes);
    const query = `SELECT randomPrintableASCII(${rowBytes - 4}) AS s FROM numbers(${count})`;
    const watch = store.engine?.pid ? watchMemory(store.engine.pid) : undefined;
    const result = await client.query({
      query,
      format: 'CSV',
      clickhouse_settings: { max_execution_time: 600, max_block_size: '4096' },
    });
    let rows = 0;
    for await (const batch of result.stream()) rows += batch.length;
    assert.equal(rows, count);
    // Blocks in the making and memory not yet given back; a result that is kept would add its whole length.
    const grownBytes = watch?.stop() ?? 0;
    assert.ok(grownBytes < 150 * 1024 * 1024, `the engine grew by ${Math.round(grownBytes / 1024 / 1024)} MB`);
  });

  promise('a result that is not fetched waits', async ({ client }) => {
    const result = await client.query({ query: 'SELECT number FROM system.numbers', format: 'JSONEachRow' });
    const rows = result.stream();
    const [first] = (await rows[Symbol.asyncIterator]().next()).value as { json(): { number: number } }[];
    assert.equal(Number(first?.json().number), 0);
    result.close();
  });

  for (const { query, code, type } of failures) {
    promise(`${query} fails with ${type}`, async ({ client }) => {
      await assert.rejects(client.query({ query, format: 'TabSeparated' }), (error: ClickHouseError) => {
        assert.ok(error instanceof ClickHouseError);
        assert.deepEqual({ code: error.code, type: error.type }, { code, type });
        assert.doesNotMatch(error.message, /OUTFILE/);
        return true;
      });
    });
  }

  promise('a query that fails at its first rows fails before it answers', async ({ client }) => {
    const query = 'SELECT throwIf(number = 10) FROM numbers(1000)';
    await assert.rejects(client.query({ query, format: 'JSON' }), { type: 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO' });
  });

  promise('a query that fails in the middle of its result is not taken for a whole one', async ({ client }) => {
    const query = 'SELECT number, throwIf(number = 300000) FROM numbers(10000000)';
    const result = await client.query({ query, format: 'JSONEachRow' });
    const readAll = async () => {
      for await (const _ of result.stream());
    };
    await assert.rejects(readAll(), { type: 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO' });
    const text = await client.query({ query, format: 'CSV' });
    await assert.rejects(text.text());
  });

  for (const codec of ['gzip', 'zstd', 'br'] as const) {
    promise(`results and data travel compressed with ${codec}`, async ({ store, database }) => {
      const client = store.connect({ database, compression: { request: { codec }, response: { codec } } });
      try {
        const table = `zipped_${codec}`;
        await client.command({ query: `CREATE TABLE ${table} (n UInt32, s String) ENGINE = MergeTree ORDER BY n` });
        const values = Array.from({ length: 10_000 }, (_, n) => ({ n, s: `text ${n}` }));
        await client.insert({ table, values, format: 'JSONEachRow' });
        const result = await client.query({ query: `SELECT * FROM ${table} ORDER BY n`, format: 'JSONEachRow' });
        assert.equal(result.response_headers['content-encoding'], codec);
        assert.deepEqual(await result.json(), values);
        await assert.rejects(askOne(client, 'SELECT no_such_column'), { type: 'UNKNOWN_IDENTIFIER' });
      } finally {
        await client.close();
      }
    });
  }
}

/** How much more memory a process had at its peak than at the start. */
function watchMemory(pid: number): { stop(): number } | undefined {
  if (process.platform !== 'linux') return undefined;
  const read = () => residentBytes(pid);
  const before = read();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, read());
  }, 20);
  return {
    stop() {
      clearInterval(timer);
      return peak - before;
    },
  };
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
