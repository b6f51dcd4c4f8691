import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, type JsonObject, parseExact } from '../capture/exact-json.ts';
import { detectPropertyType, type PropertyType, readDefinitions } from './property-types.ts';

const NOW_SECONDS = 1_750_000_000;

const cases: [name: string, value: Json, type: PropertyType | null][] = [
  ['plan', 'pro', 'String'],
  ['plan', '', 'String'],
  ['amount', 12.5, 'Numeric'],
  ['amount', parseExact('12345678901234567890'), 'Numeric'],
  ['paid', true, 'Boolean'],
  ['paid', ' true ', 'Boolean'],
  ['paid', 'FALSE', 'Boolean'],
  ['paid', 'True', 'String'],
  ['nothing', null, null],
  ['list', [1], null],
  ['object', { a: 1 }, null],
  ['utm_source', 5, 'String'],
  ['$initial_utm_source', 5, 'String'],
  ['$feature/new-page', true, 'String'],
  ['$feature_flag_response', true, 'String'],
  ['$survey_response_1', 5, 'String'],
  ['seen', '2025-01-02T03:04:05Z', 'DateTime'],
  ['seen', '2025-01-02', 'DateTime'],
  ['seen', '2025/01/02', 'DateTime'],
  ['seen', '02-01-2025', 'DateTime'],
  ['seen', '2025-01-02 03:04:05', 'DateTime'],
  ['seen', 'Thu, 02 Jan 2025 03:04:05 +0000', 'DateTime'],
  ['seen', '2025-01', 'String'],
  ['created_at', NOW_SECONDS, 'DateTime'],
  ['created_at', NOW_SECONDS - 15_768_000, 'DateTime'],
  ['created_at', NOW_SECONDS - 15_768_001, 'Numeric'],
  ['createdAt', NOW_SECONDS * 1_000, 'DateTime'],
  ['timestamp', NOW_SECONDS + 0.5, 'Numeric'],
  ['seconds', NOW_SECONDS, 'Numeric'],
];
for (const [name, value, type] of cases) {
  test(`${name} with ${JSON.stringify(value)}: ${type}`, () =>
    assert.equal(detectPropertyType(name, value, NOW_SECONDS), type));
}

const noUpdate = { $set: {}, $set_once: {}, $unset: [] };

test('an event defines its properties and those of its person', () => {
  const properties: JsonObject = {
    a: 1,
    $groups: {},
    $set: { plan: 'x' },
    $group_0: 'acme',
    '$feature/f': true,
    ['x'.repeat(201)]: 1,
  };
  const update = { $set: { plan: 'x' }, $set_once: { first: 1 }, $unset: [] };
  assert.deepEqual(readDefinitions({ event: 'paid', properties, update }, NOW_SECONDS), {
    event: 'paid',
    properties: [
      { kind: 'event', name: 'a', type: 'Numeric' },
      { kind: 'event', name: '$feature/f', type: 'String' },
      { kind: 'person', name: 'first', type: 'Numeric' },
      { kind: 'person', name: 'plan', type: 'String' },
    ],
    on_event: ['a'],
  });
});

test('$groupidentify defines only what it sets on the group', () => {
  const properties = { $group_type: 'company', $group_key: 'acme', $group_set: { size: 5 } };
  assert.deepEqual(readDefinitions({ event: '$groupidentify', properties, update: noUpdate }, NOW_SECONDS).properties, [
    { kind: 'group', name: 'size', type: 'Numeric' },
  ]);
});

test('an event with too many properties defines itself only', () => {
  const properties = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p${index}`, 1]));
  const definitions = readDefinitions({ event: 'wide', properties, update: noUpdate }, NOW_SECONDS);
  assert.deepEqual(definitions, { event: 'wide', properties: [], on_event: [] });
});
