// Values come back as they went in, whatever their type.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { askRows } from './asking.ts';
import type { Promises } from './bench.ts';

const cases: { type: string; value: unknown; back?: unknown }[] = [
  { type: 'UInt8', value: 255 },
  { type: 'Int64', value: '-9223372036854775808' },
  { type: 'UInt64', value: '18446744073709551615' },
  { type: 'Int256', value: '57896044618658097711785492504343953926634992332820282019728792003956564819967' },
  { type: 'Float64', value: 0.1 },
  { type: 'Bool', value: true },
  { type: 'Decimal(38, 10)', value: '1234567890123456789012345678.0123456789' },
  { type: 'Date', value: '2149-06-06' },
  { type: 'DateTime', value: '2024-02-29 23:59:59' },
  { type: "DateTime64(6, 'UTC')", value: '1969-12-31 23:59:59.999999' },
  { type: 'UUID', value: '018f4e5a-7b6c-7d8e-9f00-112233445566' },
  { type: 'String', value: '' },
  { type: 'String', value: 'quote \' double " back \\ tab \t line \n return \r nul \0 end' },
  { type: 'String', value: 'é ß 漢字 العربية 👩‍👩‍👧‍👦 \u2028 \u{10ffff}' },
  { type: 'LowCardinality(String)', value: '$pageview' },
  { type: 'FixedString(4)', value: 'ab', back: 'ab\0\0' },
  { type: 'Nullable(String)', value: null },
  { type: 'Nullable(Int64)', value: '7' },
  { type: 'Array(Nullable(String))', value: ['a', null, "b'c"] },
  { type: 'Array(Array(UInt8))', value: [[], [1, 2]] },
  { type: 'Map(String, UInt64)', value: { 'a.b': '1', '': '2' } },
  { type: 'Tuple(Int8, String)', value: [-1, 'x'] },
  { type: 'Tuple(a Int8, b Array(String))', value: { a: 1, b: ['y'] } },
  { type: "Enum8('on' = 1, 'off' = 2)", value: 'off' },
  { type: 'IPv6', value: '2001:db8::1' },
];

export function promiseTypes(promise: Promises): void {
  promise('a value of every type comes back as it went in', async ({ client }) => {
    const columns = cases.map(({ type }, at) => `c${at} ${type}`).join(', ');
    await client.command({ query: `CREATE TABLE every_type (${columns}) ENGINE = MergeTree ORDER BY tuple()` });
    const row = Object.fromEntries(cases.map(({ value }, at) => [`c${at}`, value]));
    await client.insert({ table: 'every_type', values: [row], format: 'JSONEachRow' });

    const result = await client.query({
      query: 'SELECT * FROM every_type',
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 1, output_format_json_quote_decimals: 1 },
    });
    const [back] = await result.json<Record<string, unknown>>();
    cases.forEach(({ type, value, back: expected = value }, at) => {
      assert.deepEqual(back?.[`c${at}`], expected, type);
    });
  });

  promise('a text may hold any bytes', async ({ client }) => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await client.command({ query: 'CREATE TABLE any_bytes (s String) ENGINE = MergeTree ORDER BY tuple()' });
    const length = Buffer.from([0x80, 0x02]);
    await client.exec({
      query: 'INSERT INTO any_bytes FORMAT RowBinary',
      values: Readable.from([Buffer.concat([length, bytes])], { objectMode: false }),
    });
    assert.deepEqual(await askRows(client, 'SELECT hex(s) FROM any_bytes'), [[bytes.toString('hex').toUpperCase()]]);
  });

  promise('times without a zone are in UTC', async ({ client }) => {
    assert.deepEqual(await askRows(client, "SELECT timezone(), toUnixTimestamp(toDateTime('1970-01-02 00:00:00'))"), [
      ['UTC', 86_400],
    ]);
  });
}
