// `kill -9` of the program and of each engine, at random, while events of many people arrive: each is stored once, in
// order, and people are what a plain sequential reading of the same events says.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { partitionOf } from '../../src/log/partition.ts';
import type { HourCounts } from '../../src/pipeline/accounting.ts';
import type { DriverEvent, ToProgram } from '../pipeline-program.ts';
import { processTree, waitFor } from '../program.ts';
import { isLong, type Random, seededRandom, seedOfRun } from '../random.ts';
import { ReferenceProject } from '../reference/people.ts';

const KILLS = 100;
/** In short, `nothing-lost` kills the whole program. */
const skip = isLong ? false : 'takes minutes: npm run test:long pipeline-crash';
const FAMILIES = 12;
/** Slow enough that the pipeline keeps up between the kills, on a busy machine too. */
const PAUSE_MS_MAX = 60;
const RECOVERY_MS_MAX = 60_000;
/** Between a kill and the next: long enough for some batches, short enough to hit a recovery now and then. */
const CALM_MS_MAX = 1_500;
const random = seededRandom(seedOfRun);
const data = await mkdtemp(join(tmpdir(), 'tenrec-pipeline-crash-'));
const START = Date.UTC(2025, 0, 1);

let program: ChildProcess | undefined;
let output = '';
let team_id = 0;
let partitions = 0;
let asked = 0;
let writing = true;
const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();

after(async () => {
  program?.removeAllListeners('exit');
  if (program?.connected) program.disconnect();
  await waitFor(() => (program?.exitCode !== null || program?.signalCode !== null ? true : undefined), 15_000);
  await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
});

async function start(): Promise<void> {
  const child = fork(join(import.meta.dirname, '..', 'pipeline-program.ts'), {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TENREC_DATA: data },
    silent: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-200_000);
    });
  }
  const started = new Promise<void>((resolve, reject) => {
    child.on('message', (message: { team_id?: number; partitions?: number }) => {
      if (message.team_id === undefined) return;
      team_id = message.team_id;
      partitions = message.partitions!;
      resolve();
    });
    child.once('exit', () => reject(new Error(`the program did not start:\n${output}`)));
  });
  child.on('message', ({ id, result, failure }: { id?: number; result?: unknown; failure?: string }) => {
    if (id === undefined) return;
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) waiter?.resolve(result);
    else waiter?.reject(new Error(failure));
  });
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the program was killed'));
    waiting.clear();
  });
  await started;
  program = child;
}

type Question = ToProgram extends infer Each ? (Each extends ToProgram ? Omit<Each, 'id'> : never) : never;

function ask<Answer>(question: Question): Promise<Answer> {
  const id = ++asked;
  return new Promise((resolve, reject) => {
    if (!program?.connected) throw new Error('the program is not there');
    waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
    program.send({ ...question, id }, (error) => error && reject(error));
  });
}

/** People who have to do with each other. Their ids share a partition, so the order of their events is certain. */
class Family {
  readonly name: string;
  readonly ids: string[] = [];
  readonly sent: DriverEvent[] = [];
  resent = 0;

  constructor(name: string) {
    this.name = name;
    for (let n = 0; this.ids.length < 5; n += 1) {
      const id = `${name}-${n}`;
      const home = partitionOf(`${team_id}:${this.ids[0] ?? id}`, partitions);
      if (partitionOf(`${team_id}:${id}`, partitions) === home) this.ids.push(id);
    }
  }

  makeEvent(): DriverEvent {
    const n = this.sent.length;
    const event = random.pick([
      'seen',
      'seen',
      'seen',
      '$set',
      '$identify',
      '$create_alias',
      '$merge_dangerously',
      '$groupidentify',
    ]);
    const properties: Record<string, unknown> = { n };
    if (random.chance(0.5)) properties.$set = { [random.pick(['plan', 'name', '$browser'])]: random.int(4), last: n };
    if (random.chance(0.2)) properties.$set_once = { first: n };
    if (random.chance(0.1)) properties.$unset = ['plan'];
    if (random.chance(0.15) && event === 'seen') properties.$process_person_profile = false;
    if (event === '$identify' && random.chance(0.6)) properties.$anon_distinct_id = random.pick(this.ids);
    if (/alias|merge/.test(event)) properties.alias = random.pick(this.ids);
    if (event === '$groupidentify') {
      Object.assign(properties, { $group_type: 'family', $group_key: this.name, $group_set: { [`p${n % 3}`]: n } });
    }
    const made = { uuid: uuidOf(random), event, distinct_id: random.pick(this.ids), properties };
    const timed = { ...made, timestamp: new Date(START + n * 1_000).toISOString() };
    this.sent.push(timed);
    return timed;
  }

