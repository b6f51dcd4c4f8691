// Worked examples in the shop of `test-shop.ts`; every number can be counted in its table.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ANN, BOB, CY, DAYS, FOUR_DAYS, openShop, type Shop, series } from '../../../../test/reference/query/shop.ts';
import { ApiError } from '../../../http/errors.ts';
import { trends } from './trends.ts';

let shop: Shop;
before(async () => {
  shop = await openShop();
});
after(() => shop[Symbol.asyncDispose]());

interface Item {
  label: string;
  data: number[];
  count: number;
  breakdown_value: unknown;
  aggregated_value: number;
  compare_label: string;
  days: string[];
}

const node = (given: object) => ({ kind: 'TrendsQuery', dateRange: FOUR_DAYS, ...given });

async function run(given: object): Promise<Item[]> {
  const query = node(given);
  return (await trends.run(await shop.contextFor(query), trends.read(query))).results as Item[];
}

const dataOf = async (math: string, event: string | null = 'view', more: object = {}) =>
  (await run({ series: [series(event, { math, ...more })] })).map(({ data }) => data)[0];

test('an item of the answer is exactly what the wire has', async () => {
  assert.deepEqual(await run({ series: [series('view')] }), [
    {
      action: {
        days: DAYS.map((day) => `${day}T00:00:00Z`),
        id: 'view',
        type: 'events',
        order: 0,
        name: 'view',
        custom_name: null,
        math: 'total',
        math_property: null,
        math_hogql: null,
        math_group_type_index: null,
        properties: {},
      },
      label: 'view',
      data: [3, 1, 1, 2],
      labels: ['3-Mar-2025', '4-Mar-2025', '5-Mar-2025', '6-Mar-2025'],
      days: DAYS,
      count: 7,
      filter: {
        insight: 'TRENDS',
        interval: 'day',
        entity_type: 'events',
        date_from: '2025-03-03T00:00:00Z',
        date_to: '2025-03-06T23:59:59.999999Z',
      },
    },
  ]);
});

const amount = { math_property: 'amount' };
const maths: [math: string, event: string | null, more: object, data: number[]][] = [
  ['total', 'view', {}, [3, 1, 1, 2]],
  ['total', null, {}, [4, 1, 2, 4]],
  ['total', 'nothing', {}, [0, 0, 0, 0]],
  ['dau', 'view', {}, [2, 1, 1, 2]],
  ['weekly_active', 'view', {}, [2, 2, 2, 3]],
  ['monthly_active', 'view', {}, [3, 3, 3, 3]],
  ['unique_session', 'view', {}, [2, 0, 0, 0]],
  ['unique_group', null, { math_group_type_index: 0 }, [1, 1, 0, 1]],
  ['first_time_for_user', 'view', {}, [2, 0, 0, 0]],
  ['first_time_for_user', 'buy', {}, [1, 0, 1, 1]],
  ['sum', 'buy', amount, [10, 0, 20, 20]],
  ['avg', 'buy', amount, [10, 0, 20, 10]],
  ['max', 'buy', amount, [10, 0, 20, 15]],
  ['median', 'buy', amount, [10, 0, 20, 10]],
  ['sum', 'buy', { ...amount, math_multiplier: 0.5 }, [5, 0, 10, 10]],
  ['avg', 'view', { math_property: '$session_duration', math_property_type: 'session_properties' }, [300, 0, 0, 0]],
  ['avg_count_per_actor', 'view', {}, [1.5, 1, 1, 1]],
  ['hogql', 'buy', { math_hogql: 'sum(toFloat(properties.amount)) * 2' }, [20, 0, 40, 40]],
];

for (const [math, event, more, expected] of maths) {
  test(`${math} of ${event ?? 'all events'}${Object.keys(more).length > 0 ? ` with ${JSON.stringify(more)}` : ''}: ${expected}`, async () => {
    assert.deepEqual(await dataOf(math, event, more), expected);
  });
}

