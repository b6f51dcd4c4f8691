import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isIllegalId } from './illegal-ids.ts';

const illegal = [
  '',
  ' ',
  '\t',
  'anonymous',
  'Anonymous',
  'GUEST',
  'distinct_id',
  'distinctId',
  'id',
  'ID',
  'not_authenticated',
  'email',
];
illegal.push(
  'undefined',
  'Undefined',
  'true',
  'FALSE',
  '[object Object]',
  'NaN',
  'None',
  'none',
  'null',
  '0',
  "'null'",
  '"0"',
  "'Guest'",
);
const legal = [
  'u1',
  'Nan',
  'nan',
  'NULL',
  'Null',
  'NONE',
  '[object object]',
  '00',
  '1',
  "'u1'",
  'anonymous user',
  '-1',
];

for (const id of illegal) test(`people are not merged through ${JSON.stringify(id)}`, () => assert.ok(isIllegalId(id)));
for (const id of legal) test(`people are merged through ${JSON.stringify(id)}`, () => assert.ok(!isIllegalId(id)));