  /** Sends until told to stop; what got no clear answer is sent again, as an SDK does, before anything else. */
  async live(): Promise<void> {
    while (writing) {
      const events = Array.from({ length: 1 + random.int(8) }, () => this.makeEvent());
      for (;;) {
        const failure = await ask({ ask: 'append', events }).catch((error: Error) => error);
        if (!(failure instanceof Error)) break;
        this.resent += events.length;
        await delay(20);
      }
      // Clients also repeat what was answered well, when they missed the answer.
      if (random.chance(0.05)) {
        await ask({ ask: 'append', events }).catch(() => {});
        this.resent += events.length;
      }
      await delay(random.int(PAUSE_MS_MAX));
    }
  }
}

function uuidOf({ bytes }: Random): string {
  const hex = bytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const engines = { PostgreSQL: 'bin/postgres -D', ClickHouse: 'embedded/child.ts' };

async function killAtRandom(): Promise<void> {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await delay(random.int(CALM_MS_MAX));
    const target = random.pick(['program', 'PostgreSQL', 'ClickHouse'] as const);
    if (target === 'program') {
      program?.kill('SIGKILL');
      await start();
      continue;
    }
    const pid = processTree(program?.pid ?? 0).find(({ command }) => command.includes(engines[target]))?.pid;
    // It may be on its way back from the last kill.
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  }
}

test(`${KILLS} kills lose nothing, double nothing and change nobody (seed ${seedOfRun})`, { skip }, async () => {
  await start();
  const families = Array.from({ length: FAMILIES }, (_, n) => new Family(`f${n}`));
  const lives = Promise.all(families.map((family) => family.live()));
  try {
    await Promise.race([killAtRandom(), lives]);
  } finally {
    writing = false;
    await lives;
  }
  await drained();
  const sent = families.flatMap((family) => family.sent);
  assert.ok(sent.length > KILLS * 50, `only ${sent.length} events were sent`);
  await checkEvents(families);
  await checkPeople(families);
  await checkAccounting(sent.length);
});

/** Waits until nothing is left, for as long as it becomes less. */
async function drained(): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (;;) {
    const left = await waitFor(
      async () => {
        const now = await ask<number>({ ask: 'waiting' }).catch(() => least);
        return now < least ? now : undefined;
      },
      RECOVERY_MS_MAX,
      () => `${least} events are still waiting:\n${output.slice(-5_000)}`,
    );
    if (left === 0) return;
    least = left;
  }
}

interface StoredEvent {
  uuid: string;
  n: string;
  person_id: string;
  distinct_id: string;
}

async function checkEvents(families: Family[]): Promise<void> {
  const stored = await ask<StoredEvent[]>({
    ask: 'rows',
    query: `SELECT toString(uuid) AS uuid, JSONExtractInt(properties, 'n') AS n, distinct_id, toString(person_id) AS person_id
              FROM events ORDER BY log_partition, log_position`,
  });
  const byUuid = Map.groupBy(stored, ({ uuid }) => uuid);
  const expected = new Map<string, string>();
  for (const family of families) for (const [uuid, person] of referenceOf(family).shown) expected.set(uuid, person);
  const lost = [...expected.keys()].filter((uuid) => !byUuid.has(uuid));
  const doubled = [...byUuid.values()].filter((rows) => rows.length > 1).map(([row]) => row?.uuid);
  const strange = [...byUuid.keys()].filter((uuid) => !expected.has(uuid));
  assert.deepEqual({ lost, doubled, strange }, { lost: [], doubled: [], strange: [] });
  const wrongPerson = stored.filter(({ uuid, person_id }) => expected.get(uuid) !== person_id);
  assert.deepEqual(wrongPerson, []);
  for (const family of families) {
    const numbers = stored
      .filter(({ distinct_id }) => distinct_id.startsWith(`${family.name}-`))
      .map(({ n }) => Number(n));
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => a - b),
      `the events of ${family.name} are out of order`,
    );
  }
}

