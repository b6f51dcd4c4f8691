import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kinds, newQuery, newSeries } from './defaults.ts';
import type { InsightQuery } from './nodes.ts';
import { describe, toReady } from './ready.ts';

test('a condition that is still being written is not asked', () => {
  const query: InsightQuery = {
    kind: 'TrendsQuery',
    series: [{ ...newSeries('a'), properties: [{ key: '', type: 'event', operator: 'exact', value: [] }] }],
    properties: [
      { key: 'plan', type: 'event', operator: 'exact', value: ['free'] },
      { key: 'plan', type: 'event', operator: 'icontains', value: '' },
      { key: 'plan', type: 'event', operator: 'is_set' },
    ],
  };
  const ready = toReady(query);
  assert.deepEqual(ready.series?.[0]?.properties, []);
  assert.equal((ready.properties as unknown[]).length, 2);
});

test('a sum without its property counts times until the property is chosen', () => {
  const series = { ...newSeries('a'), math: 'sum' };
  assert.equal(toReady({ kind: 'TrendsQuery', series: [series] }).series?.[0]?.math, 'total');
  const whole = { ...series, math_property: 'price' };
  assert.equal(toReady({ kind: 'TrendsQuery', series: [whole] }).series?.[0]?.math, 'sum');
});

for (const kind of kinds) {
  test(`a ${kind} keeps the time and filters of the question it was made from`, () => {
    const properties = [{ key: 'plan', type: 'event' as const, operator: 'is_set' }];
    const from: InsightQuery = {
      kind: 'TrendsQuery',
      series: [newSeries('a')],
      dateRange: { date_from: '-90d' },
      properties,
    };
    const made = newQuery(kind, from);
    assert.equal(made.kind, kind);
    assert.notEqual(describe(made), '');
    if (kind === 'HogQLQuery') return;
    assert.deepEqual([made.dateRange, made.properties], [from.dateRange, properties]);
  });
}

test('a funnel has two steps at least', () => {
  assert.equal(newQuery('FunnelsQuery').series?.length, 2);
});