test('the first matching event of a person may not be the first one', async () => {
  const onWednesday = {
    properties: [{ key: 'timestamp', type: 'event_metadata', operator: 'icontains', value: '03-05' }],
  };
  assert.deepEqual(await dataOf('first_time_for_user', 'view', onWednesday), [0, 0, 0, 0]);
  assert.deepEqual(await dataOf('first_matching_event_for_user', 'view', onWednesday), [0, 0, 1, 0]);
});

test('an action counts the events of all its steps, without test accounts if asked for', async () => {
  const busy = { kind: 'ActionsNode', id: 7 };
  const [all] = await run({ series: [busy] });
  const [customers] = await run({ series: [busy], filterTestAccounts: true });
  assert.deepEqual([all?.label, all?.data, customers?.data], ['Busy', [4, 1, 2, 4], [3, 1, 0, 4]]);
});

test('a series can be any of several events, or what is all of them at once', async () => {
  const group = (operator: string, ...nodes: unknown[]) => ({ kind: 'GroupNode', operator, nodes });
  const [views] = await run({ series: [series('view')] });
  const [purchases] = await run({ series: [series('buy')] });
  const [busy] = await run({ series: [{ kind: 'ActionsNode', id: 7 }] });
  const [either, both] = await run({
    series: [group('OR', series('view'), series('buy')), group('AND', { kind: 'ActionsNode', id: 7 }, series(null))],
  });
  const sums = views!.data.map((count, at) => count + purchases!.data[at]!);
  assert.deepEqual([either?.label, either?.data], ['view or buy', sums]);
  assert.deepEqual([both?.label, both?.data], ['Busy and All events', busy?.data]);
});

test('one number for the whole time is not the sum of its points', async () => {
  const [item] = await run({ series: [series('view', { math: 'dau' })], trendsFilter: { display: 'BoldNumber' } });
  const { aggregated_value, data, count, days } = item!;
  assert.deepEqual({ aggregated_value, data, count, days }, { aggregated_value: 3, data: [], count: 0, days: DAYS });
  assert.equal('labels' in item!, false);
});

test('whoever was counted is not counted again when points add up', async () => {
  const trendsFilter = { display: 'ActionsLineGraphCumulative' };
  const [people, views] = await run({ series: [series('view', { math: 'dau' }), series('view')], trendsFilter });
  assert.deepEqual([people?.data, people?.count], [[2, 2, 2, 3], 3]);
  assert.deepEqual([views?.data, views?.count], [[3, 4, 5, 7], 7]);
});

test('a sample of half the people stands for all of them', async () => {
  const [half] = await run({ series: [series('view')], samplingFactor: 0.5 });
  const [all] = await run({ series: [series('view')], samplingFactor: 1 });
  assert.deepEqual(all?.data, [3, 1, 1, 2]);
  assert.ok(
    half?.data.every((value, at) => value % 2 === 0 && value <= 2 * all!.data[at]!),
    String(half?.data),
  );
});

test('points are averaged over those before them', async () => {
  const [item] = await run({ series: [series('view')], trendsFilter: { smoothingIntervals: 2 } });
  assert.deepEqual(item?.data, [3, 2, 1, 1.5]);
});

test('formulas take the place of their series', async () => {
  const both = { series: [series('buy'), series('view')] };
  const formulaNodes = [{ formula: 'A / B', custom_name: 'Buys per view' }, { formula: 'A + B' }];
  const items = await run({ ...both, trendsFilter: { formulaNodes } });
  assert.deepEqual(
    items.map(({ label, data }) => [label, data]),
    [
      ['Buys per view', [1 / 3, 0, 1, 1]],
      ['Formula (A + B)', [4, 1, 2, 4]],
    ],
  );
  const [total] = await run({ ...both, trendsFilter: { formula: 'A/B', display: 'BoldNumber' } });
  assert.deepEqual([total?.aggregated_value, total?.data, total?.count], [4 / 7, null, 0]);
});

const shown = (items: readonly Item[]) =>
  items.map(({ label, breakdown_value, data }) => [label, breakdown_value, data]);
const NONE = '$$_posthog_breakdown_null_$$';
const OTHER = '$$_posthog_breakdown_other_$$';

