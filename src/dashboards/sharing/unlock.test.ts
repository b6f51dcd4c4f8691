import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeShareToken, readShareToken } from './unlock.ts';

const KEY = 'a secret key that only tests would ever use';
const claims = { share: 4, password: 2, exp: 2_000 };
const token = makeShareToken(KEY, claims);

test('a token says what it was made for until it ends', () => {
  assert.deepEqual(readShareToken(KEY, token, 1_999_000), claims);
  assert.equal(readShareToken(KEY, token, 2_000_000), undefined);
});

test('a token is a JSON Web Token', () => {
  const [header = '', payload = ''] = token.split('.');
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  assert.deepEqual([decode(header), decode(payload)], [{ alg: 'HS256', typ: 'JWT' }, claims]);
});

const [header, , signature] = token.split('.');
const other = Buffer.from(JSON.stringify({ ...claims, share: 5 })).toString('base64url');
for (const [title, forged] of Object.entries({
  nothing: '',
  'one part': 'a',
  nonsense: 'a.b.c',
  'other claims': `${header}.${other}.${signature}`,
  'no signature': token.replace(/[^.]+$/, ''),
  'the signature of another key': makeShareToken('another key', claims),
})) {
  test(`a forged token is none: ${title}`, () => assert.equal(readShareToken(KEY, forged, 0), undefined));
}
