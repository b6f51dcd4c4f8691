import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyToLegacy, applyToQuery } from './apply-filters.ts';

const trends = (given: object = {}) => ({ kind: 'TrendsQuery', series: [], ...given });
const inFrance = { key: 'country', value: 'FR', type: 'event' };
const onMobile = { key: 'device', value: 'mobile', type: 'event' };

const cases: [title: string, query: Record<string, unknown>, filters: Record<string, unknown>, expected: unknown][] = [
  [
    'no filters change nothing',
    trends({ dateRange: { date_from: '-7d' } }),
    {},
    trends({ dateRange: { date_from: '-7d' } }),
  ],
  [
    'one end of the range replaces both',
    trends({ dateRange: { date_from: '-7d', date_to: '-1d' } }),
    { date_from: '-14d' },
    trends({ dateRange: { date_from: '-14d', date_to: null } }),
  ],
  ['properties are set where there are none', trends(), { properties: [inFrance] }, trends({ properties: [inFrance] })],
  [
    'properties of both must hold',
    trends({ properties: [onMobile] }),
    { properties: [inFrance] },
    trends({
      properties: {
        type: 'AND',
        values: [
          { type: 'AND', values: [onMobile] },
          { type: 'AND', values: [inFrance] },
        ],
      },
    }),
  ],
  [
    'a group of the insight stays a group',
    trends({ properties: { type: 'OR', values: [onMobile] } }),
    { properties: [inFrance] },
    trends({
      properties: {
        type: 'AND',
        values: [
          { type: 'OR', values: [onMobile] },
          { type: 'AND', values: [inFrance] },
        ],
      },
    }),
  ],
  [
    'all of time has nothing to be compared with',
    trends({ compareFilter: { compare: true } }),
    { date_from: 'all' },
    trends({ compareFilter: { compare: false }, dateRange: { date_from: 'all', date_to: null } }),
  ],
  [
    'wrappers are seen through',
    { kind: 'InsightVizNode', source: trends() },
    { date_from: '-1d' },
    { kind: 'InsightVizNode', source: trends({ dateRange: { date_from: '-1d', date_to: null } }) },
  ],
  [
    'SQL gets them as its filters',
    { kind: 'HogQLQuery', query: 'select 1' },
    { date_from: '-1d' },
    { kind: 'HogQLQuery', query: 'select 1', filters: { dateRange: { date_from: '-1d', date_to: null } } },
  ],
  ['a kind that knows none stays as it is', { kind: 'Other' }, { date_from: '-1d' }, { kind: 'Other' }],
];

for (const [title, query, filters, expected] of cases) {
  test(title, () => {
    const untouched = structuredClone(query);
    assert.deepEqual(applyToQuery(query, filters), expected);
    assert.deepEqual(query, untouched);
  });
}

test('the older form of a question is filtered alike', () => {
  assert.deepEqual(applyToLegacy({ insight: 'TRENDS', date_from: '-7d' }, { date_to: '-1d', properties: [inFrance] }), {
    insight: 'TRENDS',
    date_from: null,
    date_to: '-1d',
    properties: [inFrance],
  });
  assert.deepEqual(applyToLegacy({}, { date_from: '-1d' }), {});
});
