import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv, toRows } from './csv.ts';

test('quotes, commas and lines stay inside their cell', () => {
  assert.equal(toCsv([['a"b', 'c,d', 'e\nf', 1, null]]), '"a""b","c,d","e\nf",1,\r\n');
});

test('no name is run as a formula by a spreadsheet', () => {
  assert.equal(toCsv([['=HYPERLINK("x")', '+1', '-2', '@a', -2]]), `"'=HYPERLINK(""x"")",'+1,'-2,'@a,-2\r\n`);
});

test('a trend has a column for each day', () => {
  const item = { label: 'a', count: 3, data: [1, 2], days: ['2025-03-01', '2025-03-02'] };
  assert.deepEqual(toRows({ kind: 'TrendsQuery' }, { results: [item] }), [
    ['series', '2025-03-01', '2025-03-02'],
    ['a', 1, 2],
  ]);
});
