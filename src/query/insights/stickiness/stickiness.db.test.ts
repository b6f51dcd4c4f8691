// Worked examples in the shop of `test-shop.ts`; every number can be counted in its table.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ANN, BOB, FOUR_DAYS, openShop, type Shop, series } from '../../../../test/reference/query/shop.ts';
import { stickiness } from './stickiness.ts';

let shop: Shop;
before(async () => {
  shop = await openShop();
});
after(() => shop[Symbol.asyncDispose]());

const node = (given: object = {}) => ({
  kind: 'StickinessQuery',
  dateRange: FOUR_DAYS,
  series: [series('view')],
  ...given,
});

async function run(given: object = {}) {
  const query = node(given);
  return (await stickiness.run(await shop.contextFor(query), stickiness.read(query))).results as {
    data: number[];
    count: number;
    labels: string[];
    compare_label?: string;
  }[];
}

test('Ann came on three days, Bob on two, Cy on one; an item is exactly what the wire has', async () => {
  assert.deepEqual(await run(), [
    {
      count: 3,
      data: [1, 1, 1, 0],
      days: [1, 2, 3, 4],
      label: 'view',
      labels: ['1 day', '2 days', '3 days', '4 days'],
      action: { order: 0, type: 'events', name: 'view', id: 'view' },
    },
  ]);
});

test('cumulative: on so many days or more', async () => {
  const [item] = await run({ stickinessFilter: { computedAs: 'cumulative' } });
  assert.deepEqual([item?.data, item?.labels[1]], [[3, 2, 1, 0], '2 days or more']);
});

test('a day counts only if it was often enough that day', async () => {
  const twice = { stickinessFilter: { stickinessCriteria: { operator: 'gte', value: 2 } } };
  assert.deepEqual((await run(twice))[0]?.data, [1, 0, 0, 0], 'Ann viewed twice on Monday');
});

test('several intervals can count as one', async () => {
  const [item] = await run({ intervalCount: 2 });
  assert.deepEqual(item?.data, [1, 2], 'Monday and Tuesday are one; Ann and Bob were there in both halves');
});

test('groups and actions can be counted, and the period before', async () => {
  const ofGroups = series('view', { math: 'unique_group', math_group_type_index: 0 });
  assert.deepEqual((await run({ series: [ofGroups] }))[0]?.data, [0, 0, 1, 0]);
  const [now, before] = await run({ series: [{ kind: 'ActionsNode', id: 7 }], compareFilter: { compare: true } });
  assert.deepEqual([now?.data, now?.compare_label], [[1, 1, 1, 0], 'current']);
  assert.deepEqual([before?.data, before?.compare_label], [[0, 0, 0, 0], 'previous']);
});

test('who came on so many days', async () => {
  const query = node();
  const context = await shop.contextFor(query);
  const whoAt = async (day: number, given: object = {}) => {
    const { text, bound } = await stickiness.actors!(context, stickiness.read(node(given)), { day });
    const rows = await context.ask<{ actor_id: string; event_count: number }>({ text, params: bound.params });
    return rows.map(({ actor_id, event_count }) => [actor_id, event_count]).sort();
  };
  assert.deepEqual(await whoAt(3), [[ANN, 4]]);
  assert.deepEqual(await whoAt(2, { stickinessFilter: { computedAs: 'cumulative' } }), [
    [ANN, 4],
    [BOB, 2],
  ]);
  await assert.rejects(whoAt(0), /a number of intervals, from 1; not "0"/);
});
