// Seeded random projects: raw events and people as the pipeline would have left them, small enough to count by hand and
// odd enough to break a query. Times lie around days on which clocks change, many of them twice; values are of mixed
// types; people were merged, some of them more than once, some so long ago that their rows were rewritten since.
import { randomUUID } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import { insertEvents, insertRows } from '../../../src/store/tables/insert.ts';
import type { GroupRow, PersonDistinctIdRow, PersonRow } from '../../../src/store/tables/rows.ts';
import type { Random } from '../../random.ts';
import { makeEvent } from '../../tables.ts';

export type Properties = Readonly<Record<string, unknown>>;

/** An event as it happened, with the person that it belongs to now. */
export interface RawEvent {
  readonly uuid: string;
  readonly event: string;
  readonly micros: number;
  readonly distinct_id: string;
  readonly properties: Properties;
  /** Whom it belongs to now, after all merges. */
  readonly person: RawPerson;
  /** What the event's row says: another person, if there was a merge since. */
  readonly stored_person_id: string;
  /** What the person was like when the event was stored. */
  readonly person_properties: Properties;
  /** What the row says about the person's beginning: a merge with somebody older moves it back, but not in old rows. */
  readonly stored_person_created_at_ms: number;
  /** The project's clock of insertion; later events have higher positions. */
  readonly log_position: number;
}

export interface RawPerson {
  readonly uuid: string;
  /** Whether there is a profile; events of passers-by have none, and a person who was created in 1970. */
  readonly hasProfile: boolean;
  readonly created_at_ms: number;
  /** What the person is like now. */
  readonly properties: Properties;
  readonly distinct_ids: readonly RawDistinctId[];
}

export interface RawDistinctId {
  readonly distinct_id: string;
  /** The person that rows name who were stored under this id. */
  readonly stored_person_id: string;
  /** Whom the id was given to since, one after the other; the last one is the person. */
  readonly moves: readonly string[];
  /** Whether the rows were rewritten since, so that the moves say nothing any more. */
  readonly folded: boolean;
}

export interface RawGroup {
  readonly group_type_index: number;
  readonly group_key: string;
  readonly properties: Properties;
}

export interface Dataset {
  readonly team_id: number;
  readonly timezone: string;
  readonly weekStartDay: 0 | 1;
  /** The moment at which questions are asked, in milliseconds. */
  readonly now: number;
  /** In no particular order. */
  readonly events: readonly RawEvent[];
  readonly persons: readonly RawPerson[];
  readonly groups: readonly RawGroup[];
}

export const EVENT_NAMES = ['$pageview', 'signup', 'purchase', '$screen', "it's"] as const;
export const BROWSERS = ['Chrome', 'Firefox', 'Safari', ''] as const;
export const PLANS = ['free', 'pro', 'Pro', '10', 'a "b" \\', '漢'] as const;
export const URLS = [
  'https://a.example/',
  'https://a.example',
  'https://a.example/x?',
  'https://a.example/x/#',
] as const;
export const GROUP_KEYS = ['acme', 'globex', 'initech'] as const;

/** Where and when clocks change, and where they are an odd number of minutes off. */
const PLACES: readonly (readonly [timezone: string, day: string])[] = [
  ['UTC', '2024-03-01T00:00:00Z'],
  ['UTC', '2025-01-01T00:00:00Z'],
  ['Europe/Berlin', '2025-03-30T01:00:00Z'],
  ['Europe/Berlin', '2025-10-26T01:00:00Z'],
  ['America/New_York', '2025-03-09T07:00:00Z'],
  ['America/New_York', '2025-11-02T06:00:00Z'],
  ['America/Santiago', '2025-04-06T03:00:00Z'],
  ['Asia/Kathmandu', '2025-06-15T00:00:00Z'],
  ['Australia/Adelaide', '2025-10-04T16:30:00Z'],
  ['Australia/Lord_Howe', '2025-04-05T15:00:00Z'],
  ['Pacific/Auckland', '2025-09-27T14:00:00Z'],
];

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface DatasetSize {
  events?: number;
  persons?: number;
}

