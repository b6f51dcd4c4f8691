import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchProperties } from './match-properties.ts';

const properties: [string, unknown][] = [
  ['$browser', 'Firefox'],
  ['plan', { name: 'pro' }],
  ['age', 7],
];

test("people's own properties come before those of SDKs, by name", () => {
  assert.deepEqual(
    matchProperties(properties, '').map(([name]) => name),
    ['age', 'plan', '$browser'],
  );
});

test('a property is found by part of its name or of its value', () => {
  assert.deepEqual(
    matchProperties(properties, 'PRO').map(([name]) => name),
    ['plan'],
  );
  assert.deepEqual(
    matchProperties(properties, 'brow').map(([name]) => name),
    ['$browser'],
  );
});
