import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFlagKey, withEnrollment } from './enrollment.ts';

test('a feature that is not open lets nobody choose', () => {
  for (const stage of ['draft', 'archived', undefined] as const) {
    assert.deepEqual(withEnrollment({ groups: [] }, 'f', stage), { groups: [], super_groups: null });
  }
});

test('a flag is called after its feature, in the letters that a key may have', () => {
  assert.equal(toFlagKey('  Dark  Mode 2.0! '), 'dark-mode-20');
  assert.equal(toFlagKey('新機能'), 'early-access-feature');
});
