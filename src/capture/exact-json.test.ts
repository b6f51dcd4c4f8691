import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../test/random.ts';
import {
  isJsonObject,
  isPlainJson,
  isRawNumber,
  type JsonObject,
  ownValue,
  parseExact,
  setOwnValue,
} from './exact-json.ts';

const numbers = [
  '0',
  '-0',
  '1',
  '1.0',
  '1.50',
  '12.5',
  '9007199254740993',
  '12345678901234567890',
  '-1e3',
  '1E400',
  '0.1',
];
numbers.push('0.0000001', '0.30000000000000004', '123456789.123456789', '100', '1e-7', '2.5e+30');
for (const number of numbers) {
  test(`${number} is written as it was read, wherever it stands`, () => {
    for (const json of [number, `[${number}]`, `{"a":{"b":${number}},"c":[1,${number}]}`]) {
      assert.equal(JSON.stringify(parseExact(json)), json);
    }
  });
}

test('a text that needs no care comes back as it was sent', () => {
  const random = seededRandom(24);
  const digits = () => Array.from({ length: 1 + random.int(17) }, () => random.int(10)).join('');
  const texts = Array.from({ length: 5_000 }, () => {
    const sign = random.chance(0.3) ? '-' : '';
    const fraction = random.chance(0.5) ? `.${digits()}` : '';
    const exponent = random.chance(0.1) ? `e${random.int(30)}` : '';
    return `{"a":"1e5 0.0","b":[${sign}${BigInt(digits())}${fraction}${exponent},true],"c":null}`;
  });
  const plain = texts.filter(isPlainJson);
  assert.ok(plain.length > 500 && plain.length < 4_500, `${plain.length}`);
  for (const text of plain) assert.equal(JSON.stringify(JSON.parse(text)), text);
});

for (const text of [
  '{"a":"\\u0000"}',
  '{"a":"\\"","b":1.0}',
  '{"n":-0}',
  '{"n":1.0}',
  '[1e5]',
  '{"n":1234567890123456}',
]) {
  test(`care is needed with ${text}`, () => assert.equal(isPlainJson(text), false));
}

test('ordinary numbers stay numbers', () => {
  assert.deepEqual(parseExact('{"a":1,"b":-2.25,"c":1700000000000}'), { a: 1, b: -2.25, c: 1_700_000_000_000 });
});

test('a raw number is a number to those who ask, and no object', () => {
  const value = parseExact('12345678901234567890');
  assert.ok(isRawNumber(value));
  assert.ok(!isJsonObject(value));
});

test('keys that every object inherits are only found when sent', () => {
  const sent = parseExact('{"__proto__":{"x":1}}') as JsonObject;
  assert.deepEqual(ownValue(sent, '__proto__'), { x: 1 });
  for (const key of ['__proto__', 'constructor', 'toString']) assert.equal(ownValue({}, key), undefined);
});

test('setting __proto__ sets a property and changes no inheritance', () => {
  const object: JsonObject = {};
  setOwnValue(object, '__proto__', { polluted: true });
  assert.equal(JSON.stringify(object), '{"__proto__":{"polluted":true}}');
  assert.equal(Object.getPrototypeOf(object), Object.prototype);
});
