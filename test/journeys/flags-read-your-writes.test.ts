// What capture has accepted about somebody, the next decision about them knows: before anything is stored, while it is
// stored, and after.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { watchAcceptedWrites } from '../../src/flags/accepted-writes.ts';
import { type FlagsApp, startFlagsApp } from './flags-app.ts';

const is = (key: string, value: unknown) => ({
  groups: [{ properties: [{ key, value, type: 'person' }], rollout_percentage: 100 }],
});

let app: FlagsApp;
before(async () => {
  // Without a pipeline nothing is ever stored, so whatever a decision knows it knows from what was accepted.
  app = await startFlagsApp();
  await app.addFlag('pro', is('plan', 'pro'));
  await app.addFlag('vip', is('tier', 'vip'));
});
after(() => app[Symbol.asyncDispose]());

async function capture(...batch: object[]): Promise<void> {
  assert.equal((await app.post('/batch/', { api_key: app.token, batch })).status, 200);
}

async function flagsOf(distinct_id: string): Promise<Record<string, boolean>> {
  const { status, body } = await app.post('/decide/?v=3', { distinct_id });
  assert.equal(status, 200);
  assert.equal(body.errorsWhileComputingFlags, false);
  return body.featureFlags;
}

test('a $set is known to the next decision, of somebody new and of somebody stored', async () => {
  await app.addPerson({ distinct_ids: ['ann'], properties: { plan: 'free', tier: 'vip' } });
  assert.deepEqual(await flagsOf('ann'), { pro: false, vip: true });
  await capture(
    { event: 'upgraded', distinct_id: 'ann', properties: { $set: { plan: 'pro' } } },
    { event: '$set', distinct_id: 'new', $set: { plan: 'pro' } },
  );
  assert.deepEqual(await flagsOf('ann'), { pro: true, vip: true });
  assert.deepEqual(await flagsOf('new'), { pro: true, vip: false });
  assert.deepEqual(await flagsOf('else'), { pro: false, vip: false });
});

test('the latest of several wins, $set_once keeps what is there, and $unset takes away', async () => {
  await app.addPerson({ distinct_ids: ['bob'], properties: { tier: 'vip' } });
  await capture(
    { event: '$set', distinct_id: 'bob', properties: { $set: { plan: 'pro' }, $set_once: { tier: 'none' } } },
    { event: '$set', distinct_id: 'bob', properties: { $set: { plan: 'free' } } },
  );
  assert.deepEqual(await flagsOf('bob'), { pro: false, vip: true });
  await capture({ event: '$set', distinct_id: 'bob', properties: { $set: { plan: 'pro' }, $unset: ['tier'] } });
  assert.deepEqual(await flagsOf('bob'), { pro: true, vip: false });
});

test('a $set of one id is known to a decision about another id of the same person', async () => {
  await app.addPerson({ distinct_ids: ['cy', 'cy-phone'], properties: {} });
  await capture({ event: '$set', distinct_id: 'cy-phone', properties: { $set: { plan: 'pro' } } });
  assert.deepEqual(await flagsOf('cy'), { pro: true, vip: false });
});

test('a visitor who has just been identified brings along what was known of them', async () => {
  await app.addPerson({ distinct_ids: ['visitor'], properties: { tier: 'vip' } });
  await capture(
    { event: '$set', distinct_id: 'visitor', properties: { $set: { plan: 'pro' } } },
    { event: '$identify', distinct_id: 'dora', properties: { $anon_distinct_id: 'visitor' } },
  );
  assert.deepEqual(await flagsOf('dora'), { pro: true, vip: true });
  await capture({ event: '$create_alias', distinct_id: 'dora', properties: { alias: 'dora-2' } });
  assert.deepEqual(await flagsOf('dora-2'), { pro: true, vip: true });
});

test('an event that wants no person changes none', async () => {
  await capture({
    event: 'x',
    distinct_id: 'eve',
    properties: { $process_person_profile: false, $set: { plan: 'pro' } },
  });
  assert.deepEqual(await flagsOf('eve'), { pro: false, vip: false });
});

test('a $groupidentify is known to the next decision about the group, and the latest wins', async () => {
  const own = await app.addProject();
  await own.addGroupType('company', 0);
  await own.addGroup(0, 'acme', { plan: 'free', size: 3 });
  const only = (key: string, value: unknown) => ({
    aggregation_group_type_index: 0,
    groups: [{ properties: [{ key, value, type: 'group', group_type_index: 0 }], rollout_percentage: 100 }],
  });
  await own.addFlag('pro', only('plan', 'pro'));
  await own.addFlag('small', only('size', 3));
  const flagsOfCompany = async (company: string) =>
    (await own.post('/decide/?v=3', { distinct_id: 'ann', groups: { company } })).body.featureFlags;
  const identify = async (distinct_id: string, $group_key: string, $group_set: object) => {
    const properties = { $group_type: 'company', $group_key, $group_set };
    const { status } = await own.post('/capture/', { event: '$groupidentify', distinct_id, properties });
    assert.equal(status, 200);
  };
  assert.deepEqual(await flagsOfCompany('acme'), { pro: false, small: true });
  await identify('$company_acme', 'acme', { plan: 'pro' });
  await identify('ann', 'new', { plan: 'free', size: 3 });
  await identify('bob', 'new', { plan: 'pro' });
  assert.deepEqual(await flagsOfCompany('acme'), { pro: true, small: true });
  assert.deepEqual(await flagsOfCompany('new'), { pro: true, small: true });
  assert.deepEqual(await flagsOfCompany('else'), { pro: false, small: false });
});

test('what waited in the log when the program started is known, too', async () => {
  await capture({ event: '$set', distinct_id: 'fay', properties: { $set: { plan: 'pro' } } });
  const accepted = watchAcceptedWrites(app.eventLog, app.log);
  assert.deepEqual(accepted.of(app.project.id, 'fay'), []);
  await accepted.recall();
  accepted.close();
  assert.equal(accepted.of(app.project.id, 'fay').length, 1);
  assert.equal(accepted.isStoredBy(app.project.id, 'fay', performance.now()), false);
  assert.equal(accepted.isStoredBy(app.project.id, 'nobody', performance.now()), true);
});
