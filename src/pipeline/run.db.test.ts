import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { insertTestProject, nextUuid, openTestPipeline, type TestPipeline } from '../../test/pipeline.ts';
import { acceptedCounter } from '../capture/accepted-counter.ts';
import { deletePersons, splitPerson } from '../people/delete.ts';
import {
  findGroup,
  findPersonByDistinctId,
  findPersonByUuid,
  listEventDefinitions,
  listGroupTypes,
  listPropertyDefinitions,
} from '../people/read.ts';
import { listCounts, moveAccepted, readLag } from './accounting.ts';
import { readWatermark } from './watermark.ts';

let run: TestPipeline;
before(async () => {
  run = await openTestPipeline((address) => (address === '203.0.113.9' ? PLACE : undefined));
});
after(() => run[Symbol.asyncDispose]());

const PLACE = {
  city_name: 'Antananarivo',
  subdivision_1_name: null,
  subdivision_1_code: null,
  subdivision_2_name: null,
  subdivision_2_code: null,
  country_name: 'Madagascar',
  country_code: 'MG',
  continent_name: 'Africa',
  continent_code: 'AF',
  postal_code: null,
  latitude: -18.9,
  longitude: 47.5,
  accuracy_radius: null,
  time_zone: 'Indian/Antananarivo',
};
const HOUR_MS = 3_600_000;
const DAY = { fromMs: Date.now() - 48 * HOUR_MS, toMs: Date.now() + 48 * HOUR_MS };

interface Row {
  uuid: string;
  event: string;
  properties: string;
  distinct_id: string;
  timestamp: string;
  person_id: string;
  person_properties: string;
  person_mode: string;
  elements_chain: string;
  inserted_at: string;
}

const eventsOf = (team_id: number, where = '1') =>
  run.rows<Row>(
    `SELECT * FROM events WHERE team_id = {team_id:Int64} AND ${where} ORDER BY log_partition, log_position`,
    {
      team_id,
    },
  );
const personOf = (team_id: number, id: string) => findPersonByDistinctId(run.database.db, team_id, id);
const warningsOf = async (team_id: number) =>
  (await run.rows<{ type: string }>('SELECT type FROM ingestion_warnings WHERE team_id = {team_id:Int64}', { team_id }))
    .map(({ type }) => type)
    .sort();

/** What became of a project's events, all hours together. */
async function fatesOf(
  team_id: number,
): Promise<{ accepted: number; stored: number; waiting: number; dropped: object }> {
  const hours = await listCounts(run.database.db, run.eventLog, team_id, DAY);
  const dropped: Record<string, number> = {};
  let [accepted, stored, waiting] = [0, 0, 0];
  for (const hour of hours) {
    accepted += hour.accepted;
    stored += hour.stored;
    waiting += hour.waiting;
    for (const [reason, events] of Object.entries(hour.dropped)) dropped[reason] = (dropped[reason] ?? 0) + events;
  }
  return { accepted, stored, waiting, dropped };
}

test('an event becomes a row with its properties as sent, and its person a person', async () => {
  const uuid = nextUuid();
  const properties = '{"n":12345678901234567890,"$set":{"plan":"pro"}}';
  await run.send([{ uuid, event: 'bought', distinct_id: 'ann', properties }], { ip: '10.0.0.1' });

  const [row] = await eventsOf(run.team_id, `uuid = '${uuid}'`);
  const person = await personOf(run.team_id, 'ann');
  assert.equal(row?.properties, '{"n":12345678901234567890,"$set":{"plan":"pro"},"$ip":"10.0.0.1"}');
  assert.equal(row?.person_id, person?.uuid);
  assert.deepEqual(person?.properties, { plan: 'pro', $creator_event_uuid: uuid });
});

test('persons keep numbers that JavaScript would round', async () => {
  await run.send([{ distinct_id: 'rich', properties: '{"$set":{"n":12345678901234567890,"f":1.0}}' }]);
  await run.send([{ distinct_id: 'rich', properties: { $set: { other: 1 } } }]);
  const [row] = await run.rows<{ properties: string }>(
    `SELECT properties FROM person WHERE properties LIKE '%other%' AND team_id = ${run.team_id}`,
  );
  assert.match(row!.properties, /"f": ?1\.0/);
  assert.match(row!.properties, /"n": ?12345678901234567890/);
});

