import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, parseExact } from '../capture/exact-json.ts';
import { applyPersonUpdate, firstProperties, type PersonUpdate, readPersonUpdate } from './person-update.ts';

const object = (json: string) => parseExact(json) as JsonObject;

const readings: {
  name: string;
  event?: string;
  properties: string;
  $set?: string;
  $set_once?: string;
  update: Partial<PersonUpdate>;
}[] = [
  { name: 'nothing', properties: '{"a":1}', update: {} },
  { name: '$set inside the properties', properties: '{"$set":{"a":1}}', update: { $set: { a: 1 } } },
  { name: '$set on top', properties: '{}', $set: '{"a":1}', update: { $set: { a: 1 } } },
  {
    name: 'both levels: the top wins for each key',
    properties: '{"$set":{"a":1,"b":1},"$set_once":{"c":1,"d":1}}',
    $set: '{"b":2}',
    $set_once: '{"d":2}',
    update: { $set: { a: 1, b: 2 }, $set_once: { c: 1, d: 2 } },
  },
  { name: '$unset as a list', properties: '{"$unset":["a",5,"b"]}', update: { $unset: ['a', 'b'] } },
  { name: '$unset as an object', properties: '{"$unset":{"a":"","b":1}}', update: { $unset: ['a', 'b'] } },
  { name: 'wrong types', properties: '{"$set":"x","$set_once":[1],"$unset":"a"}', update: {} },
  {
    name: 'what is copied by itself',
    properties: '{"$browser":"Firefox","utm_source":"mail","$lib":"web"}',
    update: {
      $set: { $browser: 'Firefox', utm_source: 'mail' },
      $set_once: { $initial_browser: 'Firefox', $initial_utm_source: 'mail' },
    },
  },
  {
    name: 'what the client set stays',
    properties: '{"$browser":"Firefox","$set":{"$browser":"mine"},"$set_once":{"$initial_browser":"first"}}',
    update: { $set: { $browser: 'mine' }, $set_once: { $initial_browser: 'first' } },
  },
  {
    name: 'an older name of the system',
    properties: '{"$os_name":"iOS"}',
    update: { $set: { $os: 'iOS' }, $set_once: { $initial_os: 'iOS' } },
  },
  {
    name: 'both names of the system',
    properties: '{"$os_name":"old","$os":"new"}',
    update: { $set: { $os: 'new' }, $set_once: { $initial_os: 'new' } },
  },
  {
    name: 'an exception',
    event: '$exception',
    properties: '{"$set":{"a":1},"$browser":"x"}',
    $set: '{"b":1}',
    update: {},
  },
  {
    name: 'a recording',
    event: '$snapshot',
    properties: '{"$set":{"a":1},"$browser":"x"}',
    update: { $set: { a: 1 } },
  },
];
for (const { name, event = 'seen', properties, $set, $set_once, update } of readings) {
  test(`read: ${name}`, () => {
    const read = readPersonUpdate({
      event,
      properties: object(properties),
      $set: $set ? object($set) : undefined,
      $set_once: $set_once ? object($set_once) : undefined,
    });
    assert.deepEqual(read, { $set: {}, $set_once: {}, $unset: [], ...update });
  });
}

