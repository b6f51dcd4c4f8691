import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PeopleCache } from './people-cache.ts';

/** A cache that has read Ann, who has two ids, at moment 0; and what tells it the time and what ids had events. */
function keepAnn() {
  const around = { now: 0, eventAt: new Map<string, number>(), storedAt: new Map<string, number>() };
  const accepted = {
    isQuietSince: (_: number, id: string, since: number) => (around.eventAt.get(id) ?? -1) < since,
    isStoredBy: (_: number, id: string, by: number) =>
      !around.eventAt.has(id) || (around.storedAt.get(id) ?? Number.POSITIVE_INFINITY) < by,
  };
  const people = new PeopleCache<string>(accepted, () => around.now);
  const ann = { team_id: 1, distinct_id: 'ann', distinct_ids: ['ann', 'ann-phone'], facts: 'Ann', readAt: 0 };
  people.keep(ann);
  return { around, people, find: () => people.find(1, 'ann') };
}

/** What is done twice within the time for which anybody is good. */
function lookAgain({ around, people }: ReturnType<typeof keepAnn>): void {
  for (const entry of people.listExpected()) people.confirm(entry, around.now);
}

test('whoever was read is known for two seconds, and as long as looking again finds no change', () => {
  const ann = keepAnn();
  ann.around.now = 1_999;
  assert.equal(ann.find(), 'Ann');
  lookAgain(ann);
  ann.around.now = 3_998;
  assert.equal(ann.find(), 'Ann');
  ann.around.now = 3_999;
  assert.equal(ann.find(), undefined);
  assert.equal(ann.people.findFormer(1, 'ann'), 'Ann');
});

test('whoever is asked about all the time is read again once a minute', () => {
  const ann = keepAnn();
  for (; ann.find() && ann.around.now < 100_000; ann.around.now += 1_000) lookAgain(ann);
  assert.equal(ann.around.now, 61_000);
});

for (const [asks, untilMs] of [
  ['was asked about once', 5_000],
  ['was asked about again', 30_000],
] as const) {
  test(`whoever ${asks} is looked at for ${untilMs / 1_000} seconds, and not for ever`, () => {
    const ann = keepAnn();
    if (asks.endsWith('again')) ann.find();
    for (; ann.people.listExpected().length > 0 && ann.around.now < 100_000; ann.around.now += 1_000) lookAgain(ann);
    assert.equal(ann.around.now, untilMs);
  });
}

test('an event of any of their ids ends it at once; a look brings it back only after the event was stored', () => {
  const ann = keepAnn();
  ann.around.now = 1_000;
  ann.around.eventAt.set('ann-phone', 1_000);
  assert.equal(ann.find(), undefined);
  ann.around.now = 1_100;
  lookAgain(ann);
  assert.equal(ann.find(), undefined);
  ann.around.storedAt.set('ann-phone', 1_200);
  ann.around.now = 1_300;
  lookAgain(ann);
  assert.equal(ann.find(), 'Ann');
});
