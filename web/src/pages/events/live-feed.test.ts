import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TailLine } from '../../api/follow-events.ts';
import { emptyFeed, FEED_MAX, matchFeed, withLines } from './live-feed.ts';

const event = (uuid: string, fate: 'waiting' | 'stored' = 'stored', name = 'e'): TailLine => ({
  kind: 'event',
  uuid,
  fate,
  event: name,
  distinct_id: 'ada',
  accepted_at: '2025-01-01T00:00:00Z',
  reason: null,
});
const leftOut: TailLine = {
  kind: 'left_out',
  accepted_at: '2025-01-01T00:00:00Z',
  reason: 'missing_event_name',
  count: 2,
  event: null,
  distinct_id: 'ada',
};

let count = 0;
const serial = () => {
  count += 1;
  return count;
};

test('the newest comes first, and an event keeps its place when its fate becomes known', () => {
  const before = withLines(emptyFeed, [event('a', 'waiting'), event('b')], serial);
  const after = withLines(before, [event('c'), event('a')], serial);

  assert.deepEqual(
    after.lines.map((line) => line.kind === 'event' && `${line.uuid} ${line.fate}`),
    ['c stored', 'b stored', 'a stored'],
  );
});

test('however much comes in, so much is kept and no more', () => {
  let feed = emptyFeed;
  for (let batch = 0; batch < 50; batch += 1) {
    const lines = Array.from({ length: 100 }, (_, index) => event(`${batch}-${index}`));
    feed = withLines(feed, [...lines, { kind: 'passed_over', count: 3 }], serial);
  }

  assert.equal(feed.lines.length, FEED_MAX);
  assert.equal(feed.passedOver, 150);
});

test('what was left out is found by its fate, and events by part of their name', () => {
  const { lines } = withLines(emptyFeed, [event('a', 'stored', 'Bought a hat'), event('b'), leftOut, leftOut], serial);

  assert.equal(matchFeed(lines, { fate: 'dropped' }).length, 2);
  assert.equal(matchFeed(lines, { event: 'hat' }).length, 1);
  assert.equal(matchFeed(lines, { person: 'bob' }).length, 0);
});
