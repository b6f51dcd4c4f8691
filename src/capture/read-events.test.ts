import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CaptureError } from './capture-error.ts';
import { type CapturedRequest, type ReadOptions, readEvents, readSentAt } from './read-events.ts';

const NOW_MS = 1_750_000_000_000;
const read = async (json: string, options: Partial<ReadOptions> = {}): Promise<CapturedRequest> =>
  readEvents(Buffer.from(json), { engage: false, strict: false, nowMs: NOW_MS, ...options });

const show = ({ events, drops }: CapturedRequest) => ({
  events: events.map(({ event, distinct_id, properties }) => `${event} of ${distinct_id} ${properties}`),
  drops: drops.map(({ reason, count }) => `${reason} ${count}`),
});

/** Bodies that are taken in. The key is always `phc_k`. */
const shapes: { name: string; json: string; options?: Partial<ReadOptions>; events?: string[]; drops?: string[] }[] = [
  {
    name: 'one event',
    json: '{"api_key":"phc_k","event":"e","distinct_id":"u","properties":{"a":1}}',
    events: ['e of u {"a":1}'],
  },
  {
    name: 'one event without properties',
    json: '{"token":"phc_k","event":"e","distinct_id":"u"}',
    events: ['e of u {}'],
  },
  {
    name: 'one event of the browser client: key and id inside the properties',
    json: '{"event":"$pageview","properties":{"token":"phc_k","distinct_id":"u"},"offset":12}',
    events: ['$pageview of u {"token":"phc_k","distinct_id":"u"}'],
  },
  {
    name: 'an array of events',
    json: '[{"event":"a","properties":{"token":"phc_k","distinct_id":"u"}},{"event":"b","properties":{"token":"phc_k","distinct_id":"u"}}]',
    events: ['a of u {"token":"phc_k","distinct_id":"u"}', 'b of u {"token":"phc_k","distinct_id":"u"}'],
  },
  {
    name: 'an array where only one event has the key',
    json: '[{"event":"a","distinct_id":"u"},{"api_key":"phc_k","event":"b","distinct_id":"v"}]',
    events: ['a of u {}', 'b of v {}'],
  },
  {
    name: 'an envelope',
    json: '{"api_key":"phc_k","historical_migration":false,"batch":[{"event":"a","distinct_id":"u"}],"sent_at":"2025-07-01T11:00:00Z"}',
    events: ['a of u {}'],
  },
  {
    name: 'an envelope whose key comes after the batch and wins over those of the events',
    json: '{"batch":[{"event":"a","distinct_id":"u","api_key":"phc_other"},{"event":"b","distinct_id":"u","api_key":"phc_third"}],"token":"phc_k"}',
    events: ['a of u {}', 'b of u {}'],
  },
  {
    name: 'an envelope without a key around events with one',
    json: '{"batch":[{"event":"a","distinct_id":"u","api_key":"phc_k"}]}',
    events: ['a of u {}'],
  },
  {
    name: 'an envelope with members nobody knows',
    json: '{"api_key":"phc_k","type":"x","context":{"a":[1]},"batch":[{"event":"a","distinct_id":"u","messageId":"m","context":{}}]}',
    events: ['a of u {}'],
  },
  {
    name: 'one event that has something named batch',
    json: '{"api_key":"phc_k","event":"e","distinct_id":"u","batch":"spring"}',
    events: ['e of u {}'],
  },
  {
    name: 'a person for /engage',
    json: '{"$token":"phc_k","$distinct_id":"u","$set":{"name":"Eva"}}',
    options: { engage: true },
    events: ['$identify of u {}'],
  },
  {
    name: 'a named event for /engage',
    json: '{"token":"phc_k","event":"e","distinct_id":"u"}',
    options: { engage: true },
    events: ['e of u {}'],
  },
  {
    name: 'a key from a form field',
    json: '{"event":"e","distinct_id":"u"}',
    options: { fallback_token: 'phc_k' },
    events: ['e of u {}'],
  },
  {
    name: 'an id that is a number, of which every digit counts',
    json: '{"token":"phc_k","event":"e","distinct_id":9007199254740993}',
    events: ['e of 9007199254740993 {}'],
  },
  {
    name: 'properties that PHP wrote when there were none',
    json: '{"token":"phc_k","event":"e","distinct_id":"u","properties":[]}',
    events: ['e of u {}'],
  },
  {
    name: 'null for everything optional',
    json: '{"token":"phc_k","event":"e","distinct_id":"u","properties":null,"uuid":null,"timestamp":null,"offset":null,"$set":null}',
    events: ['e of u {}'],
  },
  {
    name: 'members given twice: the last counts',
    json: '{"token":"phc_k","event":"first","event":"e","distinct_id":"u","properties":{"a":1},"properties":{"b":2}}',
    events: ['e of u {"b":2}'],
  },
  {
    name: 'an escaped member name',
    json: '{"token":"phc_k","event":"e","distinct_id":"u","propert\\u0069es":{"b":2}}',
    events: ['e of u {"b":2}'],
  },
  {
    name: 'properties exactly as sent',
    json: '{"token":"phc_k","event":"e","distinct_id":"u","properties": { "n" : 12345678901234567890, "n":1.0,"2":"\\u00e9\\ud800","1":"é","__proto__":{"x":-0}} }',
    events: ['e of u { "n" : 12345678901234567890, "n":1.0,"2":"\\u00e9\\ud800","1":"é","__proto__":{"x":-0}}'],
  },
  {
    name: 'good events around bad ones, in order',
    json: `{"api_key":"phc_k","batch":[
      {"event":"a","distinct_id":"u"},
      {"event":"","distinct_id":"u"}, {"distinct_id":"u"}, {"event":5,"distinct_id":"u"}, {"event":null,"distinct_id":"u"},
      {"event":"b","distinct_id":"u"},
      {"event":"x"}, {"event":"x","distinct_id":null}, {"event":"x","distinct_id":""}, {"event":"x","distinct_id":"  "},
      null, "text", 5, [],
      {"event":"c","distinct_id":"u"},
      {"event":"x","distinct_id":"u","properties":"text"},
      {"event":"x","distinct_id":"u","properties":[1]},
      {"event":"x","distinct_id":"u","uuid":"one"},
      {"event":"x","distinct_id":"u","uuid":5},
      {"event":"x","distinct_id":"u","properties":{"$cookieless_mode":"yes"}},
      {"event":"$performance_event","distinct_id":"u"},
      {"event":"d","distinct_id":"u"}]}`,
    events: ['a of u {}', 'b of u {}', 'c of u {}', 'd of u {}'],
    drops: [
      'missing_event_name 4',
      'missing_distinct_id 4',
      'not_an_object 4',
      'invalid_properties 2',
      'invalid_uuid 2',
      'invalid_cookieless_mode 1',
      'performance_event 1',
    ],
  },
  {
    name: 'one event without a name',
    json: '{"token":"phc_k","distinct_id":"u"}',
    drops: ['missing_event_name 1'],
  },
  {
    name: 'an event nested as deep as allowed, and one level deeper',
    json: `[{"token":"phc_k","event":"e","distinct_id":"u","p":${'['.repeat(127)}${']'.repeat(127)}},{"event":"f","distinct_id":"u","p":${'['.repeat(128)}${']'.repeat(128)}}]`,
    events: ['e of u {}'],
    drops: ['nested_too_deeply 1'],
  },
  {
    name: 'one event nested too deeply, with its key beside what is nested',
    json: `{"event":"e","distinct_id":"u","p":${'['.repeat(128)}${']'.repeat(128)},"api_key":"phc_k"}`,
    drops: ['nested_too_deeply 1'],
  },
  {
    name: 'one event nested too deeply, with its key inside the properties',
    json: `{"event":"e","distinct_id":"u","properties":{"p":${'['.repeat(128)}${']'.repeat(128)},"token":"phc_k"}}`,
    drops: ['nested_too_deeply 1'],
  },
  {
    name: 'an event that is too large beside one that is not',
    json: `[{"token":"phc_k","event":"e","distinct_id":"u"},{"event":"f","distinct_id":"u","properties":{"a":"${'x'.repeat(1_000_000)}"}}]`,
    events: ['e of u {}'],
    drops: ['event_too_large 1'],
  },
];
for (const { name, json, options, events = [], drops = [] } of shapes) {
  test(`taken in: ${name}`, async () => {
    const request = await read(json, options);
    assert.equal(request.token, 'phc_k');
    assert.deepEqual(show(request), { events, drops });
  });
}

