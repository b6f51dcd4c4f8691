import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConditionGroup, fromTree, isReady, newDeed, toTree } from './conditions.ts';

const groups: ConditionGroup[] = [
  [
    { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] },
    { type: 'cohort', key: 'id', operator: 'not_in', value: 3 },
  ],
  [{ type: 'behavioral', event: 'paid', isNegated: true, times: 1, within: 7, unit: 'day' }],
  [{ type: 'behavioral', event: 'paid', isNegated: false, times: 5, within: 2, unit: 'week' }],
];

test('what the editor wrote comes back as it was', () => {
  assert.deepEqual(fromTree(toTree(groups)), groups);
});

test('a flat list of conditions is one group', () => {
  const values = [{ type: 'person', key: 'plan', operator: 'is_set', value: 'is_set' }];
  assert.deepEqual(fromTree({ type: 'AND', values }), [values]);
});

test('what the editor has no words for is left alone', () => {
  const nested = { type: 'AND' as const, values: [{ type: 'OR' as const, values: [] }] };
  const deed = { type: 'behavioral', key: 'paid', value: 'stopped_performing_event' };
  assert.equal(fromTree({ type: 'OR', values: [nested] }), undefined);
  assert.equal(fromTree({ type: 'OR', values: [deed] }), undefined);
});

test('a cohort is not ready while a condition is half written', () => {
  assert.equal(isReady(groups), true);
  assert.equal(isReady([]), false);
  assert.equal(isReady([[]]), false);
  assert.equal(isReady([[newDeed()]]), false);
});
