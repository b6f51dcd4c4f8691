// Nothing lost, nothing twice: many clients post through the front door, single events and batches, and send again what
// got no clear answer, while the program and both its engines are killed at random.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { checkAccounts, waitUntilProcessed } from '../load/accounts.ts';
import { Client, makeUuid, type SentEvent } from '../load/client.ts';
import { type Expected, expectAfter, Family } from '../load/family.ts';
import { type LoadedProgram, startLoadedProgram } from '../load/program.ts';
import { KEY } from '../program.ts';
import { isLong, seededRandom, seedOfRun } from '../random.ts';

const KILLS = isLong ? 102 : 3;
const FAMILIES = 8;
const CROWD = 16;
/** Slow enough that the pipeline keeps up between the kills, on a busy machine too. */
const PAUSE_MS_MAX = 60;
/** From one kill to the next: long enough for some batches, short enough to hit a recovery now and then. */
const CALM_MS_MAX = 1_500;
const PROCESSED_MS_MAX = isLong ? 600_000 : 120_000;

const random = seededRandom(seedOfRun);
const data = await mkdtemp(join(tmpdir(), 'tenrec-nothing-lost-'));
let program: LoadedProgram | undefined;
let port = 0;
let sending = true;
after(async () => {
  await program?.stop();
  await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
});

async function start(): Promise<void> {
  const started = await startLoadedProgram({ data });
  program = started;
  port = started.port;
}

/** Sends what `make` makes, a few events at a time, until all is over. */
async function live(client: Client, eventsMax: number, make: () => SentEvent): Promise<void> {
  while (sending) {
    await client.deliver(Array.from({ length: 1 + random.int(eventsMax) }, make));
    await delay(random.int(PAUSE_MS_MAX));
  }
}

/** One of many who only come by: numbered events under an id of their own. */
function makeVisitor(name: string): () => SentEvent {
  let n = 0;
  return () => ({
    uuid: makeUuid(random),
    event: 'came by',
    distinct_id: name,
    timestamp: new Date(Date.UTC(2025, 5, 1) + n * 1_000).toISOString(),
    properties: { n: n++, $set: { last: n } },
  });
}

/** Writes that go to PostgreSQL alone: the names of projects that were acknowledged. */
async function nameProjects(named: Set<string>): Promise<void> {
  for (let n = 0; sending || named.size === 0; n += 1) {
    const name = `project ${n}`;
    const response = await askApi('/api/projects/', { method: 'POST', body: JSON.stringify({ name }) });
    if (response?.status === 201) named.add(name);
    else
      assert.ok(response === undefined || response.status === 503, `naming a project was answered ${response?.status}`);
    await delay(random.int(PAUSE_MS_MAX));
  }
}

/** Undefined when there was no answer. */
const askApi = (path: string, init: RequestInit = {}): Promise<Response | undefined> =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
  }).catch(() => undefined);

/** Each of the three in turn, in an order that nobody knows beforehand. */
async function killAtRandom(): Promise<void> {
  const targets = Array.from({ length: KILLS }, (_, n) => (['program', 'PostgreSQL', 'ClickHouse'] as const)[n % 3]!);
  while (targets.length > 0) {
    await delay(random.int(CALM_MS_MAX));
    const [target] = targets.splice(random.int(targets.length), 1);
    if (target === 'program') {
      program!.kill('SIGKILL');
      await program!.ended;
      await start();
    } else {
      // It may be on its way back from the last kill; then it is killed as soon as it is there.
      const pid = program!.findEngine(target!);
      if (pid === undefined) targets.push(target!);
      else process.kill(pid, 'SIGKILL');
    }
  }
}

