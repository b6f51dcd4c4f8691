// Flags in the whole program, while its pipeline works: what was accepted is known, stored or not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isLong, seededRandom, seedOfRun } from '../random.ts';
import { startWholeProgram, type WholeProgram } from '../sdk/stored.ts';

const PEOPLE = 8;
const ROUNDS = isLong ? 1_000 : 30;

let program: WholeProgram;
before(async () => {
  program = await startWholeProgram();
});
after(() => program?.[Symbol.asyncDispose]());

async function post(path: string, body: object) {
  const response = await fetch(program.url + path, { method: 'POST', body: JSON.stringify(body) });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  const answer: any = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

async function createFlag(): Promise<void> {
  const variants = Array.from({ length: 10 }, (_, at) => ({ key: `n${at}`, rollout_percentage: 10 }));
  const groups = variants.map(({ key }) => ({
    properties: [{ key: 'n', value: key, type: 'person' }],
    rollout_percentage: 100,
    variant: key,
  }));
  const response = await fetch(`${program.url}/api/projects/${program.project_id}/feature_flags/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'n', filters: { groups, multivariate: { variants } } }),
  });
  assert.equal(response.status, 201);
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
