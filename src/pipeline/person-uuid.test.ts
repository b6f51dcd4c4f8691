import assert from 'node:assert/strict';
import { test } from 'node:test';
import { personUuid } from './person-uuid.ts';

const cases = [
  { team_id: 1, distinct_id: 'user_1', uuid: '131ecd7b-7aa1-5121-8fd3-5353d39dd23e' },
  { team_id: 2, distinct_id: 'new-user', uuid: '4db89b1b-c399-51fa-adb3-df07003c84ef' },
  { team_id: 42, distinct_id: '019833ae-4913-7179-b6bc-019570abb1c9', uuid: '6c061c5b-4d48-5640-8043-aa5e30f4a2c2' },
];
for (const { team_id, distinct_id, uuid } of cases) {
  test(`${distinct_id} of project ${team_id} is ${uuid}`, () => assert.equal(personUuid(team_id, distinct_id), uuid));
}
