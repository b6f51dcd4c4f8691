import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSearch } from './read-search.ts';

const read = readSearch({ search: 'text', properties: 'list', pinned: 'yes' });

test('an address says what a page may be asked, and nothing else', () => {
  const given = { search: 'hats', properties: [1], pinned: true, other: 'x' };
  assert.deepEqual(read(given), { search: 'hats', properties: [1], pinned: true });
});

test('a text that looks like a number is a text all the same', () => {
  assert.deepEqual(read({ search: 42 }), { search: '42' });
});

test('what cannot be meant is as if it was not there', () => {
  assert.deepEqual(read({ search: { a: 1 }, properties: 'x', pinned: 'true' }), {});
  assert.deepEqual(read({ search: '' }), {});
});
