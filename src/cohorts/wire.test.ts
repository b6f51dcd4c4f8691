import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsvIds } from './wire.ts';

test('the first column of a file is distinct ids, once each', () => {
  assert.deepEqual(readCsvIds('id,name\r\nann,Ann\n\n"b,""ob"",",x\n  cy  \nann\n,nobody\n'), [
    'id',
    'ann',
    'b,"ob",',
    'cy',
  ]);
});
