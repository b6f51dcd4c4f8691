import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEvents } from './read-events.ts';
import { decodeRecord, type EventRecord, encodeDrop, eventEncoder, type RequestFacts } from './record.ts';

const facts: RequestFacts = {
  team_id: 7,
  now: 1_750_000_000_000,
  sent_at: '2025-07-01T11:00:00.000Z',
  ip: '2001:db8::1',
  historical_migration: true,
};

async function throughTheLog(json: string, given = facts): Promise<EventRecord> {
  const { events } = await readEvents(Buffer.from(json), { engage: false, strict: false, nowMs: given.now });
  const record = decodeRecord(eventEncoder(given)(events[0]!));
  assert.equal(record.kind, 'event');
  return record as EventRecord;
}

test('an event comes out of the log as it went in', async () => {
  const { properties, ...fields } =
    await throughTheLog(`{"token":"k","event":"e \\"quoted\\" \\n \u{1f994}","distinct_id":"ü","uuid":
    "01823e89-f75d-0000-0d4d-3d43e54f6de5","timestamp":"2025-01-02","offset":3,"$set":{"a":{"properties":1}},"$set_once":{"b":2},"$unset":["c \\"","d"]}`);
  assert.deepEqual(fields, {
    kind: 'event',
    ...facts,
    uuid: '01823e89-f75d-0000-0d4d-3d43e54f6de5',
    event: 'e "quoted" \n \u{1f994}',
    distinct_id: 'ü',
    timestamp: '2025-01-02',
    offset: 3,
    $set: { a: { properties: 1 } },
    $set_once: { b: 2 },
    $unset: ['c "', 'd'],
  });
  assert.equal(properties.toString(), '{}');
});

test('what was not given stays absent', async () => {
  const bare = { ...facts, sent_at: undefined, ip: undefined, historical_migration: false };
  const record = await throughTheLog('{"token":"k","event":"e","distinct_id":"u"}', bare);
  assert.equal(record.historical_migration, false);
  for (const name of ['sent_at', 'ip', 'timestamp', 'offset', '$set', '$set_once', '$unset'] as const)
    assert.equal(record[name], undefined);
});

const verbatim = [
  '{"n":12345678901234567890,"f":1.0,"e":1e400,"z":-0}',
  '{"b":1,"a":2,"2":3,"1":4}',
  '{"twice":1,"twice":2}',
  '{ "space" : [ 1 ,\n 2 ] }',
  '{"\\u0061":"\\ud800 \\u0000 \\/ é \u{1f994}"}',
  '{"__proto__":{"x":1},"constructor":null}',
  '{"properties":{"properties":{}}}',
];
for (const json of verbatim) {
  test(`properties come out byte for byte: ${JSON.stringify(json)}`, async () => {
    const record = await throughTheLog(`{"token":"k","event":"e","distinct_id":"u","properties":${json}}`);
    assert.equal(record.properties.toString(), json);
  });
}

test('numbers in $set stay exact', async () => {
  const { $set } = await throughTheLog('{"token":"k","event":"e","distinct_id":"u","$set":{"n":12345678901234567890}}');
  assert.equal(JSON.stringify($set), '{"n":12345678901234567890}');
});

test('a record is a JSON document that anyone can read', async () => {
  const { events } = await readEvents(
    Buffer.from('{"token":"k","event":"e","distinct_id":"u","$set":{"a":1},"properties":{"b":2}}'),
    {
      engage: false,
      strict: false,
      nowMs: facts.now,
    },
  );
  const { event, $set, properties } = JSON.parse(eventEncoder(facts)(events[0]!).toString());
  assert.deepEqual({ event, $set, properties }, { event: 'e', $set: { a: 1 }, properties: { b: 2 } });
});

test('events left out at the door are recorded too', () => {
  const drop = { reason: 'missing_distinct_id', count: 3, details: { index: 1, event: 'e' } } as const;
  assert.deepEqual(decodeRecord(encodeDrop(drop, facts)), { kind: 'drop', team_id: 7, now: facts.now, ...drop });
});