test(`${KILLS} kills lose nothing, double nothing and change nobody (seed ${seedOfRun})`, async (t) => {
  await start();
  const families = Array.from({ length: FAMILIES }, (_, n) => new Family(`family-${n}`, random));
  const relatives = families.map(() => new Client(() => port, random));
  const crowd = Array.from({ length: CROWD }, () => new Client(() => port, random));
  const named = new Set<string>();
  const lives = Promise.all([
    ...relatives.map((client, n) => live(client, 6, () => families[n]!.makeEvent())),
    ...crowd.map((client, n) => live(client, 20, makeVisitor(`visitor-${n}`))),
    nameProjects(named),
  ]);
  try {
    await Promise.race([killAtRandom(), lives]);
  } finally {
    sending = false;
    await lives;
  }
  const accounts = await waitUntilProcessed(port, PROCESSED_MS_MAX, () => program!.output());
  const clients = [...relatives, ...crowd];
  const expected = clients.map(({ acknowledged }) => expectAfter(acknowledged));
  const sent = clients.flatMap(({ acknowledged }) => acknowledged);
  const resent = clients.reduce((sum, client) => sum + client.resent, 0);
  t.diagnostic(`${sent.length} events, ${resent} sent again; ${JSON.stringify(accounts)}`);

  await checkEvents(sent, expected);
  await checkPeople(expected);
  await checkProjects(named);
  checkAccounts(accounts);
  const { duplicate = 0, ...otherwise } = accounts.dropped;
  assert.equal(accounts.stored, sent.length);
  assert.deepEqual(otherwise, {});
  // What was killed before it was accepted is not accounted for; what was accepted twice is a duplicate.
  assert.ok(duplicate <= resent, `${duplicate} duplicates of ${resent} events that were sent again`);
  assert.ok(sent.length > KILLS * 50, `only ${sent.length} events were sent`);
});

async function checkProjects(named: ReadonlySet<string>): Promise<void> {
  const response = await askApi('/api/projects/?limit=1000000');
  const { results } = (await response!.json()) as { results: { name: string }[] };
  const lost = named.difference(new Set(results.map(({ name }) => name)));
  assert.deepEqual([...lost], [], 'projects that were acknowledged are lost');
}

interface StoredEvent {
  uuid: string;
  n: string;
  distinct_id: string;
  person_id: string;
}

async function checkEvents(sent: readonly SentEvent[], expected: readonly Expected[]): Promise<void> {
  const stored = await program!.ask<StoredEvent>(
    `select toString(uuid) as uuid, JSONExtractInt(properties, 'n') as n, distinct_id, toString(person_id) as person_id
       from events order by log_partition, log_position`,
  );
  const byUuid = Map.groupBy(stored, ({ uuid }) => uuid);
  const shown = new Map(expected.flatMap((each) => [...each.shown]));
  const lost = sent.filter(({ uuid }) => !byUuid.has(uuid)).map(({ uuid }) => uuid);
  const twice = [...byUuid].filter(([, rows]) => rows.length > 1).map(([uuid]) => uuid);
  const strange = [...byUuid.keys()].filter((uuid) => !shown.has(uuid));
  assert.deepEqual({ lost, twice, strange }, { lost: [], twice: [], strange: [] });
  assert.deepEqual(
    stored.filter(({ uuid, person_id }) => shown.get(uuid) !== person_id),
    [],
    'events that show another person than they should',
  );
  for (const [id, rows] of Map.groupBy(stored, ({ distinct_id }) => distinct_id)) {
    const numbers = rows.map(({ n }) => Number(n));
    const inOrder = numbers.every((n, at) => at === 0 || n > numbers[at - 1]!);
    assert.ok(inOrder, `the events of ${id} are out of order: ${numbers}`);
  }
}

async function checkPeople(expected: readonly Expected[]): Promise<void> {
  const persons = expected.flatMap((each) => each.persons);
  const found = await program!.ask<{ uuid: string; version: string; is_identified: boolean; properties: string }>(
    `select toString(id) as uuid, max(person.version) as version, argMax(is_identified, person.version) as is_identified,
            argMax(properties, person.version) as properties
       from person group by id having not argMax(is_deleted, person.version)`,
  );
  const byUuid = new Map(found.map(({ uuid, ...rest }) => [uuid, rest]));
  for (const { uuid, version, is_identified, properties } of persons) {
    const known = byUuid.get(uuid);
    assert.ok(known, `nobody has the uuid ${uuid}`);
    assert.deepEqual(
      { ...known, version: Number(known.version), properties: JSON.parse(known.properties) },
      { version, is_identified, properties: Object.fromEntries(properties) },
    );
  }
  assert.equal(found.length, persons.length);
  const owners = await program!.ask<{ distinct_id: string; person_id: string }>(
    `select distinct_id, toString(argMax(person_id, version)) as person_id from person_distinct_id
      group by distinct_id having not argMax(is_deleted, version)`,
  );
  assert.deepEqual(
    new Map(owners.map(({ distinct_id, person_id }) => [distinct_id, person_id])),
    new Map(persons.flatMap(({ uuid, ids }) => [...ids.keys()].map((id) => [id, uuid]))),
  );
}
