import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grants, isScope } from './scopes.ts';

const granted: [scopes: string[], needed: string, answer: boolean][] = [
  [['dashboard:read'], 'dashboard:read', true],
  [['dashboard:write'], 'dashboard:read', true],
  [['dashboard:read'], 'dashboard:write', false],
  [['insight:write'], 'dashboard:read', false],
  [['*'], 'dashboard:write', true],
  [[], 'dashboard:read', false],
];
for (const [scopes, needed, answer] of granted) {
  test(`${JSON.stringify(scopes)} ${answer ? 'grants' : 'does not grant'} ${needed}`, () => {
    assert.equal(grants(scopes, needed), answer);
  });
}

for (const [text, answer] of Object.entries({
  '*': true,
  'dashboard:read': true,
  'batch_export:write': true,
  'sharing_configuration:read': true,
  dashboard: false,
  'dashboard:': false,
  'dashboard:delete': false,
  'dashboards:read': false,
  'dashboard:read:write': false,
  ':read': false,
  '': false,
})) {
  test(`${JSON.stringify(text)} is ${answer ? 'a' : 'no'} scope`, () => assert.equal(isScope(text), answer));
}
