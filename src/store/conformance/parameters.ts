// Bound values reach the engine as they are, and never as SQL.
import assert from 'node:assert/strict';
import { ClickHouseError, TupleParam } from '@clickhouse/client';
import { askOne, askRows } from './asking.ts';
import type { Promises } from './bench.ts';

const hostile = [
  '',
  "'; DROP TABLE events; --",
  "\\'; SELECT 1; --",
  'back\\slash \\n \\0 \\N \\',
  'tab\tline\nreturn\rnul\0end',
  '{name:String} {{ }} $1 ? %s %00 &a=b#c +',
  'é ß 漢字 👩‍👩‍👧‍👦 \u2028',
  '\\N',
  'NULL',
];

const cases: { type: string; value: unknown; expected: unknown }[] = [
  { type: 'Int64', value: -9223372036854775808n, expected: '-9223372036854775808' },
  { type: 'UInt64', value: '18446744073709551615', expected: '18446744073709551615' },
  { type: 'Float64', value: 1.5, expected: '1.5' },
  { type: 'Float64', value: Number.NEGATIVE_INFINITY, expected: '-inf' },
  { type: 'Bool', value: true, expected: 'true' },
  { type: 'Nullable(String)', value: null, expected: null },
  { type: 'DateTime64(3)', value: new Date(1_700_000_000_123), expected: '2023-11-14 22:13:20.123' },
  { type: 'Array(String)', value: ["a'b", 'c\\d', '\n'], expected: "['a\\'b','c\\\\d','\\n']" },
  { type: 'Array(Nullable(Int32))', value: [1, null], expected: '[1,NULL]' },
  { type: 'Map(String, String)', value: { "k'": "v'" }, expected: "{'k\\'':'v\\''}" },
  { type: 'Tuple(Int8, String)', value: new TupleParam([1, "x'"]), expected: "(1,'x\\'')" },
  { type: 'UUID', value: '018f4e5a-7b6c-7d8e-9f00-112233445566', expected: '018f4e5a-7b6c-7d8e-9f00-112233445566' },
];

export function promiseParameters(promise: Promises): void {
  promise('a bound text is the text, however hostile', async ({ client }) => {
    for (const text of hostile) {
      const bytes = Buffer.byteLength(text);
      assert.deepEqual(await askRows(client, 'SELECT {text:String}, toUInt32(length({text:String}))', { text }), [
        [text, bytes],
      ]);
    }
  });

  promise('a value of every type can be bound', async ({ client }) => {
    for (const { type, value, expected } of cases) {
      const asText = type.startsWith('Nullable') ? `{value:${type}}` : `toString({value:${type}})`;
      assert.equal(await askOne(client, `SELECT ${asText}`, { value }), expected, type);
    }
  });

  promise('a name can be bound as an identifier', async ({ client }) => {
    const query_params = { database: 'system', table: 'one' };
    const query = 'SELECT toUInt32(count()) FROM {database:Identifier}.{table:Identifier}';
    assert.equal(await askOne(client, query, query_params), 1);
  });

  promise('a list of ten thousand values can be bound', async ({ client }) => {
    const values = Array.from({ length: 10_000 }, (_, at) => `value-${at}`);
    assert.equal(await askOne(client, 'SELECT toUInt32(length({values:Array(String)}))', { values }), values.length);
  });

  promise('a value that does not fit its type is refused', async ({ client }) => {
    await assert.rejects(askOne(client, 'SELECT {value:Int8}', { value: 'x' }), (error: ClickHouseError) => {
      assert.ok(error instanceof ClickHouseError);
      assert.equal(error.type, 'BAD_QUERY_PARAMETER');
      return true;
    });
  });

  promise('a value bound in one query is not there in the next', async ({ client }) => {
    for (let at = 0; at < 5; at += 1) await askOne(client, 'SELECT {only_once:Int8}', { only_once: at });
    await assert.rejects(askOne(client, 'SELECT {only_once:Int8}'), { type: 'UNKNOWN_QUERY_PARAMETER' });
  });

  promise('queries at the same time do not see each other’s values', async ({ client }) => {
    const values = Array.from({ length: 80 }, (_, at) => at);
    const answers = await Promise.all(values.map((value) => askOne(client, 'SELECT {value:UInt32}', { value })));
    assert.deepEqual(answers, values);
  });
}
