import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGroups, toProperties } from './filter-groups.ts';
import type { PropertyFilter } from './nodes.ts';

const plan = (value: string): PropertyFilter => ({ key: 'plan', type: 'event', operator: 'exact', value: [value] });

test('a list is one group of which all holds, and is written as a list again', () => {
  const list = [plan('free'), plan('pro')];
  const groups = readGroups(list);
  assert.deepEqual(groups, { type: 'AND', values: [{ type: 'AND', values: list }] });
  assert.deepEqual(groups && toProperties(groups), list);
});

test('no conditions are no groups, and an empty list', () => {
  assert.deepEqual(readGroups(undefined), { type: 'AND', values: [] });
  assert.deepEqual(toProperties({ type: 'OR', values: [] }), []);
});

test('groups of which any holds stay groups', () => {
  const groups = {
    type: 'OR' as const,
    values: [
      { type: 'AND' as const, values: [plan('free')] },
      { type: 'OR' as const, values: [plan('pro')] },
    ],
  };
  assert.deepEqual(readGroups({ ...groups }), groups);
  assert.deepEqual(toProperties(groups), groups);
});

test('conditions beside groups are groups of one; what is nested deeper is left as it is', () => {
  const mixed = { type: 'OR', values: [plan('free'), { type: 'AND', values: [plan('pro')] }] };
  assert.equal(readGroups(mixed)?.values.length, 2);
  assert.equal(readGroups({ type: 'AND', values: [{ type: 'OR', values: [mixed] }] }), undefined);
});
