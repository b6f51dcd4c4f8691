import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../capture/exact-json.ts';
import { applyGroupUpdate, type Group, readEventGroups, readGroupUpdate } from './groups.ts';

const FIVE = { a: 0, b: 1, c: 2, d: 3, e: 4 };
const naming: {
  name: string;
  types: Record<string, number>;
  groups: Json;
  properties: JsonObject;
  after: Record<string, number>;
}[] = [
  {
    name: 'the first type',
    types: {},
    groups: { company: 'acme' },
    properties: { $group_0: 'acme' },
    after: { company: 0 },
  },
  {
    name: 'a known type',
    types: { company: 2 },
    groups: { company: 'acme' },
    properties: { $group_2: 'acme' },
    after: { company: 2 },
  },
  {
    name: 'the lowest free number',
    types: { a: 0, c: 2 },
    groups: { b: 'x' },
    properties: { $group_1: 'x' },
    after: { a: 0, c: 2, b: 1 },
  },
  {
    name: 'two new types',
    types: {},
    groups: { a: 1, b: 2 },
    properties: { $group_0: 1, $group_1: 2 },
    after: { a: 0, b: 1 },
  },
  { name: 'a sixth type', types: FIVE, groups: { f: 'x', b: 'y' }, properties: { $group_1: 'y' }, after: FIVE },
  { name: 'none, as PHP sends it', types: {}, groups: [], properties: {}, after: {} },
  { name: 'nonsense', types: {}, groups: 'acme', properties: {}, after: {} },
  {
    name: 'a type that every object knows',
    types: {},
    groups: { constructor: 'x' },
    properties: { $group_0: 'x' },
    after: { constructor: 0 },
  },
];
for (const { name, types, groups, properties, after } of naming) {
  test(`an event names ${name}`, () => {
    const known = new Map(Object.entries(types));
    const read = readEventGroups({ $groups: groups }, known);
    assert.deepEqual(read.properties, properties);
    assert.deepEqual(Object.fromEntries(read.types), after);
    assert.deepEqual(known, new Map(Object.entries(types)), 'the given types are not touched');
  });
}

const readings: { properties: JsonObject; reads: unknown }[] = [
  {
    properties: { $group_type: 'company', $group_key: 'acme', $group_set: { a: 1 } },
    reads: { group_type: 'company', group_key: 'acme', $group_set: { a: 1 } },
  },
  {
    properties: { $group_type: 'company', $group_key: 5 },
    reads: { group_type: 'company', group_key: '5', $group_set: {} },
  },
  {
    properties: { $group_type: 'company', $group_key: 'acme', $group_set: [] },
    reads: { group_type: 'company', group_key: 'acme', $group_set: {} },
  },
  { properties: { $group_type: 'company' }, reads: undefined },
  { properties: { $group_key: 'acme' }, reads: undefined },
  { properties: { $group_type: '', $group_key: 'acme' }, reads: undefined },
  {
    properties: { $group_type: 'company', $group_key: 'x'.repeat(400) },
    reads: { group_type: 'company', group_key: 'x'.repeat(400), $group_set: {} },
  },
  { properties: { $group_type: 'company', $group_key: 'x'.repeat(401) }, reads: 'group_key_too_long' },
  { properties: { $group_type: 'company', $group_key: 'acme', $group_set: 'a' }, reads: 'invalid_group_set' },
];
for (const { properties, reads } of readings) {
  test(`$groupidentify with ${JSON.stringify(properties).slice(0, 90)}`, () => {
    const update = readGroupUpdate(properties);
    assert.deepEqual(update && 'dropped' in update ? update.dropped : update, reads);
  });
}

const stored: Group = { properties: { a: 1, b: 1 }, created_at: 100, version: 3 };
const updates: { name: string; before: Group | undefined; set: JsonObject; at: number; after: Group }[] = [
  {
    name: 'new',
    before: undefined,
    set: { a: 1 },
    at: 50,
    after: { properties: { a: 1 }, created_at: 50, version: 1 },
  },
  {
    name: 'new, from the future',
    before: undefined,
    set: {},
    at: 500,
    after: { properties: {}, created_at: 200, version: 1 },
  },
  {
    name: 'changed',
    before: stored,
    set: { b: 2, c: 2 },
    at: 150,
    after: { properties: { a: 1, b: 2, c: 2 }, created_at: 100, version: 4 },
  },
  {
    name: 'older than known',
    before: stored,
    set: {},
    at: 50,
    after: { properties: { a: 1, b: 1 }, created_at: 50, version: 4 },
  },
];
for (const { name, before, set, at, after } of updates) {
  test(`a group is ${name}`, () => assert.deepEqual(applyGroupUpdate(before, set, at, 200), after));
}

test('a group that an update does not change is not written', () => {
  assert.equal(applyGroupUpdate(stored, { a: 1 }, 150, 200), stored);
});