test('a breakdown shows the largest values first, no value last, and the others together', async () => {
  const views = { series: [series('view')] };
  const byBrowser = { breakdown: '$browser', breakdown_type: 'event' };
  assert.deepEqual(shown(await run({ ...views, breakdownFilter: byBrowser })), [
    ['Chrome', 'Chrome', [2, 1, 0, 1]],
    ['Firefox', 'Firefox', [1, 0, 1, 0]],
    [NONE, NONE, [0, 0, 0, 1]],
  ]);
  const limited = { ...byBrowser, breakdown_limit: 1 };
  assert.deepEqual(shown(await run({ ...views, breakdownFilter: limited })), [
    ['Chrome', 'Chrome', [2, 1, 0, 1]],
    [OTHER, OTHER, [1, 0, 1, 1]],
  ]);
  const hidden = { ...limited, breakdown_hide_other_aggregation: true };
  assert.deepEqual(shown(await run({ ...views, breakdownFilter: hidden })), [['Chrome', 'Chrome', [2, 1, 0, 1]]]);
  assert.deepEqual(await run({ series: [series('nothing')], breakdownFilter: byBrowser }), []);
});

test('several breakdowns make arrays, several series name themselves', async () => {
  const breakdowns = [
    { property: '$browser', type: 'event' },
    { property: 'email', type: 'person' },
  ];
  const items = await run({
    series: [series('view'), series('buy')],
    breakdownFilter: { breakdowns, breakdown_limit: 1 },
  });
  assert.deepEqual(shown(items).slice(0, 3), [
    ['view - Chrome::ann@a.example', ['Chrome', 'ann@a.example'], [2, 1, 0, 1]],
    [`view - ${OTHER}::${OTHER}`, [OTHER, OTHER], [1, 0, 1, 1]],
    [`buy - ${NONE}::cy@c.example`, [NONE, 'cy@c.example'], [0, 0, 0, 2]],
  ]);
});

test('bins hold about as many values each', async () => {
  const breakdownFilter = { breakdown: 'amount', breakdown_histogram_bin_count: 2 };
  assert.deepEqual(shown(await run({ series: [series('buy')], breakdownFilter })), [
    ['[12.5,20.01]', '[12.5,20.01]', [0, 0, 1, 1]],
    ['[5.0,12.5]', '[5.0,12.5]', [1, 0, 0, 1]],
  ]);
  const one = await run({
    series: [series('buy')],
    breakdownFilter: { breakdown: 'nothing', breakdown_histogram_bin_count: 2 },
  });
  assert.deepEqual(shown(one), [[NONE, NONE, [1, 0, 1, 2]]]);
});

test('an event counts for every cohort of its person, and a cohort without events is shown as well', async () => {
  const breakdownFilter = { breakdown: [1, 'all', 2], breakdown_type: 'cohort' };
  const items = await run({ series: [series('view', { math: 'dau' })], breakdownFilter });
  assert.deepEqual(shown(items), [
    ['all users', 'all', [2, 1, 1, 2]],
    ['Cohort 2', 2, [2, 1, 1, 1]],
    ['Cohort 1', 1, [1, 1, 0, 1]],
  ]);
  const none = await run({
    series: [series('nothing')],
    breakdownFilter: { breakdown: [1], breakdown_type: 'cohort' },
  });
  assert.deepEqual(shown(none), [['Cohort 1', 1, [0, 0, 0, 0]]]);
});

test('expressions and sessions break down like properties', async () => {
  const byExpression = { breakdown: "concat('is ', properties.$browser)", breakdown_type: 'hogql' };
  const [first] = shown(await run({ series: [series('view')], breakdownFilter: byExpression }));
  assert.deepEqual(first, ['is Chrome', 'is Chrome', [2, 1, 0, 1]]);
  const byDuration = { breakdown: '$session_duration', breakdown_type: 'session' };
  const items = await run({ series: [series('view')], breakdownFilter: byDuration });
  assert.deepEqual(items.find(({ label }) => label === '600')?.data, [2, 0, 0, 0]);
});

