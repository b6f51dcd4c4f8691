import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, parseExact } from '../capture/exact-json.ts';
import { toStorable } from './storable-json.ts';

const cases = [
  { json: '{"a":1,"b":[true,null,"x"],"c":{"d":1.0}}', storable: '{"a":1,"b":[true,null,"x"],"c":{"d":1.0}}' },
  { json: '{"a\\u0000b":"c\\u0000"}', storable: '{"a\ufffdb":"c\ufffd"}' },
  { json: '{"a":["\\ud800","\\ud83e\\udd94"]}', storable: '{"a":["\ufffd","\u{1f994}"]}' },
  { json: '{"a":12345678901234567890,"b":1e400}', storable: '{"a":12345678901234567890,"b":1e400}' },
  { json: '{"a":1e999999,"b":1e-999999}', storable: '{"a":"1e999999","b":"1e-999999"}' },
  { json: '{"__proto__":{"a":"\\u0000"}}', storable: '{"__proto__":{"a":"\ufffd"}}' },
];
for (const { json, storable } of cases) {
  test(`${json} is stored as ${storable}`, () => {
    assert.equal(JSON.stringify(toStorable(parseExact(json) as JsonObject)), storable);
  });
}

test('a number with more digits than any database takes is stored as text', () => {
  const digits = '9'.repeat(200_000);
  assert.equal(toStorable(parseExact(`{"a":${digits}}`) as JsonObject).a, digits);
});