/** Bodies that are refused whole. */
const refusals: { name: string; json: string; options?: Partial<ReadOptions>; status: number; message: RegExp }[] = [
  { name: 'no JSON', json: '<xml/>', status: 400, message: /^failed to parse request: / },
  { name: 'a text', json: '"event"', status: 400, message: /object or array was expected/ },
  { name: 'null', json: 'null', status: 400, message: /object or array/ },
  { name: 'an open array', json: '[{"event":"e"}', status: 400, message: /failed to parse/ },
  { name: 'an open object', json: '{"event":"e"', status: 400, message: /failed to parse/ },
  { name: 'something after the end', json: '[] x', status: 400, message: /failed to parse/ },
  { name: 'a comma too many', json: '[{"event":"e"},]', status: 400, message: /failed to parse/ },
  { name: 'an event that is no JSON', json: '[{"event":tru}]', status: 400, message: /failed to parse/ },
  {
    name: 'brackets that do not match',
    json: '{"batch":[{"event":"e","properties":[}]}]}',
    status: 400,
    message: /failed to parse/,
  },
  {
    name: 'an envelope with bad JSON beside the batch',
    json: '{"api_key":"phc_k","x":tru,"batch":[{"event":"e","distinct_id":"u"}]}',
    status: 400,
    message: /failed to parse/,
  },
  { name: 'two batches', json: '{"api_key":"phc_k","batch":[],"batch":[]}', status: 400, message: /twice/ },
  {
    name: 'a batch that is no array',
    json: '{"api_key":"phc_k","batch":{}}',
    status: 400,
    message: /must be an array/,
  },
  { name: 'an empty array', json: '[]', status: 400, message: /^request holds no event$/ },
  { name: 'an empty batch, key or not', json: '{"batch":[]}', status: 400, message: /^request holds no event$/ },
  {
    name: 'no key',
    json: '{"event":"e","distinct_id":"u"}',
    status: 401,
    message: /^event submitted without an api_key$/,
  },
  { name: 'no key, and no name either', json: '{}', status: 401, message: /without an api_key/ },
  {
    name: 'two keys',
    json: '[{"token":"a","event":"e"},{"token":"b","event":"e"}]',
    status: 401,
    message: /inconsistent api_key/,
  },
  {
    name: 'a personal key',
    json: '{"api_key":"phx_1","event":"e","distinct_id":"u"}',
    status: 401,
    message: /^API key is not valid: personal_api_key$/,
  },
  {
    name: 'nothing but an event that is too large',
    json: `{"token":"phc_k","event":"e","distinct_id":"u","properties":{"a":"${'x'.repeat(1_000_000)}"}}`,
    status: 413,
    message: /^maximum event size exceeded/,
  },
  {
    name: 'nothing but events that are too large',
    json: `{"token":"phc_k","batch":[{"event":"e","distinct_id":"u","properties":{"a":"${'x'.repeat(1_000_000)}"}}]}`,
    status: 413,
    message: /^maximum event size exceeded/,
  },
  {
    name: 'strict: no name',
    json: '{"token":"k","event":"","distinct_id":"u"}',
    options: { strict: true },
    status: 400,
    message: /^event submitted with an empty event name$/,
  },
  {
    name: 'strict: one of five without an id',
    json: '[{"token":"k","event":"e","distinct_id":"u"},{"event":"e"}]',
    options: { strict: true },
    status: 400,
    message: /^event submitted without a distinct_id$/,
  },
];
for (const { name, json, options, status, message } of refusals) {
  test(`refused: ${name}`, async () => {
    await assert.rejects(read(json, options), (error) => {
      assert.ok(error instanceof CaptureError, String(error));
      assert.equal(error.status, status);
      assert.match(error.message, message);
      return true;
    });
  });
}

