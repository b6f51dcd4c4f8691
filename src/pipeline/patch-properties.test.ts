import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, seedOfRun } from '../../test/random.ts';
import type { JsonObject } from '../capture/exact-json.ts';
import { patchProperties } from './patch-properties.ts';

const cases: { sent: string; remove?: string[]; put?: JsonObject; stored: string }[] = [
  { sent: '{"a":1}', stored: '{"a":1}' },
  { sent: '{}', put: { $ip: '1.2.3.4' }, stored: '{"$ip":"1.2.3.4"}' },
  { sent: '{ }', put: { b: 1 }, stored: '{ "b":1}' },
  {
    sent: '{"n":12345678901234567890 , "f":1.0}',
    put: { $ip: 'x' },
    stored: '{"n":12345678901234567890 , "f":1.0,"$ip":"x"}',
  },
  { sent: '{"a":1,"b":2.0,"c":3}', remove: ['a', 'c', 'd'], stored: '{"b":2.0}' },
  { sent: '{"a":1,"b" : 2.0,"c":3}', put: { a: 9 }, stored: '{"b" : 2.0,"c":3,"a":9}' },
  { sent: '{"a":1}', remove: ['a'], stored: '{}' },
  { sent: '{"a":1,"a":2,"b":{"a":3}}', remove: ['a'], stored: '{"b":{"a":3}}' },
  {
    sent: '{"\\u0061":1,"b":"é\\ud800"}',
    remove: ['a'],
    put: { c: '\u{1f994}' },
    stored: '{"b":"é\\ud800","c":"\u{1f994}"}',
  },
  { sent: '{"a":1,"b":{"a":2},"c":"a"}', remove: ['a', 'c'], stored: '{"b":{"a":2}}' },
  { sent: '{"b":"\\"a\\":1","a":{"x":"}\\"]","y":[1,{}]} }', remove: ['a'], stored: '{"b":"\\"a\\":1" }' },
  { sent: '{ "a" : [ ] , "b":"a"}', remove: ['a'], put: { c: 1 }, stored: '{ "b":"a","c":1}' },
  { sent: '{"b":-1.50e3, "a":null}', remove: ['a', 'b'], put: { c: 1 }, stored: '{"c":1}' },
  { sent: '{"__proto__":1,"b":2}', remove: ['b', 'constructor'], stored: '{"__proto__":1}' },
];
for (const { sent, remove = [], put = {}, stored } of cases) {
  test(`${sent} without ${remove} and with ${JSON.stringify(put)} is ${stored}`, () => {
    const patched = patchProperties(sent, JSON.parse(sent), { remove: new Set(remove), put });
    assert.equal(patched, stored);
    JSON.parse(patched);
  });
}

test('a text of nothing but escapes can be cut out', () => {
  const sent = `{"a":"${'\\"'.repeat(490_000)}","b":1}`;
  assert.equal(patchProperties(sent, JSON.parse(sent), { remove: new Set(['a']), put: {} }), '{"b":1}');
});

test(`whatever the members look like, the named ones go and the others stay (seed ${seedOfRun})`, () => {
  const random = seededRandom(seedOfRun);
  const names = ['a', '$set', 'b"', 'é', '\\', 'a:'];
  const texts = ['"a"', '"\\"a\\":"', '"}"', '"\\\\"', '1', '-0.5e3', 'null', 'true', '"a\\u0062"'];
  const space = () => random.pick(['', '', '', ' ', '\n\t']);
  const object = (depth: number): string => {
    const members = Array.from({ length: random.int(5) }, () => {
      const value = depth > 0 && random.chance(0.3) ? random.pick([object, array])(depth - 1) : random.pick(texts);
      return `${space()}${JSON.stringify(random.pick(names))}${space()}:${space()}${value}${space()}`;
    });
    return `{${members.join(',')}}`;
  };
  const array = (depth: number): string => `[${Array.from({ length: random.int(3) }, () => object(depth)).join()}]`;
  for (let round = 0; round < 2_000; round += 1) {
    const sent = object(3);
    const remove = new Set(names.filter(() => random.chance(0.4)));
    const put: JsonObject = random.chance(0.5) ? { b: round, a: 'a' } : {};
    const expected = Object.fromEntries(Object.entries(JSON.parse(sent)).filter(([key]) => !remove.has(key)));
    const patched = patchProperties(sent, JSON.parse(sent), { remove, put });
    assert.deepEqual(JSON.parse(patched), { ...expected, ...put }, sent);
  }
});
