import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDistinctId } from './distinct-id.ts';
import { isJsonObject, type JsonObject, ownValue, parseExact } from './exact-json.ts';

/** The event as sent, and whom it is about. */
const cases = [
  { sent: '{"distinct_id":"u1"}', id: 'u1' },
  { sent: '{"$distinct_id":"u1"}', id: 'u1' },
  { sent: '{"properties":{"distinct_id":"u1"}}', id: 'u1' },
  { sent: '{"distinct_id":"top","$distinct_id":"dollar","properties":{"distinct_id":"inner"}}', id: 'top' },
  { sent: '{"$distinct_id":"dollar","properties":{"distinct_id":"inner"}}', id: 'dollar' },
  { sent: '{"distinct_id":null,"properties":{"distinct_id":"inner"}}', id: 'inner' },
  { sent: '{"distinct_id":"","properties":{"distinct_id":"inner"}}', id: undefined },
  { sent: '{}', id: undefined },
  { sent: '{"distinct_id":" \\t "}', id: undefined },
  { sent: '{"distinct_id":" u1 "}', id: ' u1 ' },
  { sent: '{"distinct_id":23.4}', id: '23.4' },
  { sent: '{"distinct_id":0}', id: '0' },
  { sent: '{"distinct_id":12345678901234567890}', id: '12345678901234567890' },
  { sent: '{"distinct_id":true}', id: 'true' },
  { sent: '{"distinct_id":["a","b"]}', id: '["a","b"]' },
  { sent: '{"distinct_id":{"b":1,"a":{"d":2,"c":[]}}}', id: '{"a":{"c":[],"d":2},"b":1}' },
  { sent: '{"distinct_id":"a\\u0000b"}', id: 'a\ufffdb' },
  { sent: '{"distinct_id":"a\\ud800b"}', id: 'a\ufffdb' },
  { sent: `{"distinct_id":"${'x'.repeat(201)}"}`, id: 'x'.repeat(200) },
  { sent: `{"distinct_id":"${'\u{1f994}'.repeat(201)}"}`, id: '\u{1f994}'.repeat(200) },
  { sent: '{"properties":{"constructor":1}}', id: undefined },
];
for (const { sent, id } of cases) {
  test(`${sent.slice(0, 80)} is about ${id?.slice(0, 40) ?? 'nobody'}`, () => {
    const event = parseExact(sent) as JsonObject;
    const properties = ownValue(event, 'properties');
    assert.equal(readDistinctId(event, isJsonObject(properties) ? properties : {}), id);
  });
}