test('$identify leads older events to the person through an override', async () => {
  await run.send([{ distinct_id: 'anon-1', properties: { $set: { a: 1 } } }]);
  await run.send([{ distinct_id: 'user-1', properties: { $set: { b: 2 } } }]);
  await run.send([{ event: '$identify', distinct_id: 'user-1', properties: { $anon_distinct_id: 'anon-1' } }]);

  const person = await personOf(run.team_id, 'anon-1');
  assert.deepEqual(person?.distinct_ids, ['anon-1', 'user-1']);
  assert.equal(person?.is_identified, true);
  assert.deepEqual({ a: person?.properties.a, b: person?.properties.b }, { a: 1, b: 2 });
  const overrides = await run.rows(
    `SELECT distinct_id, person_id FROM person_distinct_id_overrides WHERE distinct_id = 'anon-1'`,
  );
  assert.deepEqual(overrides, [{ distinct_id: 'anon-1', person_id: person?.uuid }]);
});

test('ids that a batch does not mention move with their person', async () => {
  await run.send([{ distinct_id: 'm-1' }, { distinct_id: 'm-3' }]);
  await run.send([{ event: '$identify', distinct_id: 'm-1', properties: { $anon_distinct_id: 'm-2' } }]);
  await run.send([{ event: '$merge_dangerously', distinct_id: 'm-3', properties: { alias: 'm-1' } }]);
  const person = await personOf(run.team_id, 'm-2');
  assert.deepEqual(person?.distinct_ids, ['m-1', 'm-2', 'm-3']);
  const [row] = await run.rows<{ person_id: string }>(
    `SELECT argMax(person_id, version) AS person_id FROM person_distinct_id WHERE distinct_id = 'm-2'`,
  );
  assert.equal(row?.person_id, person?.uuid);
});

test('events of one person are understood in the order they were accepted', async () => {
  const events = Array.from({ length: 50 }, (_, n) => ({ distinct_id: 'ordered', properties: { $set: { n } } }));
  await run.send(events);
  const rows = await eventsOf(run.team_id, `distinct_id = 'ordered'`);
  assert.deepEqual(
    rows.map((row) => JSON.parse(row.person_properties).n),
    events.map((_, n) => n),
  );
});

test('a re-sent event is stored once, also by another request, batch and pipeline', async () => {
  const team_id = await insertTestProject(run.pool);
  const event = { uuid: nextUuid(), event: 'paid', distinct_id: 'twice', timestamp: new Date().toISOString() };
  const later = { team_id, sent_at: new Date().toISOString() };
  await run.send([event, event], { team_id });
  await run.send([event], later);
  await run.restart();
  await run.send([event], later);

  assert.equal((await eventsOf(team_id)).length, 1);
  assert.deepEqual(await fatesOf(team_id), { accepted: 4, stored: 1, waiting: 0, dropped: { duplicate: 3 } });
});

test('the same uuid with another name, id or time is another event', async () => {
  const team_id = await insertTestProject(run.pool);
  const event = { uuid: nextUuid(), event: 'a', distinct_id: 'x', timestamp: '2025-01-01T00:00:00Z' };
  const others = [{ event: 'b' }, { distinct_id: 'y' }, { timestamp: '2025-01-01T00:00:01Z' }];
  await run.send([event, ...others.map((other) => ({ ...event, ...other }))], { team_id });
  assert.equal((await eventsOf(team_id)).length, 4);
});

test('an event without a person shows none, and finds its person once there is one', async () => {
  const quiet = { $process_person_profile: false };
  await run.send([{ distinct_id: 'shy', properties: { ...quiet, $set: { a: 1 } } }]);
  const [first] = await eventsOf(run.team_id, `distinct_id = 'shy'`);
  assert.equal(first?.person_mode, 'propertyless');
  assert.equal(first?.properties, '{"$process_person_profile":false}');
  assert.equal(await personOf(run.team_id, 'shy'), undefined);

  await run.send([{ event: '$identify', distinct_id: 'bold', properties: { $anon_distinct_id: 'shy' } }]);
  const person = await personOf(run.team_id, 'shy');
  assert.deepEqual(person?.distinct_ids, ['bold', 'shy']);
});

