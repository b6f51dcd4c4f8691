import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageHeaders } from './policy.ts';

const policyOf = (embedded: boolean) => pageHeaders('abc', embedded)['content-security-policy'] ?? '';

test('a page runs its own scripts and no others, and speaks to its own server only', () => {
  const policy = policyOf(false);
  assert.match(policy, /^default-src 'none';/);
  assert.match(policy, /script-src 'self';/);
  assert.match(policy, /connect-src 'self';/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
});

test('only a page that is meant to be embedded may be framed', () => {
  assert.match(policyOf(false), /frame-ancestors 'none'/);
  assert.doesNotMatch(policyOf(true), /frame-ancestors/);
});
