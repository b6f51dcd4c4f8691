import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../capture/exact-json.ts';
import type { Person } from './merge-persons.ts';
import { PeopleLedger, type PersonEvent, type StoredPeople } from './people-ledger.ts';
import { readPersonUpdate } from './person-update.ts';
import { personUuid } from './person-uuid.ts';

const TEAM_ID = 1;
const NOON = 1_750_000_000_000_000;
const MINUTE = 60_000_000;

const event = (name: string, distinct_id: string, properties: JsonObject = {}, timestamp = NOON): PersonEvent => ({
  uuid: `uuid of ${name}`,
  event: name,
  distinct_id,
  timestamp,
  properties,
  update: readPersonUpdate({ event: name, properties, $set: undefined, $set_once: undefined }),
});

const nobody: StoredPeople = { persons: [], distinct_ids: [], personless: [] };
const known = (id: string, given: Partial<Person> = {}): Person => ({
  uuid: personUuid(TEAM_ID, id),
  created_at: NOON,
  properties: {},
  is_identified: false,
  version: 0,
  ...given,
});
const storing = (...people: [id: string, person: Person][]): StoredPeople => ({
  persons: people.map(([, person]) => person),
  distinct_ids: people.map(([distinct_id, { uuid }]) => ({ distinct_id, person_uuid: uuid, version: 0 })),
  personless: [],
});

test('the first event of an id makes a person', () => {
  const ledger = new PeopleLedger(TEAM_ID, nobody);
  const shown = ledger.apply(event('seen', 'u', { $set: { a: 1 } }));
  const person = known('u', { properties: { a: 1, $creator_event_uuid: 'uuid of seen' } });
  assert.equal(shown.person_id, person.uuid);
  assert.equal(shown.person_mode, 'full');
  assert.deepEqual(ledger.changes(), {
    persons: [person],
    deleted: [],
    distinct_ids: [{ distinct_id: 'u', person_uuid: person.uuid, version: 0 }],
    personless: [],
  });
});

test('an event that changes nothing leaves nothing to write', () => {
  const ledger = new PeopleLedger(TEAM_ID, storing(['u', known('u', { properties: { a: 1 } })]));
  ledger.apply(event('seen', 'u', { $set: { a: 1 } }));
  assert.deepEqual(ledger.changes(), { persons: [], deleted: [], distinct_ids: [], personless: [] });
});

test('an event shows a page that is not worth writing', () => {
  const ledger = new PeopleLedger(
    TEAM_ID,
    storing(['u', known('u', { properties: { $pathname: '/a', $initial_pathname: '/a' } })]),
  );
  const { person_properties } = ledger.apply(event('seen', 'u', { $pathname: '/b' }));
  assert.equal(person_properties.$pathname, '/b');
  assert.deepEqual(ledger.changes().persons, []);
});

test('$identify takes the anonymous person in and moves its ids', () => {
  const stored = storing(
    ['anon', known('anon', { properties: { a: 1, b: 1 }, version: 4 })],
    ['u', known('u', { properties: { b: 2 } })],
  );
  const ledger = new PeopleLedger(TEAM_ID, stored);
  const shown = ledger.apply(event('$identify', 'u', { $anon_distinct_id: 'anon', $set: { c: 3 } }));
  const [source, target] = [personUuid(TEAM_ID, 'anon'), personUuid(TEAM_ID, 'u')];
  assert.equal(shown.person_id, target);
  assert.deepEqual(ledger.changes(), {
    persons: [known('u', { properties: { a: 1, b: 2, c: 3 }, is_identified: true, version: 5 })],
    deleted: [{ uuid: source, version: 104 }],
    distinct_ids: [{ distinct_id: 'anon', person_uuid: target, version: 1 }],
    personless: [],
  });
});

test("$create_alias takes the event's own person into that of the alias", () => {
  const stored = storing(
    ['123', known('123', { properties: { plan: 'old' } })],
    ['456', known('456', { properties: { plan: 'main' } })],
  );
  const ledger = new PeopleLedger(TEAM_ID, stored);
  const shown = ledger.apply(event('$create_alias', '123', { alias: '456' }));
  assert.equal(shown.person_id, personUuid(TEAM_ID, '456'));
  assert.equal(shown.person_properties.plan, 'main');
  assert.deepEqual(ledger.changes().deleted, [{ uuid: personUuid(TEAM_ID, '123'), version: 100 }]);
});

test('a refused merge warns, and the event still counts for its own person', () => {
  const stored = storing(['anon', known('anon', { is_identified: true })], ['u', known('u')]);
  const ledger = new PeopleLedger(TEAM_ID, stored);
  const shown = ledger.apply(event('$identify', 'u', { $anon_distinct_id: 'anon', $set: { a: 1 } }));
  assert.deepEqual(shown.warnings, [
    {
      type: 'cannot_merge_already_identified',
      details: { sourcePersonDistinctId: 'anon', targetPersonDistinctId: 'u', eventUuid: 'uuid of $identify' },
    },
  ]);
  assert.deepEqual(ledger.changes().persons, [known('u', { properties: { a: 1 }, is_identified: true, version: 1 })]);
});