/** Another project with its own people and events; `team_id` keeps several apart in one store. */
export function makeDataset(random: Random, team_id: number, { events = 120, persons = 8 }: DatasetSize = {}): Dataset {
  const [timezone, day] = random.pick(PLACES);
  const change = Date.parse(day);
  const now = change + random.int(5 * DAY_MS);
  const people = Array.from({ length: persons }, (_, n) => makePerson(random, team_id, n, now));
  const times = makeTimes(random, events, { change, now });
  const sessions = Array.from({ length: 6 }, () => makeSessionId(random, now - random.int(5 * DAY_MS)));
  return {
    team_id,
    timezone,
    weekStartDay: random.chance(0.5) ? 0 : 1,
    now,
    persons: people,
    groups: GROUP_KEYS.map((group_key) => ({
      group_type_index: 0,
      group_key,
      properties: makeGroupProperties(random),
    })),
    events: times.map((micros, n) => makeRawEvent(random, { n, micros, people, sessions })),
  };
}

/** Most events lie in the two weeks before now, many on the day of the change, some long before, a few after now. */
function makeTimes(random: Random, count: number, { change, now }: { change: number; now: number }): number[] {
  const made: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const before = made[made.length - 1];
    if (before !== undefined && random.chance(0.15)) made.push(before);
    else made.push(makeTime(random, change, now) * 1_000 + random.pick([0, 0, 1, 999_999 % 1_000]));
  }
  return made;
}

function makeTime(random: Random, change: number, now: number): number {
  const kind = random.next();
  if (kind < 0.3) return change + Math.round((random.next() - 0.5) * 6) * HOUR_MS + random.pick([-1, 0, 0, 1]);
  if (kind < 0.4) return now - random.int(90 * MINUTE_MS);
  if (kind < 0.8) return now - random.int(14 * DAY_MS);
  if (kind < 0.97) return now - random.int(100 * DAY_MS);
  return now + random.int(2 * DAY_MS);
}

function makePerson(random: Random, team_id: number, n: number, now: number): RawPerson {
  const uuid = makeUuid(random);
  const hasProfile = random.chance(0.9);
  const distinct_ids = Array.from({ length: hasProfile ? 1 + random.int(3) : 1 }, (_, id) => {
    const distinct_id = `team-${team_id}-person-${n}-${id}`;
    if (!hasProfile || random.chance(0.6)) return { distinct_id, stored_person_id: uuid, moves: [], folded: false };
    const folded = random.chance(0.3);
    const moves = [...(random.chance(0.3) ? [makeUuid(random)] : []), uuid];
    return { distinct_id, stored_person_id: folded ? uuid : makeUuid(random), moves, folded };
  });
  return {
    uuid,
    hasProfile,
    created_at_ms: hasProfile ? now - random.int(20 * DAY_MS) : 0,
    properties: hasProfile ? makePersonProperties(random) : {},
    distinct_ids,
  };
}

interface Scene {
  n: number;
  micros: number;
  people: readonly RawPerson[];
  sessions: readonly string[];
}

function makeRawEvent(random: Random, { n, micros, people, sessions }: Scene): RawEvent {
  const person = random.pick(people);
  const { distinct_id, stored_person_id } = random.pick(person.distinct_ids);
  return {
    uuid: makeUuid(random),
    event: random.chance(0.6) ? '$pageview' : random.pick(EVENT_NAMES),
    micros,
    distinct_id,
    properties: makeEventProperties(random, sessions),
    person,
    stored_person_id,
    person_properties: !person.hasProfile || random.chance(0.7) ? person.properties : makePersonProperties(random),
    stored_person_created_at_ms: person.created_at_ms + (person.hasProfile && random.chance(0.2) ? DAY_MS : 0),
    log_position: n + 1,
  };
}

/** Quarters, so that sums are exact whatever their order. */
export const AMOUNTS = [0, 1, 2.5, 10, 10.25, -3, 1_000, '7', '7.50', ' 8', '', 'many', true, null, [1], { a: 1 }];

