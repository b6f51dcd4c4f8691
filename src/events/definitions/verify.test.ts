import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeStanding } from './verify.ts';

const by = { user_id: 7, now: '2025-02-03T10:11:12Z' };
const unverified = { verified: false, verified_at: null, verified_by_id: null };

const cases: [string, boolean, { verified?: boolean; hidden?: boolean }, object][] = [
  ['nothing asked changes nothing', true, {}, {}],
  [
    'verifying is signed and shows it',
    false,
    { verified: true },
    { hidden: false, verified: true, verified_at: by.now, verified_by_id: 7 },
  ],
  ['verifying again keeps the first signature', true, { verified: true }, { hidden: false }],
  ['unverifying takes the signature away', true, { verified: false }, unverified],
  ['hiding unverifies', true, { hidden: true }, { hidden: true, ...unverified }],
  ['showing leaves the rest', true, { hidden: false }, { hidden: false }],
];

for (const [title, verified, asked, expected] of cases) {
  test(title, () => assert.deepEqual(changeStanding({ verified }, asked, by), expected));
}

test('hidden and verified at once is refused', () => {
  assert.throws(
    () => changeStanding({ verified: false }, { hidden: true, verified: true }, by),
    /both hidden and verified/,
  );
});
