import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccessGuarded, accessOf, canEdit, canRestrict, privilegeOf, privilegeOnInsight } from './levels.ts';

const CREATOR = 7;
const dashboard = (given: Partial<AccessGuarded> = {}): AccessGuarded => ({
  created_by_id: CREATOR,
  restriction_level: 21,
  collaborator_level: null,
  ruled_access: null,
  ...given,
});
const restricted = dashboard({ restriction_level: 37 });
const creator = { user_id: CREATOR, level: 1 } as const;
const member = { user_id: 8, level: 1 } as const;
const admin = { user_id: 9, level: 8 } as const;
const owner = { user_id: 10, level: 15 } as const;

const edits = [
  ['a member', dashboard(), member, 37, true, false],
  ['the creator', dashboard(), creator, 37, true, true],
  ['a member of a restricted one', restricted, member, 21, false, false],
  ['the creator of a restricted one', restricted, creator, 37, true, true],
  ['an admin of a restricted one', restricted, admin, 37, true, true],
  ['an owner of a restricted one', restricted, owner, 37, true, true],
  ['a collaborator', { ...restricted, collaborator_level: 37 }, member, 37, true, false],
  ['a collaborator who may only view', { ...restricted, collaborator_level: 21 }, member, 21, false, false],
  ['a member of one whose creator is gone', { ...restricted, created_by_id: null }, member, 21, false, false],
] as const;

for (const [who, subject, viewer, privilege, mayEdit, mayRestrict] of edits) {
  test(`${who} ${mayEdit ? 'may' : 'may not'} edit and ${mayRestrict ? 'may' : 'may not'} restrict`, () => {
    assert.equal(privilegeOf(subject, viewer), privilege);
    assert.equal(canEdit(subject, viewer), mayEdit);
    assert.equal(canRestrict(subject, viewer), mayRestrict);
  });
}

for (const ruled_access of [null, 'none', 'viewer', 'editor'] as const) {
  test(`with the rule ${ruled_access}, a member has that access, the creator and admins have all`, () => {
    assert.equal(accessOf(dashboard({ ruled_access }), member), ruled_access ?? 'editor');
    for (const viewer of [creator, admin, owner]) assert.equal(accessOf(dashboard({ ruled_access }), viewer), 'editor');
  });
}

test('an insight may be edited by whoever may edit one of its dashboards', () => {
  assert.equal(privilegeOnInsight([], member), 37);
  assert.equal(privilegeOnInsight([restricted], member), 21);
  assert.equal(privilegeOnInsight([restricted, dashboard()], member), 37);
  assert.equal(privilegeOnInsight([restricted], creator), 37);
});
