// An insert is there as a whole or not at all, and once.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ClickHouseClient } from '@clickhouse/client';
import { askOne, askRows } from './asking.ts';
import type { Promises } from './bench.ts';

const countOf = (client: ClickHouseClient, table: string) => askOne(client, `SELECT toUInt32(count()) FROM ${table}`);

async function createTable(client: ClickHouseClient, table: string, settings = ''): Promise<void> {
  const columns = "n UInt32, s String DEFAULT 'none', twice UInt64 MATERIALIZED n * 2";
  await client.command({ query: `CREATE TABLE ${table} (${columns}) ENGINE = MergeTree ORDER BY n ${settings}` });
}

const bodies: { format: string; body: string }[] = [
  { format: 'JSONEachRow', body: '{"n":1,"s":"a"}\n{"s":"b\\n","n":2}\n' },
  { format: 'JSONCompactEachRow', body: '[1,"a"]\n[2,"b\\n"]' },
  { format: 'CSV', body: '1,"a"\n2,"b\n"\n' },
  { format: 'CSVWithNames', body: 's,n\na,1\n"b\n",2\n' },
  { format: 'TabSeparated', body: '1\ta\n2\tb\\n\n' },
  { format: 'Values', body: "(1, 'a'), (2, concat('b', '\\n'))" },
];

export function promiseInserts(promise: Promises): void {
  for (const { format, body } of bodies) {
    promise(`${format} can be inserted, in pieces of any size`, async ({ client }) => {
      const table = `as_${format}`.toLowerCase();
      await createTable(client, table);
      const values = Readable.from(
        Buffer.from(body)
          .toString('latin1')
          .split('')
          .map((byte) => Buffer.from(byte, 'latin1')),
        {
          objectMode: false,
        },
      );
      const { stream } = await client.exec({ query: `INSERT INTO ${table} (n, s) FORMAT ${format}`, values });
      await buffer(stream);
      assert.deepEqual(await askRows(client, `SELECT n, s, toUInt32(twice) FROM ${table} ORDER BY n`), [
        [1, 'a', 2],
        [2, 'b\n', 4],
      ]);
    });
  }

  promise('columns that are not given have their defaults', async ({ client }) => {
    await createTable(client, 'defaults');
    await client.insert({ table: 'defaults', values: [{ n: 1 }], format: 'JSONEachRow' });
    await client.insert({ table: 'defaults', columns: ['n'], values: [[2]], format: 'JSONCompactEachRow' });
    assert.deepEqual(await askRows(client, 'SELECT n, s FROM defaults ORDER BY n'), [
      [1, 'none'],
      [2, 'none'],
    ]);
  });

  promise('data can stand in the statement', async ({ client }) => {
    await createTable(client, 'inline');
    await client.command({ query: "INSERT INTO inline (n, s) VALUES (1, 'a;b'), (2, '漢字')" });
    await client.command({ query: 'INSERT INTO inline SELECT number + 3, toString(number) FROM numbers(2)' });
    assert.deepEqual(await askRows(client, 'SELECT n, s FROM inline ORDER BY n'), [
      [1, 'a;b'],
      [2, '漢字'],
      [3, '0'],
      [4, '1'],
    ]);
  });

  promise('50 MB are one insert: one part', async ({ client }) => {
    await createTable(client, 'large');
    const rows = Array.from({ length: 10_000 }, (_, n) => ({ n, s: 'x'.repeat(4_980) }));
    const { summary } = await client.insert({ table: 'large', values: rows, format: 'JSONEachRow' });
    assert.equal(summary?.written_rows, String(rows.length));
    assert.equal(await countOf(client, 'large'), rows.length);
    const parts = "SELECT toUInt32(count()) FROM system.parts WHERE database = currentDatabase() AND table = 'large'";
    assert.equal(await askOne(client, parts), 1);
  });

  promise('one bad row, and nothing is inserted', async ({ client }) => {
    await createTable(client, 'bad_row');
    const rows = [...Array.from({ length: 20_000 }, (_, n) => ({ n: String(n) })), { n: 'not a number' }];
    await assert.rejects(client.insert({ table: 'bad_row', values: rows, format: 'JSONEachRow' }), {
      name: 'Error',
      code: '27',
    });
    assert.equal(await countOf(client, 'bad_row'), 0);
  });

  promise('a sender who leaves in the middle has inserted nothing', async ({ client }) => {
    await createTable(client, 'left');
    async function* half() {
      for (let n = 0; n < 1000; n += 1) yield { n };
      throw new Error('the sender broke off');
    }
    const values = Readable.from(half());
    await assert.rejects(client.insert({ table: 'left', values, format: 'JSONEachRow' }), /broke off/);
    // What is inserted after it is there, so the engine had its chance to take in the half.
    await client.insert({ table: 'left', values: [{ n: 1 }], format: 'JSONEachRow' });
    assert.equal(await countOf(client, 'left'), 1);
  });

  promise('an insert with a token that is known already changes nothing', async ({ client }) => {
    await createTable(client, 'once', 'SETTINGS non_replicated_deduplication_window = 1000');
    const insert = (token: string, from: number) =>
      client.insert({
        table: 'once',
        values: Array.from({ length: 1_000 }, (_, at) => ({ n: from + at })),
        format: 'JSONEachRow',
        clickhouse_settings: { insert_deduplication_token: token },
      });
    await insert('first', 0);
    await insert('first', 0);
    assert.equal(await countOf(client, 'once'), 1_000);
    await insert('first', 50_000);
    assert.equal(await countOf(client, 'once'), 1_000);
    await insert('second', 0);
    assert.equal(await countOf(client, 'once'), 2_000);
  });

  promise('inserts at the same time are all there', async ({ client }) => {
    await createTable(client, 'together');
    const batches = Array.from({ length: 24 }, (_, batch) =>
      Array.from({ length: 500 }, (_, at) => ({ n: batch * 500 + at })),
    );
    await Promise.all(batches.map((values) => client.insert({ table: 'together', values, format: 'JSONEachRow' })));
    assert.deepEqual(await askRows(client, 'SELECT toUInt32(count()), toUInt32(uniqExact(n)) FROM together'), [
      [12_000, 12_000],
    ]);
  });
}
