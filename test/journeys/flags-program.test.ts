// Flags in the whole program: while its pipeline works, and under a steady load while one of them changes.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';
import { isLong, seededRandom, seedOfRun } from '../random.ts';
import { openWholeProgram, type WholeProgram } from '../sdk/stored.ts';

const PEOPLE = 8;
const ROUNDS = isLong ? 1_000 : 15;

const LOAD = isLong ? { overallRate: 2_000, duration: 30 } : { overallRate: 200, duration: 2 };
const CONNECTIONS = 16;
const CHANGE_EVERY_MS = 100;
/** How long an old value may still be served after a change was answered. */
const OLD_MS_MAX = 1_000;

const filtersOf = (at: number) => ({
  groups: [{ properties: [], rollout_percentage: 100 }],
  multivariate: { variants: [{ key: `v${at}`, rollout_percentage: 100 }] },
});

let program: WholeProgram;
before(async () => {
  program = await openWholeProgram();
});

async function post(path: string, body: object) {
  const response = await fetch(program.url + path, { method: 'POST', body: JSON.stringify(body) });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  const answer: any = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

async function api(method: string, path: string, body: object): Promise<{ id: number }> {
  const response = await fetch(`${program.url}/api/projects/${program.project_id}${path}`, {
    method,
    headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${method} ${path} answered ${response.status}`);
  return (await response.json()) as { id: number };
}

async function createFlag(): Promise<void> {
  const variants = Array.from({ length: 10 }, (_, at) => ({ key: `n${at}`, rollout_percentage: 10 }));
  const groups = variants.map(({ key }) => ({
    properties: [{ key: 'n', value: key, type: 'person' }],
    rollout_percentage: 100,
    variant: key,
  }));
  await api('POST', '/feature_flags/', { key: 'n', filters: { groups, multivariate: { variants } } });
}

/** On a machine that is busy with other things, a database may answer too late; then the answer says so. */
async function decide(distinct_id: string): Promise<unknown> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await post('/decide/?v=3', { token: program.token, distinct_id });
    if (!answer.errorsWhileComputingFlags) return answer.featureFlags.n;
  }
  return assert.fail('no decision could be made');
}

test('whatever was set last is what the next decision goes by, for whichever id of the person', async () => {
  await createFlag();
  const live = async (person: number): Promise<void> => {
    const random = seededRandom(seedOfRun + person);
    const ids = [`person-${person}`, `visitor-${person}`];
    const capture = (event: string, distinct_id: string, properties: object) =>
      post('/capture/', { api_key: program.token, event, distinct_id, properties });
    await capture('seen', ids[1]!, { $set: { n: 'n0' } });
    await capture('$identify', ids[0]!, { $anon_distinct_id: ids[1] });
    for (let round = 0; round < ROUNDS; round += 1) {
      const n = `n${random.int(10)}`;
      // Always by the same id: between two ids of a person, the pipeline goes by partition and not by time.
      await capture('$set', ids[person % 2]!, { $set: { n } });
      // Sometimes the pipeline has the time to store it, sometimes not.
      for (let pause = random.int(4); pause > 0; pause -= 1) await capture('page', random.pick(ids), { at: pause });
      assert.equal(await decide(random.pick(ids)), n, `person ${person}, round ${round}, seed ${seedOfRun}`);
    }
  };
  await Promise.all(Array.from({ length: PEOPLE }, (_, person) => live(person)));
});

test('while a flag changes again and again, every answer is right, and none is older than a second', async () => {
  const { id } = await api('POST', '/feature_flags/', { key: 'f', filters: filtersOf(0) });
  const changes = [{ at: 0, answeredAt: 0 }];
  let begun = 0;
  let isOver = false;
  const wrong: string[] = [];

  const look = (status: number, body: string) => {
    const value = status === 200 ? Number(String(JSON.parse(body).featureFlags.f).slice(1)) : Number.NaN;
    const oldest = changes.findLast(({ answeredAt }) => answeredAt <= performance.now() - OLD_MS_MAX)!.at;
    if (!(value >= oldest && value <= begun)) wrong.push(`${status} ${value}, expected from ${oldest} to ${begun}`);
  };
  const request = (at: number) => ({
    method: 'POST',
    path: '/decide/?v=3',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: program.token, distinct_id: `person-${at}` }),
    onResponse: look,
  });
  const load = async () => {
    const requests = Array.from({ length: 100 }, (_, at) => request(at));
    const result = await autocannon({ url: program.url, connections: CONNECTIONS, requests, ...LOAD });
    isOver = true;
    return result;
  };
  const change = async () => {
    while (!isOver) {
      await setTimeout(CHANGE_EVERY_MS);
      begun += 1;
      await api('PATCH', `/feature_flags/${id}/`, { filters: filtersOf(begun) });
      changes.push({ at: begun, answeredAt: performance.now() });
    }
  };
  const [result] = await Promise.all([load(), change()]);

  assert.deepEqual(wrong, []);
  assert.deepEqual([result.non2xx, result.errors], [0, 0]);
  assert.ok(changes.length > 3, `only ${changes.length} changes`);
  const wanted = LOAD.overallRate * LOAD.duration;
  if (isLong) assert.ok(result.requests.total > 0.9 * wanted, `${result.requests.total} of ${wanted} requests`);
});