/** What must be true of a family, and which person each of its events shows. */
function referenceOf(family: Family): { project: ReferenceProject; shown: Map<string, string> } {
  const project = new ReferenceProject(team_id);
  const shown = new Map<string, string>();
  for (const event of family.sent) {
    const person = project.take({ ...event, timestamp: Date.parse(event.timestamp) * 1_000 });
    if (person !== undefined) shown.set(event.uuid, person);
  }
  return { project, shown };
}

interface PersonState {
  uuid: string;
  version: number;
  is_identified: boolean;
  properties: Record<string, unknown>;
  ids: [string, number][];
}

const byUuid = (one: { uuid: string }, other: { uuid: string }) => (one.uuid < other.uuid ? -1 : 1);

async function checkPeople(families: Family[]): Promise<void> {
  const references = families.map((family) => referenceOf(family).project);
  const expected = references.flatMap(({ persons }) =>
    persons.map(({ uuid, version, is_identified, properties, ids }) => ({
      uuid,
      version,
      is_identified,
      properties: Object.fromEntries(properties),
      ids: [...ids].sort(),
    })),
  );
  const state = await ask<PersonState[]>({
    ask: 'state',
    query: `select uuid, version, is_identified, properties,
                   (select jsonb_agg(jsonb_build_array(distinct_id, version)) from person_distinct_id
                     where team_id = person.team_id and person_uuid = person.uuid) as ids
              from person`,
  });
  const found = state.map((person) => ({ ...person, ids: [...person.ids].sort() }));
  assert.deepEqual(found.sort(byUuid), expected.sort(byUuid));

  const mirrored = await ask<{ uuid: string; latest: string }[]>({
    ask: 'rows',
    query: `SELECT toString(id) AS uuid, max(version) AS latest FROM person GROUP BY id HAVING NOT argMax(is_deleted, version)`,
  });
  assert.deepEqual(
    mirrored.map(({ uuid, latest }) => ({ uuid, version: Number(latest) })).sort(byUuid),
    expected.map(({ uuid, version }) => ({ uuid, version })),
  );
  const ids = await ask<{ distinct_id: string; person_id: string }[]>({
    ask: 'rows',
    query: `SELECT distinct_id, toString(argMax(person_id, version)) AS person_id FROM person_distinct_id GROUP BY distinct_id`,
  });
  const owners = new Map(expected.flatMap(({ uuid, ids: own }) => own.map(([id]) => [id, uuid])));
  assert.deepEqual(new Map(ids.map(({ distinct_id, person_id }) => [distinct_id, person_id])), owners);

  const groups = await ask<{ group_key: string; properties: Record<string, unknown> }[]>({
    ask: 'state',
    query: 'select group_key, properties from groups',
  });
  const expectedGroups = references.flatMap((project) =>
    project.groups.map(({ key, properties }) => [key, Object.fromEntries(properties)] as const),
  );
  assert.deepEqual(
    new Map(groups.map(({ group_key, properties }) => [group_key, properties])),
    new Map(expectedGroups),
  );
}

async function checkAccounting(sent: number): Promise<void> {
  const hours = await ask<HourCounts[]>({ ask: 'counts' });
  let [accepted, stored, dropped, duplicates] = [0, 0, 0, 0];
  for (const hour of hours) {
    assert.equal(hour.waiting, 0);
    accepted += hour.accepted;
    stored += hour.stored;
    duplicates += hour.dropped.duplicate ?? 0;
    for (const events of Object.values(hour.dropped)) dropped += events;
  }
  assert.equal(accepted, stored + dropped);
  assert.equal(accepted - duplicates, sent);
}
