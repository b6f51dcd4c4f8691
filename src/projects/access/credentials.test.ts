import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBase62 } from '../../platform/random.ts';
import { digestKey, maskKey, newKeyId, newPersonalApiKey, newProjectToken } from './credentials.ts';

test('a key is stored as the SHA-256 of its whole value', () => {
  assert.equal(digestKey('test_key_12345'), 'sha256$45af89b510a3279a817f851de5d3f95b73485d58ec2672a39e52d8aeeb014059');
});

test('keys, tokens and ids have the prefixes and alphabet that clients know', () => {
  assert.match(newPersonalApiKey(), /^phx_[0-9a-zA-Z]{40,48}$/);
  assert.match(newProjectToken(), /^phc_[0-9a-zA-Z]{36,44}$/);
  assert.match(newKeyId(), /^[0-9a-zA-Z]{36,50}$/);
});

test('a mask shows four characters at either end', () => assert.equal(maskKey('phx_abcdefgh9fQ2'), 'phx_...9fQ2'));

test('base 62 counts in digits, small letters, capital letters', () => {
  assert.deepEqual(
    [0, 9, 10, 35, 36, 61, 62].map((n) => toBase62(Uint8Array.of(n))),
    ['0', '9', 'a', 'z', 'A', 'Z', '10'],
  );
});
