// Flags that change while they are asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLong } from '../random.ts';
import { startFlagsApp } from './flags-app.ts';

const ASKERS = isLong ? 16 : 8;
const CHANGES = isLong ? 50 : 5;

test('under load, whoever asks after a change was answered gets it, and nobody gets anything else', async () => {
  await using app = await startFlagsApp();
  const filters = (at: number) => ({
    groups: [{ properties: [], rollout_percentage: 100 }],
    multivariate: { variants: [{ key: `v${at}`, rollout_percentage: 100 }] },
  });
  const { body } = await app.api('POST', '/feature_flags/', { key: 'f', filters: filters(0) });
  let begun = 0;
  let finished = 0;
  let asked = 0;
  let isOver = false;

  const ask = async () => {
    while (!isOver) {
      const earliest = finished;
      const answer = await app.post('/decide/?v=3', { distinct_id: `somebody-${asked}` });
      const value = Number(String(answer.body?.featureFlags?.f).slice(1));
      assert.equal(answer.status, 200);
      assert.ok(value >= earliest && value <= begun, `${value} is not between ${earliest} and ${begun}`);
      asked += 1;
    }
  };
  const change = async () => {
    for (let at = 1; at <= CHANGES; at += 1) {
      begun = at;
      const { status } = await app.api('PATCH', `/feature_flags/${body.id}/`, { filters: filters(at) });
      assert.equal(status, 200);
      finished = at;
    }
    isOver = true;
  };
  await Promise.all([change(), ...Array.from({ length: ASKERS }, ask)]);
  assert.ok(asked > ASKERS);
});

test('each id of a person is decided by itself, however often it is asked about', async () => {
  await using app = await startFlagsApp();
  const ids = Array.from({ length: 8 }, (_, at) => `id-${at}`);
  await app.addPerson({ distinct_ids: ids, properties: { plan: 'pro' } });
  const properties = [{ key: 'plan', value: 'pro', type: 'person' }];
  await app.addFlag('half', { groups: [{ properties, rollout_percentage: 50 }] });
  const decide = async (distinct_id: string): Promise<boolean> =>
    (await app.post('/decide/?v=3', { distinct_id })).body.featureFlags.half;
  const rounds = [];
  for (let round = 0; round < 3; round += 1) {
    const decided = [];
    for (const id of ids) decided.push(await decide(id));
    rounds.push(decided);
  }
  assert.deepEqual(new Set(rounds[0]), new Set([true, false]));
  assert.deepEqual(rounds, [rounds[0], rounds[0], rounds[0]]);
});