test('strict: what the original discards in silence is no reason to refuse', async () => {
  const { drops } = await read('{"token":"k","event":"$performance_event","distinct_id":"u"}', { strict: true });
  assert.equal(drops[0]?.reason, 'performance_event');
});

test('the fields of an event are kept as sent', async () => {
  const { events } =
    await read(`{"token":"k","event":"e","distinct_id":"u","uuid":"01823E89-F75D-0000-0D4D-3D43E54F6DE5",
    "timestamp":"2025-01-02T03:04:05.678901+02:00","offset":250,"$set":{"a":1.0},"$set_once":{"b":2},"type":"x"}`);
  const { properties, $set, $set_once, ...fields } = events[0]!;
  assert.deepEqual(fields, {
    uuid: '01823e89-f75d-0000-0d4d-3d43e54f6de5',
    event: 'e',
    distinct_id: 'u',
    timestamp: '2025-01-02T03:04:05.678901+02:00',
    offset: 250,
  });
  assert.deepEqual([$set, $set_once, properties].map(String), ['{"a":1.0}', '{"b":2}', '{}']);
});

test('an event without uuid gets one that tells when it was received', async () => {
  const { events } = await read('{"token":"k","event":"e","distinct_id":"u","uuid":""}');
  assert.ok(events[0]!.uuid.startsWith(NOW_MS.toString(16).padStart(12, '0').slice(0, 8)));
});

