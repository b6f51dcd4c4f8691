import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACTIVE, after, before, type RunEvent, statuses, transitions } from './states.ts';

const events = Object.keys(transitions.Starting) as RunEvent[];

test('a run that is over stays as it is', () => {
  for (const status of statuses.filter((each) => !ACTIVE.includes(each))) {
    for (const event of events) assert.equal(transitions[status][event], null, `${status} ${event}`);
  }
});

test('what happens to a run leads to one status, wherever it happens', () => {
  for (const event of events) {
    const reached = before(event).map((status) => transitions[status][event]);
    assert.deepEqual([...new Set(reached)], [after(event)], event);
  }
});

test('every run comes to an end, and only active ones can be cancelled', () => {
  assert.deepEqual(ACTIVE, ['Starting', 'Running']);
  for (const status of ACTIVE) {
    const reached = events.map((event) => transitions[status][event]);
    assert.ok(reached.includes('TimedOut') && reached.includes('Cancelled'));
  }
});
