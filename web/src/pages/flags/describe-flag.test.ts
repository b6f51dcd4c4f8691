import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlagFilters } from '../../api/use-flags.ts';
import { describeRelease } from './describe-flag.ts';
import { reasonText } from './reasons.ts';

const everybody = { properties: [], rollout_percentage: 100 };
const onPlan = { properties: [{ key: 'plan', type: 'person' as const, value: ['pro'] }], rollout_percentage: 20 };
const variants = { variants: [{ key: 'a', rollout_percentage: 100 }] };

const cases: { filters: FlagFilters; says: string }[] = [
  { filters: { groups: [] }, says: 'On for nobody' },
  { filters: { groups: [everybody] }, says: 'On for everybody' },
  { filters: { groups: [{ ...everybody, rollout_percentage: null }] }, says: 'On for everybody' },
  { filters: { groups: [{ ...everybody, rollout_percentage: 10 }] }, says: 'On for 10%' },
  { filters: { groups: [onPlan] }, says: 'On for 20% of those for whom a condition holds' },
  { filters: { groups: [everybody, onPlan], multivariate: variants }, says: 'One variant, by 2 conditions' },
  { filters: { groups: [], super_groups: [{}] }, says: 'On for nobody, and for those who chose it' },
];

for (const { filters, says } of cases) {
  test(`a flag is described: ${says}`, () => {
    assert.equal(describeRelease({ filters, is_remote_configuration: false }), says);
  });
}

test('why a flag is what it is names the condition as the editor does', () => {
  const text = reasonText({ reason: 'out_of_rollout_bound', condition_index: 1 });
  assert.equal(text, 'Condition 2 holds, but the rollout leaves them out.');
});
