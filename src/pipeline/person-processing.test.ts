import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../capture/exact-json.ts';
import { decidePersonProcessing } from './person-processing.ts';

const decide = (event: string, wish: Json | undefined, optsOut = false) =>
  decidePersonProcessing(
    { event, distinct_id: 'u', uuid: 'uuid', properties: wish === undefined ? {} : { $process_person_profile: wish } },
    optsOut,
  );

const cases: { event: string; wish: Json | undefined; optsOut?: boolean; person: string; warning?: string }[] = [
  { event: 'seen', wish: undefined, person: 'full' },
  { event: 'seen', wish: true, person: 'full' },
  { event: 'seen', wish: false, person: 'none' },
  { event: 'seen', wish: 'false', person: 'full', warning: 'invalid_process_person_profile' },
  { event: 'seen', wish: null, person: 'full', warning: 'invalid_process_person_profile' },
  { event: 'seen', wish: true, optsOut: true, person: 'none' },
  { event: '$identify', wish: undefined, person: 'full' },
];
for (const { event, wish, optsOut, person, warning } of cases) {
  test(`${event} with ${wish}${optsOut ? ' in a project without persons' : ''}: ${person}`, () => {
    const decision = decide(event, wish, optsOut);
    assert.ok('person' in decision);
    assert.equal(decision.person, person);
    assert.equal('warning' in decision ? decision.warning?.type : undefined, warning);
  });
}

for (const event of ['$identify', '$create_alias', '$merge_dangerously', '$groupidentify']) {
  test(`${event} without a person is left out, with a warning`, () => {
    const type = 'invalid_event_when_process_person_profile_is_false';
    const details = { eventUuid: 'uuid', event, distinctId: 'u' };
    assert.deepEqual(decide(event, false), { dropped: type, warning: { type, details } });
  });
}
