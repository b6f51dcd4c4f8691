import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../../test/temp-folder.ts';
import type { EventRecord } from '../capture/record.ts';
import { SeenEvents, seenKey } from './seen-events.ts';

const DAY_MS = 86_400_000;
const record = (given: Partial<EventRecord> = {}): EventRecord => ({
  kind: 'event',
  team_id: 1,
  now: 0,
  sent_at: undefined,
  ip: undefined,
  historical_migration: false,
  uuid: '0190a5d0-0000-7000-8000-000000000001',
  event: 'bought',
  distinct_id: 'ann',
  timestamp: '2025-01-02T03:04:05.678Z',
  offset: undefined,
  $set: undefined,
  $set_once: undefined,
  $unset: undefined,
  properties: Buffer.from('{}'),
  ...given,
});

test('an event is the same whenever and however it is sent, and another when any of its marks differs', () => {
  const key = seenKey(record());
  assert.deepEqual(seenKey(record({ now: 5, sent_at: 'later', ip: '10.0.0.1' })), key);
  const others: Partial<EventRecord>[] = [
    { team_id: 2 },
    { uuid: '0190a5d0-0000-7000-8000-000000000002' },
    { event: 'sold' },
    { distinct_id: 'bob' },
    { timestamp: '2025-01-02T03:04:05.679Z' },
    { timestamp: undefined },
  ];
  for (const other of others) assert.notDeepEqual(seenKey(record(other)), key, JSON.stringify(other));
});

test('100,000 events that differ in one digit have 100,000 keys', () => {
  const keys = new Set<string>();
  for (let n = 0; n < 100_000; n += 1) keys.add(seenKey(record({ distinct_id: `user-${n}` })).toString('latin1'));
  assert.equal(keys.size, 100_000);
});

test('what was seen is remembered for three days and across openings, and then makes room', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'seen');
  const keysOf = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => seenKey(record({ distinct_id: `${name}-${n}` })));
  const start = 20_000 * DAY_MS;
  const first = keysOf('first', 500);
  let seen = new SeenEvents(path);
  await seen.add(first, start);
  await seen.close();

  seen = new SeenEvents(path);
  for (const day of [2, 3, 4]) {
    await seen.add(keysOf(`day-${day}`, 100), start + day * DAY_MS);
    assert.ok(first.every((key) => seen.has(key)));
  }
  const late = keysOf('late', 100);
  await seen.add(late, start + 6 * DAY_MS - 1);
  await seen.close();

  seen = new SeenEvents(path);
  await seen.add(keysOf('much later', 100), start + 6 * DAY_MS);
  assert.ok(first.every((key) => !seen.has(key)));
  await seen.add(keysOf('later still', 100), start + 9 * DAY_MS - 1);
  assert.ok(late.every((key) => seen.has(key)));
  assert.equal(seen.count(), 500);
  await seen.close();
});