test('groups get numbers, properties and a mirror', async () => {
  const team_id = await insertTestProject(run.pool);
  const identify = { $group_type: 'company', $group_key: 'acme', $group_set: { size: 3 } };
  await run.send([{ event: '$groupidentify', properties: identify }], { team_id });
  await run.send([{ event: '$groupidentify', properties: { ...identify, $group_set: { name: 'Acme' } } }], { team_id });
  await run.send([{ event: 'used', properties: { $groups: { team: 't', company: 'acme' } } }], { team_id });

  const types = await listGroupTypes(run.database.db, team_id);
  assert.deepEqual(
    types.map(({ group_type, group_type_index }) => [group_type, group_type_index]),
    [
      ['company', 0],
      ['team', 1],
    ],
  );
  const group = await findGroup(run.database.db, team_id, 0, 'acme');
  assert.deepEqual(group?.properties, { size: 3, name: 'Acme' });
  const [row] = await eventsOf(team_id, `event = 'used'`);
  const stored = JSON.parse(row!.properties);
  assert.deepEqual([stored.$group_0, stored.$group_1], ['acme', 't']);
  const [mirror] = await run.rows<{ group_properties: string }>(
    `SELECT argMax(group_properties, version) AS group_properties FROM groups WHERE team_id = ${team_id}`,
  );
  assert.deepEqual(JSON.parse(mirror!.group_properties), { size: 3, name: 'Acme' });
});

test('a place is added to event and person, unless the client asks not to', async () => {
  const team_id = await insertTestProject(run.pool, { anonymize_ips: true });
  await run.send([{ distinct_id: 'far', event: 'here' }], { team_id, ip: '203.0.113.9' });
  await run.send([{ distinct_id: 'far', event: 'hidden', properties: { $geoip_disable: true } }], {
    team_id,
    ip: '203.0.113.9',
  });
  const [here, hidden] = await eventsOf(team_id);
  const properties = JSON.parse(here!.properties);
  assert.equal(properties.$geoip_city_name, 'Antananarivo');
  assert.equal(properties.$ip, undefined);
  assert.equal(JSON.parse(hidden!.properties).$geoip_city_name, undefined);
  const person = await personOf(team_id, 'far');
  assert.equal(person?.properties.$geoip_country_code, 'MG');
  assert.equal(person?.properties.$initial_geoip_country_code, 'MG');
});

test('definitions say what a project sends, with the first type that shows', async () => {
  const team_id = await insertTestProject(run.pool);
  await run.send([{ event: 'e', properties: { n: null, s: 'x', $set: { age: 3 } } }], { team_id });
  await run.send([{ event: 'e', properties: { n: 5, s: 7 } }], { team_id });
  const page = { limit: 10, offset: 0 };
  const events = await listEventDefinitions(run.database.db, team_id, {}, page);
  const onEvents = await listPropertyDefinitions(run.database.db, team_id, { kind: 1, event_names: ['e'] }, page);
  const onPersons = await listPropertyDefinitions(run.database.db, team_id, { kind: 2 }, page);
  assert.deepEqual(
    events.map(({ name }) => name),
    ['e'],
  );
  const typesOf = (rows: typeof onEvents) => Object.fromEntries(rows.map((row) => [row.name, row.property_type]));
  assert.deepEqual(typesOf(onEvents), { n: 'Numeric', s: 'String' });
  assert.deepEqual(typesOf(onPersons), { age: 'Numeric' });
});

test('every drop has a reason, a count and a warning', async () => {
  const team_id = await insertTestProject(run.pool, { drop_events_older_than_seconds: 3_600 });
  const now = new Date().toISOString();
  const long = 'k'.repeat(401);
  await run.send(
    [
      { event: 'kept', timestamp: now },
      { event: 'old', timestamp: '2020-01-01T00:00:00Z' },
      { event: '$identify', properties: { $process_person_profile: false } },
      { event: '$$heatmap' },
      { event: '$$client_ingestion_warning', properties: { $$client_ingestion_warning_message: 'hm' } },
      { event: 'c', properties: { $cookieless_mode: true } },
      { event: '$groupidentify', properties: { $group_type: 't', $group_key: long } },
      { event: '$groupidentify', properties: { $group_type: 't', $group_key: 'k', $group_set: 3 } },
      { event: 'big', properties: { text: 'x'.repeat(600_000), $set: { text: 'y'.repeat(500_000) } } },
    ],
    { team_id },
  );
  assert.deepEqual(await fatesOf(team_id), {
    accepted: 9,
    stored: 1,
    waiting: 0,
    dropped: {
      event_dropped_too_old: 1,
      invalid_event_when_process_person_profile_is_false: 1,
      heatmap_not_supported: 1,
      client_ingestion_warning: 1,
      cookieless_not_supported: 1,
      group_key_too_long: 1,
      invalid_group_set: 1,
      message_size_too_large: 1,
    },
  });
  assert.deepEqual(await warningsOf(team_id), [
    'client_ingestion_warning',
    'cookieless_not_supported',
    'event_dropped_too_old',
    'group_key_too_long',
    'heatmap_not_supported',
    'invalid_event_when_process_person_profile_is_false',
    'invalid_group_set',
    'message_size_too_large',
  ]);
});