test('an illegal id warns, and identifies nobody', () => {
  const ledger = new PeopleLedger(TEAM_ID, storing(['u', known('u')]));
  const shown = ledger.apply(event('$identify', 'u', { $anon_distinct_id: 'null' }));
  assert.equal(shown.warnings[0]?.type, 'cannot_merge_with_illegal_distinct_id');
  assert.deepEqual(ledger.changes().persons, []);
});

test('$identify without an anonymous id identifies nobody', () => {
  const ledger = new PeopleLedger(TEAM_ID, storing(['u', known('u')]));
  ledger.apply(event('$identify', 'u', { $set: { a: 1 } }));
  assert.equal(ledger.changes().persons[0]?.is_identified, false);
});

/** Both ids are new; some had events without a person. Whose uuid the person gets, and which rows override old events. */
const beginnings: { personless: string[]; uuidOf: string; versions: Record<string, number> }[] = [
  { personless: [], uuidOf: 'u', versions: { u: 0, anon: 0 } },
  { personless: ['u'], uuidOf: 'u', versions: { u: 0, anon: 0 } },
  { personless: ['anon'], uuidOf: 'anon', versions: { anon: 0, u: 0 } },
  { personless: ['anon', 'u'], uuidOf: 'u', versions: { u: 0, anon: 1 } },
];
for (const { personless, uuidOf, versions } of beginnings) {
  test(`two new ids, personless before: ${personless.join(' and ') || 'none'}`, () => {
    const ledger = new PeopleLedger(TEAM_ID, { ...nobody, personless });
    ledger.apply(event('$identify', 'u', { $anon_distinct_id: 'anon' }));
    const { persons, distinct_ids } = ledger.changes();
    assert.equal(persons[0]?.uuid, personUuid(TEAM_ID, uuidOf));
    assert.equal(persons[0]?.is_identified, true);
    assert.deepEqual(Object.fromEntries(distinct_ids.map((row) => [row.distinct_id, row.version])), versions);
  });
}

test('a personless id that joins a person overrides its old events', () => {
  const ledger = new PeopleLedger(TEAM_ID, { ...storing(['u', known('u')]), personless: ['anon'] });
  ledger.apply(event('$identify', 'u', { $anon_distinct_id: 'anon' }));
  assert.deepEqual(ledger.changes().distinct_ids, [
    { distinct_id: 'anon', person_uuid: personUuid(TEAM_ID, 'u'), version: 1 },
  ]);
});

test('an event that passes by shows the person it would have, and remembers the id', () => {
  const ledger = new PeopleLedger(TEAM_ID, nobody);
  const shown = ledger.passBy({ distinct_id: 'u', timestamp: NOON });
  assert.deepEqual(shown, {
    person_id: personUuid(TEAM_ID, 'u'),
    person_created_at: 5_000_000,
    person_properties: {},
    person_mode: 'propertyless',
    warnings: [],
  });
  assert.deepEqual(ledger.changes().personless, ['u']);
});

const upgrades = [
  { name: 'within the first minute', timestamp: NOON + MINUTE, optsOut: false, mode: 'propertyless' },
  { name: 'later', timestamp: NOON + MINUTE + 1, optsOut: false, mode: 'force_upgrade' },
  { name: 'later, in a project without persons', timestamp: NOON + MINUTE + 1, optsOut: true, mode: 'propertyless' },
];
for (const { name, timestamp, optsOut, mode } of upgrades) {
  test(`an event without a person, of someone who has one, ${name}: ${mode}`, () => {
    const ledger = new PeopleLedger(TEAM_ID, storing(['u', known('u', { properties: { a: 1 } })]), optsOut);
    const shown = ledger.passBy({ distinct_id: 'u', timestamp });
    assert.equal(shown.person_mode, mode);
    assert.equal(shown.person_id, personUuid(TEAM_ID, 'u'));
    assert.deepEqual(shown.person_properties, {});
    assert.deepEqual(ledger.changes().personless, []);
  });
}

test('the same events on the same people give the same changes', () => {
  const stored = storing(['anon', known('anon')], ['u', known('u')]);
  const run = () => {
    const ledger = new PeopleLedger(TEAM_ID, structuredClone(stored));
    ledger.apply(event('seen', 'anon', { $set: { a: 1 } }));
    ledger.apply(event('$identify', 'u', { $anon_distinct_id: 'anon' }));
    ledger.passBy({ distinct_id: 'v', timestamp: NOON });
    return ledger.changes();
  };
  assert.deepEqual(run(), run());
});
