import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../capture/exact-json.ts';
import { KnownDefinitions } from './known-definitions.ts';
import type { PreparedEvent } from './prepare-event.ts';

const HOUR_MS = 3_600_000;
const event = (name: string, properties: JsonObject, $set: JsonObject = {}): PreparedEvent =>
  ({
    record: { team_id: 1 },
    event: name,
    properties,
    update: { $set, $set_once: {}, $unset: [] },
  }) as unknown as PreparedEvent;
const collect = (known: KnownDefinitions, events: PreparedEvent[], nowMs: number) => {
  const collector = known.collector(nowMs);
  for (const each of events) collector.add(each, new Map());
  const { events: names, properties, event_properties } = collector.definitions();
  return {
    events: names.map(({ name }) => name),
    properties: properties.map(({ kind, name, type }) => `${kind} ${name} ${type}`),
    pairs: event_properties.map(({ event: on, property }) => `${on} ${property}`),
  };
};
const NOTHING = { events: [], properties: [], pairs: [] };

test('each thing is written once, however many events say it', () => {
  const known = new KnownDefinitions();
  const events = [event('a', { n: 1 }, { age: 3 }), event('a', { n: 2 }, { age: 4 })];
  assert.deepEqual(collect(known, events, 0), {
    events: ['a'],
    properties: ['event n Numeric', 'person age Numeric'],
    pairs: ['a n'],
  });
  assert.deepEqual(collect(known, events, 1), NOTHING);
});

test('a property without a type is written again when a value shows one', () => {
  const known = new KnownDefinitions();
  assert.deepEqual(collect(known, [event('a', { n: null })], 0).properties, ['event n null']);
  assert.deepEqual(collect(known, [event('a', { n: null })], 1), NOTHING);
  assert.deepEqual(collect(known, [event('a', { n: 7 })], 2).properties, ['event n Numeric']);
});

test('an event is seen again at most once an hour', () => {
  const known = new KnownDefinitions();
  collect(known, [event('a', {})], 0);
  assert.deepEqual(collect(known, [event('a', {})], HOUR_MS - 1), NOTHING);
  assert.deepEqual(collect(known, [event('a', {})], HOUR_MS).events, ['a']);
});

test('what was not written after all is written the next time', () => {
  const known = new KnownDefinitions();
  const first = collect(known, [event('a', { n: 1 })], 0);
  known.clear();
  assert.deepEqual(collect(known, [event('a', { n: 1 })], 0), first);
});
