// Worked examples in the shop of `test-shop.ts`; every number can be counted in its table.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ANN, BOB, CY, DAYS, FOUR_DAYS, openShop, type Shop, series } from '../../../../test/reference/query/shop.ts';
import { lifecycle } from './lifecycle.ts';

let shop: Shop;
before(async () => {
  shop = await openShop();
});
after(() => shop[Symbol.asyncDispose]());

const node = (given: object = {}) => ({
  kind: 'LifecycleQuery',
  dateRange: FOUR_DAYS,
  series: [series('view')],
  ...given,
});

async function run(given: object = {}) {
  const query = node(given);
  return (await lifecycle.run(await shop.contextFor(query), lifecycle.read(query))).results as {
    status: string;
    data: number[];
  }[];
}

test('everybody is new once, then returning, dormant or resurrecting; items are exactly what the wire has', async () => {
  const item = (status: string, data: number[], count: number) => ({
    action: { id: 'view', name: 'view', type: 'events', order: 0, math: 'total' },
    label: `view - ${status}`,
    status,
    data,
    count,
    days: DAYS,
    labels: ['3-Mar-2025', '4-Mar-2025', '5-Mar-2025', '6-Mar-2025'],
  });
  assert.deepEqual(await run(), [
    item('new', [1, 0, 0, 0], 1), // Ann on Monday
    item('returning', [0, 1, 0, 0], 1), // Ann on Tuesday
    item('resurrecting', [1, 0, 1, 2], 4), // Bob on Monday and Wednesday, Ann and Cy on Thursday
    item('dormant', [0, -1, -1, -1], -3), // Bob on Tuesday, Ann on Wednesday, Bob on Thursday
  ]);
});

test('weeks look at the week before the first one', async () => {
  const data = (await run({ interval: 'week', dateRange: { date_from: '2025-02-24', date_to: '2025-03-06' } })).map(
    (item) => item.data,
  );
  // Cy was there in the week of 17 February, not in the next one, and came back; Bob was created on 1 March but came later.
  assert.deepEqual(data, [
    [0, 1],
    [0, 0],
    [0, 2],
    [-1, 0],
  ]);
});

test('filters apply to the week before as well, and to test accounts', async () => {
  const data = (await run({ filterTestAccounts: true })).map((item) => item.data);
  assert.deepEqual(data, [
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 0, 2],
    [0, 0, -1, 0],
  ]);
});

const bars: [day: string, status: string, actors: string[]][] = [
  ['2025-03-03', 'new', [ANN]],
  ['2025-03-03', 'resurrecting', [BOB]],
  ['2025-03-04', 'returning', [ANN]],
  ['2025-03-06', 'resurrecting', [ANN, CY]],
  ['2025-03-06', 'dormant', [BOB]],
];

for (const [day, status, expected] of bars) {
  test(`who is ${status} on ${day}`, async () => {
    const query = node();
    const context = await shop.contextFor(query);
    const { text, bound } = await lifecycle.actors!(context, lifecycle.read(query), { day, status });
    const rows = await context.ask<{ actor_id: string }>({ text, params: bound.params });
    assert.deepEqual(rows.map(({ actor_id }) => actor_id).sort(), expected);
  });
}

test('a day or a status that is not in the chart is refused', async () => {
  const query = node();
  const context = await shop.contextFor(query);
  const ask = (point: Record<string, unknown>) => lifecycle.actors!(context, lifecycle.read(query), point);
  await assert.rejects(ask({ day: '2025-03-07', status: 'new' }), /"2025-03-07" is no point of the chart/);
  await assert.rejects(
    ask({ day: '2025-03-06', status: 'asleep' }),
    /"asleep" is no status; there are: new, returning/,
  );
});