test('a drop tells of the first event it happened to', async () => {
  const { drops } = await read('[{"token":"k","event":"e","distinct_id":"u"},{"event":"late"},{"event":"later"}]');
  assert.equal(drops[0]?.count, 2);
  assert.equal(drops[0]?.details.index, 1);
  assert.equal(drops[0]?.details.event, 'late');
});

test('a migration says so, and only with true', async () => {
  const migration = async (value: string) =>
    (await read(`{"token":"k","historical_migration":${value},"batch":[{"event":"e","distinct_id":"u"}]}`))
      .historical_migration;
  assert.deepEqual([await migration('true'), await migration('false'), await migration('"yes"')], [true, false, false]);
});

const sentAts = [
  { body: '2025-07-01T11:00:00.000Z', query: undefined, sent_at: '2025-07-01T11:00:00.000Z' },
  { body: '2025-07-01T11:00:00.123456+00:00', query: '1750000000000', sent_at: '2025-07-01T11:00:00.123456+00:00' },
  { body: '2025-07-01T11:00:00', query: undefined, sent_at: undefined },
  { body: 'yesterday', query: '1750000000000', sent_at: '2025-06-15T15:06:40.000Z' },
  { body: 1_750_000_000_000, query: undefined, sent_at: undefined },
  { body: undefined, query: '1750000000000', sent_at: '2025-06-15T15:06:40.000Z' },
  { body: undefined, query: '1750000000', sent_at: undefined },
  { body: undefined, query: '-1', sent_at: undefined },
  { body: undefined, query: 'abc', sent_at: undefined },
  { body: undefined, query: '99999999999999999999', sent_at: undefined },
];
for (const { body, query, sent_at } of sentAts) {
  test(`sent at ${body} in the body and ${query} in the query: ${sent_at}`, () => {
    assert.equal(readSentAt(body, query), sent_at);
  });
}

test('an envelope of python clients names its time sentAt', async () => {
  const { sent_at } = await read(
    '{"token":"k","batch":[{"event":"e","distinct_id":"u"}],"sentAt":"2025-07-01T11:00:00+00:00"}',
  );
  assert.equal(sent_at, '2025-07-01T11:00:00+00:00');
});

for (const item of ['{"event":"e","distinct_id":"u","properties":{"a":[1,2,3]}}', '"no event"']) {
  test(`a large request of ${item} lets others be served meanwhile`, async () => {
    const json = `{"api_key":"k","batch":[${Array(20_000).fill(item).join(',')}]}`;
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    const { events, drops } = await read(json).finally(() => clearInterval(timer));
    assert.equal(events.length + (drops[0]?.count ?? 0), 20_000);
    assert.ok(turns >= 3, `${turns} turns`);
  });
}
