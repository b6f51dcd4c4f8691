import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EditedFlag, findMistake, newFlag, shareEqually, toDraft } from './flag-draft.ts';

const edited = (change: Partial<EditedFlag['filters']> = {}, key = 'beta'): EditedFlag => {
  const flag = newFlag();
  return { ...flag, key, filters: { ...flag.filters, ...change } };
};
const variants = (...shares: number[]) => ({
  variants: shares.map((rollout_percentage, index) => ({ key: `v${index}`, rollout_percentage })),
});

const mistakes: { name: string; flag: EditedFlag; says: RegExp | undefined }[] = [
  { name: 'a new flag with a key', flag: edited(), says: undefined },
  { name: 'a key with a space', flag: edited({}, 'a b'), says: /key/ },
  { name: 'variants that fill the line', flag: edited({ multivariate: variants(50, 50) }), says: undefined },
  { name: 'variants that leave a gap', flag: edited({ multivariate: variants(50, 40) }), says: /add up to 90%/ },
  { name: 'two variants of one key', flag: edited({ multivariate: shared() }), says: /same key/ },
  { name: 'a payload that is not JSON', flag: edited({ payloads: { true: '{a}' } }), says: /not JSON/ },
  {
    name: 'a condition without a value',
    flag: edited({ groups: [{ properties: [{ key: 'plan', type: 'person', value: [] }], rollout_percentage: 1 }] }),
    says: /Condition 1/,
  },
];

function shared() {
  return {
    variants: shareEqually([
      { key: 'a', rollout_percentage: 0 },
      { key: 'a', rollout_percentage: 0 },
    ]),
  };
}

for (const { name, flag, says } of mistakes) {
  test(`${name}: ${says ? 'is refused' : 'can be saved'}`, () => {
    const mistake = findMistake(flag);
    if (says) assert.match(mistake ?? '', says);
    else assert.equal(mistake, undefined);
  });
}

test('equal shares add up to a hundred', () => {
  for (const count of [1, 2, 3, 7, 12]) {
    const shared = shareEqually(
      Array.from({ length: count }, (_, index) => ({ key: `${index}`, rollout_percentage: 0 })),
    );
    assert.equal(
      shared.reduce((sum, { rollout_percentage }) => sum + rollout_percentage, 0),
      100,
    );
  }
});

test('payloads of variants that are gone are not sent', () => {
  const flag = edited({ multivariate: variants(100), payloads: { v0: '1', gone: '2', true: '3' } });
  assert.deepEqual(toDraft(flag).filters.payloads, { v0: '1' });
});
