// Random lives of a few people, told in batches to the ledger and one by one to the reference: both must agree.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReferenceProject, type SentEvent } from '../../test/reference/people.ts';
import { type Random, seededRandom } from '../../test/reference/random.ts';
import type { JsonObject } from '../capture/exact-json.ts';
import type { Person } from './merge-persons.ts';
import { type DistinctId, mentionedIds, PeopleLedger, type PersonEvent } from './people-ledger.ts';
import { readPersonUpdate } from './person-update.ts';

const ROUNDS = process.env.TENREC_TEST_LONG ? 20_000 : 1_000;
const TEAM_ID = 7;
const START = 1_750_000_000_000_000;

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'anonymous', '0'];
const NAMES = ['name', 'plan', '$browser', '$current_url', '$geoip_city_name', '$geoip_latitude', '$initial_os'];

function randomEvent(random: Random, index: number): SentEvent {
  const event = random.pick([
    'seen',
    'seen',
    '$set',
    '$identify',
    '$identify',
    '$create_alias',
    '$merge_dangerously',
    '$exception',
  ]);
  const bag = () => Object.fromEntries(NAMES.filter(() => random.chance(0.3)).map((name) => [name, random.below(3)]));
  const properties: JsonObject = {};
  if (random.chance(0.4)) properties.$set = bag();
  if (random.chance(0.3)) properties.$set_once = bag();
  if (random.chance(0.2)) properties.$unset = random.pick([['name'], ['plan', '$browser'], { name: 1 }]);
  for (const key of ['$browser', '$os', '$os_name', 'utm_source'])
    if (random.chance(0.2)) properties[key] = random.below(3);
  if (event === '$identify' && random.chance(0.7)) properties.$anon_distinct_id = random.pick(IDS);
  if (/alias|merge/.test(event) && random.chance(0.8)) properties.alias = random.pick(IDS);
  if (random.chance(0.2)) properties.$process_person_profile = false;
  const sent: SentEvent = {
    uuid: `event-${index}`,
    event,
    distinct_id: random.pick(IDS),
    timestamp: START + random.below(1_000) * 1_000_000,
    properties,
  };
  if (random.chance(0.2)) sent.$set = bag();
  if (random.chance(0.1)) sent.$set_once = bag();
  return sent;
}

function toPersonEvent(sent: SentEvent): PersonEvent {
  const properties = sent.properties as JsonObject;
  const top = { $set: sent.$set as JsonObject | undefined, $set_once: sent.$set_once as JsonObject | undefined };
  return { ...sent, properties, update: readPersonUpdate({ event: sent.event, properties, ...top }) };
}

/** What the database would hold, loaded and written as the pipeline does. */
class Database {
  readonly persons = new Map<string, Person>();
  readonly ids = new Map<string, DistinctId>();
  readonly personless = new Set<string>();

  open(mentioned: Set<string>): PeopleLedger {
    const uuids = new Set([...mentioned].map((id) => this.ids.get(id)?.person_uuid));
    const distinct_ids = [...this.ids.values()].filter(({ person_uuid }) => uuids.has(person_uuid));
    const persons = [...new Set(distinct_ids.map(({ person_uuid }) => this.persons.get(person_uuid)!))];
    return new PeopleLedger(TEAM_ID, { persons, distinct_ids, personless: [...this.personless] });
  }

  write(ledger: PeopleLedger): void {
    const changes = structuredClone(ledger.changes());
    for (const person of changes.persons) this.persons.set(person.uuid, person);
    for (const { uuid } of changes.deleted) this.persons.delete(uuid);
    for (const row of changes.distinct_ids) this.ids.set(row.distinct_id, row);
    for (const id of changes.personless) this.personless.add(id);
  }
}

const PERSONLESS_REFUSED = new Set(['$identify', '$create_alias', '$merge_dangerously', '$groupidentify']);

function takeBatch(database: Database, batch: SentEvent[]): (string | undefined)[] {
  const events = batch.map(toPersonEvent);
  const ledger = database.open(new Set(events.flatMap(mentionedIds)));
  const shown = events.map((event) => {
    if (event.properties.$process_person_profile !== false) return ledger.apply(event).person_id;
    return PERSONLESS_REFUSED.has(event.event) ? undefined : ledger.passBy(event).person_id;
  });
  database.write(ledger);
  return shown;
}

test(`${ROUNDS} random lives end as the reference says`, () => {
  let merges = 0;
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    const random = seededRandom(seed);
    const events = Array.from({ length: 1 + random.below(30) }, (_, index) => randomEvent(random, index));
    const reference = new ReferenceProject(TEAM_ID);
    const expected = events.map((event) => reference.take(event));
    const database = new Database();
    const shown: (string | undefined)[] = [];
    for (let at = 0; at < events.length; ) {
      const size = 1 + random.below(6);
      shown.push(...takeBatch(database, events.slice(at, at + size)));
      at += size;
    }
    const message = `seed ${seed}`;
    assert.deepEqual(shown, expected, message);
    assert.deepEqual(describeDatabase(database), describeReference(reference), message);
    merges += [...database.ids.values()].filter(({ version }) => version > 0).length;
  }
  assert.ok(merges > ROUNDS / 4, 'people must be merged often, or the rounds try nothing');
});

function describeDatabase({ persons, ids, personless }: Database) {
  const people = [...persons.values()].map(({ uuid, created_at, is_identified, version, properties }) => {
    const own = [...ids.values()].filter((row) => row.person_uuid === uuid);
    return {
      uuid,
      created_at,
      is_identified,
      version,
      properties: sorted(Object.entries(properties)),
      ids: sorted(own.map((row) => [row.distinct_id, row.version])),
    };
  });
  return { people: people.sort((one, other) => (one.uuid < other.uuid ? -1 : 1)), personless: [...personless].sort() };
}

function describeReference({ persons, personless }: ReferenceProject) {
  const people = persons.map(({ uuid, created_at, is_identified, version, properties, ids }) => ({
    uuid,
    created_at,
    is_identified,
    version,
    properties: sorted([...properties]),
    ids: sorted([...ids]),
  }));
  return { people: people.sort((one, other) => (one.uuid < other.uuid ? -1 : 1)), personless: [...personless].sort() };
}

function sorted(entries: [string, unknown][]): [string, unknown][] {
  return entries.sort(([one], [other]) => (one < other ? -1 : 1));
}
