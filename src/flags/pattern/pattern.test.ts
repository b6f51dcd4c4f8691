import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, seedOfRun } from '../../../test/random.ts';
import { compilePattern } from './compile.ts';

const cases: [pattern: string, text: string, found: boolean | 'no pattern'][] = [
  ['\\.com$', 'value.com', true],
  ['\\.com$', '.comx', false],
  ['ABC', 'abc', false],
  ['(?i)ABC', 'xabcx', true],
  ['a(?i:B)c', 'abc', true],
  ['a(?i:B)c', 'abC', false],
  ['(?i)straße', 'STRAßE', true],
  ['^$', '', true],
  ['colou?r', 'my color', true],
  ['^[0-9a-f]{32}$', 'deadbeefdeadbeefdeadbeefdeadbeef', true],
  ['^[0-9a-f]{32}$', 'deadbeef', false],
  ['^\\d{2,4}$', '12345', false],
  ['^[\\w.+-]+@acme\\.(io|com)$', 'jo.do+x@acme.io', true],
  ['[^@]+@', '@', false],
  ['^(?!.*@test\\.com).*$', 'a@test.com', false],
  ['^(?!.*@test\\.com).*$', 'a@acme.com', true],
  ['(?<=\\$)\\d+', 'costs $42', true],
  ['(?<!\\$)\\b\\d+', 'costs $42', false],
  ['^(?=.*\\d)(?=.*[a-z]).{4,}$', 'ab12', true],
  ['(?P<year>\\d{4})', 'in 1999', true],
  ['[[:digit:]]+', 'a1', true],
  ['\\p{Lu}', 'aÉ', true],
  ['^.$', '😀', true],
  ['a.b', 'a\nb', false],
  ['(?s)a.b', 'a\nb', true],
  ['(?m)^b$', 'a\nb\nc', true],
  ['\\x41\\u0042\\@', 'AB@', true],
  ['[\\]-]', '-', true],
  ['[\\w-]+$', 'a-b', true],
  ['x|', 'anything', true],
  ['?*', 'value', 'no pattern'],
  ['(a)\\1', 'aa', 'no pattern'],
  ['(', '(', 'no pattern'],
  [')', ')', 'no pattern'],
  ['[z-a]', 'b', 'no pattern'],
  ['a{1001}', 'a', 'no pattern'],
  ['((a{100}){100})', 'a', 'no pattern'],
  ['\\', '\\', 'no pattern'],
  ['(?x)a', 'a', 'no pattern'],
  ['('.repeat(5000), 'a', 'no pattern'],
];

for (const [pattern, text, expected] of cases) {
  test(`${JSON.stringify(pattern.slice(0, 40))} in ${JSON.stringify(text)}: ${expected}`, () => {
    assert.equal(compilePattern(pattern)?.(text) ?? 'no pattern', expected);
  });
}

test('patterns that make a backtracking engine run for years take no time', () => {
  const begunAt = performance.now();
  for (const pattern of ['(a+)+$', '(a|aa)+$', '(.*)*x', '(a?){50}a{50}$', '^(?=(a+)+$)']) {
    assert.equal(compilePattern(pattern)?.(`${'a'.repeat(10_000)}b`), false, pattern);
  }
  assert.ok(performance.now() - begunAt < 5_000);
});

test('a text too long for the pattern is not judged at all', () => {
  assert.equal(compilePattern('(a|b|c){300}')?.('a'.repeat(1_000_000)), undefined);
});

test('patterns mean what they mean to JavaScript', () => {
  const random = seededRandom(seedOfRun);
  const atoms = [
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '\\w',
    '\\b',
    '^',
    '$',
    '(?:ab)',
    '(a|b)',
    '(?=a)',
    '(?!b)',
    '(?<=a)',
    '(?<!b)',
  ];
  const make = (depth: number): string => {
    const parts = Array.from({ length: 1 + random.int(3) }, () => {
      const atom = depth > 0 && random.chance(0.3) ? `(${make(depth - 1)})` : random.pick(atoms);
      const repeatable = !/^(?:\^|\$|\\b|\(\?[=!<])/.test(atom);
      return repeatable ? atom + random.pick(['', '', '*', '+?', '?', '{1,3}', '{2}']) : atom;
    });
    return parts.join(random.chance(0.2) ? '|' : '');
  };
  for (let round = 0; round < 3_000; round += 1) {
    const pattern = make(2);
    const text = Array.from({ length: random.int(8) }, () => random.pick(['a', 'b', 'c', ' ', '\n'])).join('');
    const shown = `seed ${seedOfRun}: /${pattern}/ in ${JSON.stringify(text)}`;
    assert.equal(compilePattern(pattern)?.(text), new RegExp(pattern, 'u').test(text), shown);
  }
});