test('what capture left out is counted and told', async () => {
  const before = await fatesOf(run.team_id);
  await run.dropAtTheDoor({ reason: 'missing_distinct_id', count: 3, details: { index: 0, event: 'lost' } });
  const { accepted, stored, dropped } = await fatesOf(run.team_id);
  assert.deepEqual([accepted - before.accepted, stored - before.stored], [3, 0]);
  assert.equal((dropped as Record<string, number>).missing_distinct_id, 3);
  assert.ok((await warningsOf(run.team_id)).includes('missing_distinct_id'));
});

test('a record that the log gives back damaged is counted and told, and holds up nobody', async () => {
  const team_id = await insertTestProject(run.pool);
  const now = Date.now();
  const damaged = Buffer.from(`{"team_id":${team_id},"now":${now},"uuid":"01","properties":{`);
  await run.eventLog.append([{ key: `${team_id}:x`, value: damaged }], { [acceptedCounter(team_id, now)]: 1 });
  await run.eventLog.append([{ key: 'nobody', value: Buffer.from('not a record') }]);
  await run.send([{ distinct_id: 'x' }], { team_id });

  assert.deepEqual(await fatesOf(team_id), { accepted: 2, stored: 1, waiting: 0, dropped: { unreadable_record: 1 } });
  assert.deepEqual(await warningsOf(team_id), ['unreadable_record']);
});

test('events of a project that is gone are dropped', async () => {
  await run.send([{ event: 'x' }], { team_id: 999_999 });
  assert.deepEqual((await fatesOf(999_999)).dropped, { unknown_project: 1 });
});

test('a person with too much about them keeps what there was, and the project is told', async () => {
  const team_id = await insertTestProject(run.pool);
  await run.send([{ distinct_id: 'full', properties: { $set: { a: 'x'.repeat(400_000) } } }], { team_id });
  await run.send([{ distinct_id: 'full', properties: { $set: { b: 'x'.repeat(400_000) } } }], { team_id });
  const person = await personOf(team_id, 'full');
  assert.deepEqual(Object.keys(person!.properties).sort(), ['$creator_event_uuid', 'a']);
  assert.deepEqual(await warningsOf(team_id), ['person_properties_size_violation']);
});

test("a project's first event is noted", async () => {
  const team_id = await insertTestProject(run.pool);
  const ingested = async () =>
    (await run.pool.query('select ingested_event from project where id = $1', [team_id])).rows[0].ingested_event;
  assert.equal(await ingested(), false);
  await run.send([{ event: 'first' }], { team_id });
  assert.equal(await ingested(), true);
});

test('a deleted person comes back new with the next event, in the mirror too', async () => {
  const team_id = await insertTestProject(run.pool);
  await run.send([{ distinct_id: 'gone', properties: { $set: { a: 1 } } }], { team_id });
  const { uuid } = (await personOf(team_id, 'gone'))!;
  assert.equal(await deletePersons(run.database.db, team_id, [uuid], { delete_events: true }), 1);
  await run.settled();
  assert.equal(await personOf(team_id, 'gone'), undefined);
  assert.deepEqual(await eventsOf(team_id), []);

  await run.send([{ distinct_id: 'gone', properties: { $set: { b: 2 } } }], { team_id });
  const person = await personOf(team_id, 'gone');
  assert.deepEqual([person?.properties.a, person?.properties.b], [undefined, 2]);
  const [mirror] = await run.rows<{ is_deleted: boolean; properties: string }>(
    `SELECT argMax(is_deleted, version) AS is_deleted, argMax(properties, version) AS properties
       FROM person WHERE team_id = ${team_id} AND id = '${person!.uuid}'`,
  );
  assert.equal(mirror?.is_deleted, false);
  assert.equal(JSON.parse(mirror!.properties).b, 2);
});

