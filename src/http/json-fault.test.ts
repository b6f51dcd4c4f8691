import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeJsonFault, nestingDepth } from './json-fault.ts';

const faults: [text: string, fault: string][] = [
  ['', 'Expecting value: line 1 column 1 (char 0)'],
  ['nope', 'Expecting value: line 1 column 1 (char 0)'],
  ['-', 'Expecting value: line 1 column 1 (char 0)'],
  ['{', 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
  ["{'a':1}", 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
  ['{"a":1,}', 'Expecting property name enclosed in double quotes: line 1 column 8 (char 7)'],
  ['{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
  ['{"a":}', 'Expecting value: line 1 column 6 (char 5)'],
  ['{"a":1 "b":2}', "Expecting ',' delimiter: line 1 column 8 (char 7)"],
  ['[1 2]', "Expecting ',' delimiter: line 1 column 4 (char 3)"],
  ['[1,', 'Expecting value: line 1 column 4 (char 3)'],
  ['[1,]', 'Expecting value: line 1 column 4 (char 3)'],
  ['{"a":\n "b', 'Unterminated string starting at: line 2 column 2 (char 7)'],
  ['"\\x"', 'Invalid \\escape: line 1 column 2 (char 1)'],
  ['"\\u12"', 'Invalid \\uXXXX escape: line 1 column 3 (char 2)'],
  ['"a\nb"', 'Invalid control character at: line 1 column 3 (char 2)'],
  ['{} x', 'Extra data: line 1 column 4 (char 3)'],
  ['01', 'Extra data: line 1 column 2 (char 1)'],
  ['["😀" 1]', "Expecting ',' delimiter: line 1 column 6 (char 5)"],
];

for (const [text, fault] of faults) {
  test(`${JSON.stringify(text)}: ${fault}`, () => {
    assert.throws(() => JSON.parse(text));
    assert.equal(describeJsonFault(text), fault);
  });
}

test('NaN is a number elsewhere but no JSON', () => {
  assert.match(describeJsonFault('{"a": NaN}'), /^Out of range float values are not JSON compliant: 'NaN'/);
});

for (const [text, depth] of [
  ['1', 0],
  ['{}', 1],
  ['{"a":[{}]}', 3],
  ['"[[[["', 0],
  ['{"a\\"[[":1}', 1],
] as const) {
  test(`${text} is ${depth} deep`, () => assert.equal(nestingDepth(text), depth));
}
