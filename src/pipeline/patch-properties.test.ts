import assert from 'node:assert/strict';
import { test } from 'node:test';
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
  { sent: '{"__proto__":1,"b":2}', remove: ['b', 'constructor'], stored: '{"__proto__":1}' },
];
for (const { sent, remove = [], put = {}, stored } of cases) {
  test(`${sent} without ${remove} and with ${JSON.stringify(put)} is ${stored}`, () => {
    const patched = patchProperties(sent, JSON.parse(sent), { remove: new Set(remove), put });
    assert.equal(patched, stored);
    JSON.parse(patched);
  });
}