test('a split person becomes one for each id, and later events follow', async () => {
  const team_id = await insertTestProject(run.pool);
  await run.send([{ event: '$identify', distinct_id: 's-1', properties: { $anon_distinct_id: 's-2' } }], { team_id });
  const whole = (await personOf(team_id, 's-1'))!;
  const made = await splitPerson(run.database.db, team_id, whole.uuid, ['s-2']);
  await run.send([{ distinct_id: 's-2', event: 'after' }], { team_id });

  const other = await findPersonByUuid(run.database.db, team_id, made.get('s-2')!);
  assert.deepEqual(other?.distinct_ids, ['s-2']);
  assert.deepEqual((await personOf(team_id, 's-1'))?.distinct_ids, ['s-1']);
  const [row] = await eventsOf(team_id, `event = 'after'`);
  assert.equal(row?.person_id, other?.uuid);
});

test('the watermark lies above every stored row and passes the present without events', async () => {
  await run.send([{ event: 'latest' }]);
  const first = await readWatermark(run.database.db);
  const [latest] = await run.rows<{ at: string }>('SELECT max(toUnixTimestamp64Micro(inserted_at)) AS at FROM events');
  const second = await readWatermark(run.database.db);
  assert.ok(Number(latest!.at) < first);
  assert.ok(second >= first);
  await run.pool.query('update ingestion_clock set inserted_at = inserted_at + 10000000');
  const ahead = await readWatermark(run.database.db);
  await run.send([{ event: 'later' }]);
  const [later] = await run.rows<{ at: string }>(
    `SELECT toUnixTimestamp64Micro(inserted_at) AS at FROM events WHERE event = 'later'`,
  );
  assert.ok(Number(later!.at) >= ahead, 'a clock that went back must not bring rows below the watermark');
});

test('counts of hours long past move out of the log, and are the same there', async () => {
  const team_id = await insertTestProject(run.pool);
  await run.send([{ event: 'x' }, { event: 'y' }], { team_id });
  const before = await fatesOf(team_id);
  await moveAccepted(run.eventLog, run.pool, Date.now() + 24 * HOUR_MS);
  assert.deepEqual(await run.eventLog.counts(`accepted:${team_id}:`), new Map());
  assert.deepEqual(await fatesOf(team_id), before);
});

test('lag is a number', async () => {
  const lag = await readLag(run.eventLog, Date.now());
  assert.deepEqual([lag.events, lag.seconds, lag.oldestAcceptedAt], [0, 0, null]);
});

test('one event that the database refuses is left out alone', async () => {
  const team_id = await insertTestProject(run.pool);
  await run.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger refuse before insert on person_distinct_id
       for each row when (new.distinct_id = 'poison') execute function refuse()`);
  const ids = Array.from({ length: 20 }, (_, n) => (n === 11 ? 'poison' : `healthy-${n}`));
  await run.send(
    ids.map((distinct_id) => ({ distinct_id })),
    { team_id },
  );
  await run.pool.query('drop function refuse() cascade');

  const { stored, dropped } = await fatesOf(team_id);
  assert.deepEqual({ stored, dropped }, { stored: 19, dropped: { processing_failed: 1 } });
  assert.deepEqual(await warningsOf(team_id), ['processing_failed']);
});

test('people that somebody else changes between reading and writing are read again', async () => {
  const team_id = await insertTestProject(run.pool);
  await run.send([{ distinct_id: 'raced', properties: { $set: { a: 1 } } }], { team_id });
  await run.pool.query('update person set version = version + 5 where team_id = $1', [team_id]);
  await run.send([{ distinct_id: 'raced', properties: { $set: { b: 2 } } }], { team_id });
  const person = await personOf(team_id, 'raced');
  assert.deepEqual([person?.version, person?.properties.a, person?.properties.b], [6, 1, 2]);
});

test('a second pipeline takes over from the first', async () => {
  const before = run.pipeline;
  await run.pool.query('update ingestion_clock set owner = owner + 1');
  await before.ended;
  await run.restart();
  await run.send([{ event: 'after' }]);
  assert.equal((await eventsOf(run.team_id, `event = 'after'`)).length, 1);
});