const updates: {
  name: string;
  stored: string;
  event?: string;
  update: Partial<Record<keyof PersonUpdate, string>>;
  after: string;
  written: boolean;
}[] = [
  { name: 'a new property', stored: '{}', update: { $set: '{"a":1}' }, after: '{"a":1}', written: true },
  { name: 'a changed property', stored: '{"a":1}', update: { $set: '{"a":2}' }, after: '{"a":2}', written: true },
  { name: 'the same property', stored: '{"a":1}', update: { $set: '{"a":1}' }, after: '{"a":1}', written: false },
  {
    name: 'the same long number',
    stored: '{"a":12345678901234567890}',
    update: { $set: '{"a":12345678901234567890}' },
    after: '{"a":12345678901234567890}',
    written: false,
  },
  {
    name: 'another long number',
    stored: '{"a":12345678901234567890}',
    update: { $set: '{"a":12345678901234567891}' },
    after: '{"a":12345678901234567891}',
    written: true,
  },
  { name: 'an equal object', stored: '{"a":{}}', update: { $set: '{"a":{}}' }, after: '{"a":{}}', written: true },
  { name: 'once, where nothing is', stored: '{}', update: { $set_once: '{"a":1}' }, after: '{"a":1}', written: true },
  {
    name: 'once, where something is',
    stored: '{"a":1}',
    update: { $set_once: '{"a":2}' },
    after: '{"a":1}',
    written: false,
  },
  {
    name: 'once, where null is',
    stored: '{"a":null}',
    update: { $set_once: '{"a":2}' },
    after: '{"a":null}',
    written: false,
  },
  {
    name: 'once and always',
    stored: '{}',
    update: { $set_once: '{"a":1}', $set: '{"a":2}' },
    after: '{"a":2}',
    written: true,
  },
  { name: 'removed', stored: '{"a":1,"b":2}', update: { $unset: '["a","c"]' }, after: '{"b":2}', written: true },
  { name: 'set and removed', stored: '{}', update: { $set: '{"a":1}', $unset: '["a"]' }, after: '{}', written: true },
  { name: 'nothing to remove', stored: '{"b":2}', update: { $unset: '["a"]' }, after: '{"b":2}', written: false },
  {
    name: 'another page',
    stored: '{"$current_url":"/a"}',
    update: { $set: '{"$current_url":"/b"}' },
    after: '{"$current_url":"/b"}',
    written: false,
  },
  {
    name: 'the first page',
    stored: '{}',
    update: { $set: '{"$current_url":"/b"}' },
    after: '{"$current_url":"/b"}',
    written: true,
  },
  {
    name: 'another page and another name',
    stored: '{"$current_url":"/a","name":"x"}',
    update: { $set: '{"$current_url":"/b","name":"y"}' },
    after: '{"$current_url":"/b","name":"y"}',
    written: true,
  },
  {
    name: 'another page, on purpose',
    event: '$set',
    stored: '{"$current_url":"/a"}',
    update: { $set: '{"$current_url":"/b"}' },
    after: '{"$current_url":"/b"}',
    written: true,
  },
  {
    name: 'another place on the map',
    stored: '{"$geoip_latitude":1}',
    update: { $set: '{"$geoip_latitude":2}' },
    after: '{"$geoip_latitude":2}',
    written: false,
  },
  {
    name: 'another city',
    stored: '{"$geoip_city_name":"a"}',
    update: { $set: '{"$geoip_city_name":"b"}' },
    after: '{"$geoip_city_name":"b"}',
    written: true,
  },
  {
    name: 'another app version',
    stored: '{"$app_version":"1"}',
    update: { $set: '{"$app_version":"2"}' },
    after: '{"$app_version":"2"}',
    written: true,
  },
  {
    name: 'names that every object knows',
    stored: '{}',
    update: { $set_once: '{"constructor":1,"__proto__":{"x":1}}' },
    after: '{"constructor":1,"__proto__":{"x":1}}',
    written: true,
  },
];
for (const { name, stored, event = 'seen', update, after, written } of updates) {
  test(`applied: ${name}`, () => {
    const before = object(stored);
    const { properties, worthWriting } = applyPersonUpdate(
      before,
      {
        $set: object(update.$set ?? '{}'),
        $set_once: object(update.$set_once ?? '{}'),
        $unset: JSON.parse(update.$unset ?? '[]'),
      },
      event,
    );
    assert.equal(JSON.stringify(properties), after);
    assert.equal(worthWriting, written);
    assert.equal(JSON.stringify(before), stored, 'what was stored is not touched');
  });
}

test('a new person remembers the event that made it', () => {
  const properties = firstProperties({ $set: { a: 2 }, $set_once: { a: 1, b: 1, c: 1 }, $unset: ['c'] }, 'uuid-1');
  assert.deepEqual(properties, { a: 2, b: 1, $creator_event_uuid: 'uuid-1' });
});