function makeEventProperties(random: Random, sessions: readonly string[]): Properties {
  return someOf(random, {
    $browser: () => random.pick([...BROWSERS, null]),
    $current_url: () => random.pick(URLS),
    $pathname: () => random.pick(['/', '/a', '/b']),
    $screen_name: () => random.pick(['Home', 'Cart']),
    plan: () => random.pick([...PLANS, 10, true, null]),
    amount: () => random.pick(AMOUNTS),
    'a.b': () => random.int(3),
    $odd: () => random.pick(['x', 'y', 1]),
    $session_id: () => random.pick([...sessions, 'not-a-uuid', '']),
    $group_0: () => random.pick([...GROUP_KEYS, 'unknown', '']),
  });
}

function makePersonProperties(random: Random): Properties {
  return someOf(random, {
    email: () => random.pick(['ann@a.example', 'bob@b.example', 'test@ours.example']),
    age: () => random.pick([17, 18, 40, '40', 'old', null]),
    vip: () => random.chance(0.5),
    $initial_browser: () => random.pick(BROWSERS),
  });
}

const makeGroupProperties = (random: Random): Properties =>
  someOf(random, { tier: () => random.pick(['gold', 'iron', 1, true, null]), seats: () => random.int(50) });

/** Each property with a chance of being there. */
function someOf(random: Random, makers: Readonly<Record<string, () => unknown>>): Properties {
  const kept = Object.entries(makers).filter(() => random.chance(0.7));
  return Object.fromEntries(kept.map(([name, make]) => [name, make()]));
}

function makeUuid(random: Random): string {
  const hex = random.bytes(16).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}

/** A uuid of version 7, which tells when the session began. */
function makeSessionId(random: Random, ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  const rest = random.bytes(10).toString('hex');
  return [time.slice(0, 8), time.slice(8), `7${rest.slice(1, 4)}`, `8${rest.slice(5, 8)}`, rest.slice(8)].join('-');
}

/** Puts it all where queries look for it. */
export async function storeDataset(client: ClickHouseClient, dataset: Dataset): Promise<void> {
  const { team_id, now, events, persons, groups } = dataset;
  const inserted_at = now * 1_000;
  const rows = events.map((event) =>
    makeEvent(event.log_position, {
      team_id,
      uuid: event.uuid,
      event: event.event,
      timestamp: event.micros,
      distinct_id: event.distinct_id,
      properties: JSON.stringify(event.properties),
      person_id: event.stored_person_id,
      person_created_at: event.stored_person_created_at_ms,
      person_properties: JSON.stringify(event.person_properties),
      person_mode: event.person.hasProfile ? 'full' : 'propertyless',
      created_at: inserted_at,
      inserted_at,
    }),
  );
  await insertEvents(client, rows, randomUUID());
  const mirrored = { team_id, is_deleted: false, inserted_at };
  await insertRows(
    client,
    'person',
    persons
      .filter(({ hasProfile }) => hasProfile)
      .map(
        ({ uuid, created_at_ms, properties }): PersonRow => ({
          ...mirrored,
          id: uuid,
          created_at: created_at_ms,
          properties: JSON.stringify(properties),
          is_identified: true,
          version: 1,
        }),
      ),
    randomUUID(),
  );
  const ids = persons.flatMap(({ uuid, hasProfile, distinct_ids }) =>
    hasProfile ? distinct_ids.map((id) => ({ ...id, uuid })) : [],
  );
  await insertRows(
    client,
    'person_distinct_id',
    ids.map(({ distinct_id, uuid, moves }) => ({ ...mirrored, distinct_id, person_id: uuid, version: moves.length })),
    randomUUID(),
  );
  const overrides = ids.flatMap(({ distinct_id, moves, folded }) => {
    const made = moves.map(
      (person_id, at): PersonDistinctIdRow => ({ ...mirrored, distinct_id, person_id, version: at + 1 }),
    );
    const nobody = '00000000-0000-0000-0000-000000000000';
    const end = { ...mirrored, distinct_id, person_id: nobody, version: moves.length + 1, is_deleted: true };
    return folded ? [...made, end] : made;
  });
  await insertRows(client, 'person_distinct_id_overrides', overrides, randomUUID());
  const groupRows = groups.map(
    ({ group_type_index, group_key, properties }): GroupRow => ({
      group_type_index,
      group_key,
      created_at: now,
      team_id,
      group_properties: JSON.stringify(properties),
      version: 1,
      inserted_at,
    }),
  );
  await insertRows(client, 'groups', groupRows, randomUUID());
}
