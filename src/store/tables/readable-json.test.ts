import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toReadableJson } from './readable-json.ts';

const cases: { about: string; text: string; expected?: string }[] = [
  { about: 'an ordinary object', text: '{"a":1,"b":"x"}' },
  { about: 'the largest whole numbers', text: '[18446744073709551615,-9223372036854775808]' },
  { about: 'one more than the largest', text: '[18446744073709551616]', expected: '[1.8446744073709552e+19]' },
  { about: 'one less than the smallest', text: '[-9223372036854775809]', expected: '[-9.223372036854776e+18]' },
  { about: 'a very long number', text: `[${'9'.repeat(400)}]`, expected: '[1.7976931348623157e+308]' },
  {
    about: 'an exponent beyond the range',
    text: '[1e400,-1E+400]',
    expected: '[1.7976931348623157e+308,-1.7976931348623157e+308]',
  },
  { about: 'an exponent within the range', text: '[1e5,1E-400,0.1e2]' },
  { about: 'a long fraction', text: '[0.10000000000000000555111512312578270211]' },
  { about: 'a number inside a string', text: '{"18446744073709551616":"1e400 99999999999999999999999"}' },
  { about: 'a whole surrogate pair', text: '["\\ud83d\\ude00"]' },
  { about: 'a first half alone', text: '["\\ud83dx"]', expected: '["\\ufffdx"]' },
  { about: 'a second half alone', text: '["\\uDE00"]', expected: '["\\ufffd"]' },
  { about: 'two first halves and a second', text: '["\\ud83d\\ud83d\\ude00"]', expected: '["\\ufffd\\ud83d\\ude00"]' },
  { about: 'a backslash before letters that look like one', text: '["\\\\ud83d"]' },
  { about: 'a half in a name, after a quote', text: '{"\\"\\ud800":1}', expected: '{"\\"\\ufffd":1}' },
];

for (const { about, text, expected = text } of cases) {
  test(`JSON is made readable: ${about}`, () => {
    assert.equal(toReadableJson(text), expected);
    JSON.parse(toReadableJson(text));
  });
}
