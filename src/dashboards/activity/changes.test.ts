import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween } from './changes.ts';

test('only fields that differ by value are changes, each with what it was and what it is', () => {
  const before = { name: null, pinned: false, tags: ['a'], filters: { date_from: '-7d' }, color: 'blue' };
  const after = { name: 'Growth', pinned: true, tags: ['a'], filters: { date_from: '-7d' }, color: '' };

  assert.deepEqual(changesBetween('Dashboard', before, after, ['name', 'pinned', 'tags', 'filters', 'color']), [
    { type: 'Dashboard', action: 'created', field: 'name', before: null, after: 'Growth' },
    { type: 'Dashboard', action: 'changed', field: 'pinned', before: false, after: true },
    { type: 'Dashboard', action: 'deleted', field: 'color', before: 'blue', after: '' },
  ]);
});

test('a field that nobody asked about is no change', () => {
  assert.deepEqual(changesBetween('Dashboard', { a: 1 }, { a: 2 }, ['b']), []);
});
