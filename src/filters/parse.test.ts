import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../http/errors.ts';
import { type Filter, parseFilters, parseFilterText } from './parse.ts';

const rules = { type: 'event', nowMs: 0 } as const;
const condition = (key: string, texts: string[]): Filter => ({
  kind: 'condition',
  target: { type: 'event', key },
  test: { kind: 'equals', texts },
  negated: false,
});
const all = (...members: Filter[]): Filter => ({ kind: 'group', join: 'AND', members });

const understood: [string, unknown, Filter][] = [
  ['a list', [{ key: 'a', value: 1 }], all(condition('a', ['1']))],
  ['one filter alone', { key: 'a', value: [true, 'x'] }, condition('a', ['true', 'x'])],
  ['the old form', { a: 'x', b__c: 'y' }, all(condition('a', ['x']), condition('b__c', ['y']))],
  ['a feature flag', [{ key: 'beta', type: 'feature', value: 'on' }], all(condition('$feature/beta', ['on']))],
  [
    'groups',
    { type: 'OR', values: [{ key: 'a', value: 1 }] },
    { kind: 'group', join: 'OR', members: [condition('a', ['1'])] },
  ],
];

for (const [title, given, expected] of understood) {
  test(`${title} is understood`, () => assert.deepEqual(parseFilters(given, rules), expected));
}

test('an operator in the old form is taken from the end of the name', () => {
  const parsed = parseFilters({ a__b__is_not: 'x' }, rules);
  assert.deepEqual(parsed, all({ ...condition('a__b', ['x']), negated: true } as Filter));
});

test('no text is no filter', () => {
  for (const text of [null, '', '  ', '[]', '{}']) assert.deepEqual(parseFilterText(text, rules), all());
});

const deep = (levels: number): unknown => (levels === 0 ? [] : { type: 'AND', values: [deep(levels - 1)] });

const refused: [string, unknown][] = [
  ['a text', 'plan'],
  ['nothing', null],
  ['a filter without a key', [{ value: 1 }]],
  ['an empty key', [{ key: '', value: 1 }]],
  ['a key that is no text', [{ key: 5, value: 1 }]],
  ['an unknown operator', [{ key: 'a', operator: 'constructor', value: 1 }]],
  ['an operator that is no text', [{ key: 'a', operator: ['exact'], value: 1 }]],
  ['an unknown type', [{ key: 'a', type: 'hogql', value: 1 }]],
  ['an object as value', [{ key: 'a', value: { b: 1 } }]],
  ['a list in a list', [{ key: 'a', value: [['b']] }]],
  ['too many values', [{ key: 'a', value: Array(10_001).fill('x') }]],
  ['too many patterns', [{ key: 'a', operator: 'regex', value: Array(101).fill('x') }]],
  ['too many filters', Array(201).fill({ key: 'a', value: 1 })],
  ['too deep a nesting', deep(8)],
  ['half a range', [{ key: 'a', operator: 'between', value: [1] }]],
  ['a date that does not exist', [{ key: 'a', operator: 'is_date_after', value: '2025-02-30' }]],
];

for (const [title, given] of refused) {
  test(`${title} is refused`, () => {
    assert.throws(
      () => parseFilters(given, rules),
      (error) => error instanceof ApiError && error.status === 400 && error.attr === 'properties',
    );
  });
}