test('the period before is compared, or the one so long ago', async () => {
  const views = { series: [series('view')], compareFilter: { compare: true } };
  assert.deepEqual(
    (await run(views)).map(({ compare_label, data, days }) => [compare_label, data, days[0]]),
    [
      ['current', [3, 1, 1, 2], '2025-03-03'],
      ['previous', [0, 0, 0, 0], '2025-02-27'],
    ],
  );
  const [, twoWeeksAgo] = await run({ ...views, compareFilter: { compare: true, compare_to: '-2w' } });
  assert.deepEqual([twoWeeksAgo?.data, twoWeeksAgo?.days[3]], [[0, 0, 0, 1], '2025-02-20']);
});

const points: [title: string, query: object, point: Record<string, unknown>, actors: string[]][] = [
  ['a day', {}, { day: '2025-03-06' }, [ANN, CY]],
  ['the whole time', { trendsFilter: { display: 'BoldNumber' } }, {}, [ANN, BOB, CY]],
  [
    'a day up to which is counted',
    { trendsFilter: { display: 'ActionsLineGraphCumulative' } },
    { day: '2025-03-05' },
    [ANN, BOB],
  ],
  ['the last seven days', { series: [series('view', { math: 'weekly_active' })] }, { day: '2025-03-05' }, [ANN, BOB]],
  ['a first time', { series: [series('view', { math: 'first_time_for_user' })] }, { day: '2025-03-03' }, [ANN, BOB]],
  ['a value', { breakdownFilter: { breakdown: '$browser' } }, { day: '2025-03-03', breakdown: 'Firefox' }, [BOB]],
  ['no value', { breakdownFilter: { breakdown: '$browser' } }, { day: '2025-03-06', breakdown: NONE }, [CY]],
  ['the others', { breakdownFilter: { breakdown: '$browser', breakdown_limit: 1 } }, { breakdown: OTHER }, [BOB, CY]],
  [
    'a bin',
    { series: [series('buy')], breakdownFilter: { breakdown: 'amount', breakdown_histogram_bin_count: 2 } },
    { breakdown: '[5.0,12.5]' },
    [ANN, CY],
  ],
  [
    'a cohort',
    { breakdownFilter: { breakdown: [1, 2], breakdown_type: 'cohort' } },
    { day: '2025-03-03', breakdown: 2 },
    [ANN, BOB],
  ],
  [
    'a first time of a value',
    { series: [series('view', { math: 'first_time_for_user' })], breakdownFilter: { breakdown: '$browser' } },
    { breakdown: 'Chrome' },
    [ANN],
  ],
  [
    'the period before',
    { compareFilter: { compare: true, compare_to: '-2w' } },
    { day: '2025-02-20', compare: 'previous' },
    [CY],
  ],
  ['a group', { aggregation_group_type_index: 0 }, { day: '2025-03-03' }, ['acme']],
];

for (const [title, given, point, expected] of points) {
  test(`who is behind ${title}`, async () => {
    const query = node({ series: [series('view')], ...given });
    const context = await shop.contextFor(query);
    const { text, bound } = await trends.actors!(context, trends.read(query), point);
    const rows = await context.ask<{ actor_id: string }>({ text, params: bound.params });
    assert.deepEqual(rows.map(({ actor_id }) => actor_id).sort(), expected);
  });
}

const refused: [title: string, query: object, detail: RegExp][] = [
  ['an unknown math', { series: [series('view', { math: 'mode' })] }, /"mode" is no math; there are: total, dau/],
  ['a math without its property', { series: [series('view', { math: 'sum' })] }, /"sum" needs a math_property/],
  ['a formula of a missing series', { series: [series('view')], trendsFilter: { formula: 'A/B' } }, /names series B/],
  ['an unknown key', { series: [series('view')], colour: 'red' }, /colour/],
  ['no series', { series: [] }, /series/],
  [
    'an unknown cohort',
    { series: [series('view')], breakdownFilter: { breakdown: [9], breakdown_type: 'cohort' } },
    /9 does not exist/,
  ],
];

for (const [title, given, detail] of refused) {
  test(`${title} is refused`, async () => {
    await assert.rejects(
      run(given),
      (error) => error instanceof ApiError && error.status === 400 && detail.test(error.message),
    );
  });
}
