import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_PROJECT } from '../../test/reference/query/context.ts';
import { cacheKey } from './cache.ts';
import { freshnessOf } from './freshness.ts';
import { readRefresh, readVisitorRefresh } from './refresh.ts';

const trends = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'a' }] };

test('the same question has the same key, however it is written', () => {
  const key = cacheKey(trends, TEST_PROJECT);
  assert.equal(
    cacheKey({ series: [{ event: 'a', kind: 'EventsNode', math: null }], kind: 'TrendsQuery', tags: {} }, TEST_PROJECT),
    key,
  );
  for (const other of [
    cacheKey({ ...trends, interval: 'week' }, TEST_PROJECT),
    cacheKey(trends, { ...TEST_PROJECT, id: 2 }),
    cacheKey(trends, { ...TEST_PROJECT, timezone: 'Asia/Tokyo' }),
    cacheKey(trends, { ...TEST_PROJECT, weekStartDay: 1 }),
    cacheKey({ ...trends, filterTestAccounts: true }, { ...TEST_PROJECT, testAccountFilters: [{ key: 'x' }] }),
  ]) {
    assert.notEqual(other, key);
  }
});

test('an answer by months stays fresh for longer than one by minutes', () => {
  const age = (interval: string) => freshnessOf({ ...trends, interval }, 0, undefined).freshUntil;
  assert.deepEqual(
    ['minute', 'hour', 'day', 'week', 'month'].map(age),
    [15_000, 900_000, 7_200_000, 43_200_000, 86_400_000],
  );
  const over = freshnessOf({ ...trends, interval: 'minute' }, Date.UTC(2025, 5, 1), '2025-01-01T00:00:00Z');
  assert.equal(over.freshUntil, Date.UTC(2025, 5, 2), 'what is over does not change any more');
});

const words: [given: unknown, meant: string, toVisitors: string][] = [
  [undefined, 'force_cache', 'lazy_async'],
  ['false', 'force_cache', 'lazy_async'],
  ['nonsense', 'force_cache', 'lazy_async'],
  ['', 'force_blocking', 'blocking'],
  ['true', 'force_blocking', 'blocking'],
  [true, 'force_blocking', 'blocking'],
  ['async', 'async', 'async'],
  ['force_async', 'force_async', 'lazy_async'],
];
for (const [given, meant, toVisitors] of words) {
  test(`refresh=${String(given)} means ${meant}, and ${toVisitors} to visitors`, () => {
    assert.deepEqual([readRefresh(given), readVisitorRefresh(given)], [meant, toVisitors]);
  });
}
