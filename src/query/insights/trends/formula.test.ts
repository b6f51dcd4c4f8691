import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../http/errors.ts';
import { evaluate, parseFormula } from './formula.ts';

/** With A = 6, B = 4, C = 0. */
const worked: [string, number][] = [
  ['A', 6],
  ['a + b', 10],
  ['A - B - 1', 1],
  ['A / B', 1.5],
  ['A / C', 0],
  ['B + A / C', 4],
  ['A % B', 2],
  ['-A % B', 2],
  ['A % C', 0],
  ['2 * A ^ 2', 72],
  ['2 ** 3 ** 2', 512],
  ['-2 ^ 2', -4],
  ['2 ^ -1', 0.5],
  ['(A + B) * 1.5', 15],
  ['A*.5e1', 30],
  ['(0 - 1) ^ 0.5', 0],
];

for (const [text, expected] of worked) {
  test(`with A = 6, B = 4 and C = 0, ${text} is ${expected}`, () => {
    assert.equal(
      evaluate(parseFormula(text, 3), (series) => [6, 4, 0][series] ?? Number.NaN),
      expected,
    );
  });
}

const refused: [string, RegExp][] = [
  ['', /ends too early/],
  ['A +', /ends too early/],
  ['A B', /"B" was not expected/],
  ['(A', /ends too early/],
  ['A)', /"\)" was not expected/],
  ['* A', /not "\*"/],
  ['sum(A)', /"sum\(A\)" cannot be understood/],
  ['A; B', /"; B" cannot be understood/],
  ['A / D', /names series D, but there are only A to C/],
  ['A'.repeat(501), /at most 500 characters/],
];

for (const [text, detail] of refused) {
  test(`the formula "${text.slice(0, 20)}" is refused`, () => {
    assert.throws(
      () => parseFormula(text, 3),
      (error) => error instanceof ApiError && error.status === 400 && detail.test(error.message),
    );
  });
}
