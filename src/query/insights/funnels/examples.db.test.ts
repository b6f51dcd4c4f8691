// Funnels small enough to be counted on fingers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { personOf, type Told, tell } from '../../../../test/reference/query/story.ts';
import { openTestTables, type TestTables } from '../../../../test/tables.ts';
import { funnels } from './funnels.ts';

let tables: TestTables;
before(async () => {
  tables = await openTestTables();
});
after(() => tables[Symbol.asyncDispose]());

const node = (event: string) => ({ kind: 'EventsNode', event });

const makeQuery = (events: readonly string[], funnelsFilter: object = {}, more: object = {}) => ({
  kind: 'FunnelsQuery',
  series: events.map(node),
  dateRange: { date_from: '2025-03-01', date_to: '2025-03-09' },
  funnelsFilter,
  ...more,
});

interface Step {
  name: string;
  count: number;
  average_conversion_time: number | null;
  median_conversion_time: number | null;
  breakdown_value?: unknown;
}

async function ask<Result = Step[]>({ context }: Told, query: object): Promise<Result> {
  const { results } = await funnels.run(context, funnels.read(query));
  return results as Result;
}

const counts = (steps: readonly Step[]) => steps.map(({ count }) => count);

test('a funnel counts how many came to each step, and how long it took them', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 signup, 1 09:10 view, 1 09:40 buy
     bob: 1 09:00 signup, 1 09:30 view
     cyd: 1 09:00 view, 1 10:00 buy`,
  );

  const steps = await ask(told, makeQuery(['signup', 'view', 'buy']));

  // Cyd never signed up. Ann took 10 minutes to view and Bob 30; only Ann bought, half an hour later.
  assert.deepEqual(steps, [
    {
      action_id: 'signup',
      name: 'signup',
      custom_name: null,
      order: 0,
      people: [],
      count: 2,
      type: 'events',
      average_conversion_time: null,
      median_conversion_time: null,
    },
    {
      action_id: 'view',
      name: 'view',
      custom_name: null,
      order: 1,
      people: [],
      count: 2,
      type: 'events',
      average_conversion_time: 1200,
      median_conversion_time: 1200,
    },
    {
      action_id: 'buy',
      name: 'buy',
      custom_name: null,
      order: 2,
      people: [],
      count: 1,
      type: 'events',
      average_conversion_time: 1800,
      median_conversion_time: 1800,
    },
  ]);
});

test('the window is counted from the first step, its last moment included', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 signup, 1 10:00 buy
     bob: 1 09:00 signup, 1 10:01 buy
     cyd: 1 09:00 signup, 1 12:00 signup, 1 12:30 buy`,
  );

  const steps = await ask(
    told,
    makeQuery(['signup', 'buy'], { funnelWindowInterval: 1, funnelWindowIntervalUnit: 'hour' }),
  );

  // Bob is a minute late. Cyd's second sign-up begins a window of its own.
  assert.deepEqual(counts(steps), [3, 2]);
});

test('between the steps of a strict funnel nothing happens; without order any order will do', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 signup, 1 09:05 help, 1 09:10 buy
     bob: 1 09:00 signup, 1 09:10 buy
     cyd: 1 09:00 buy, 1 09:10 signup`,
  );

  const ordered = await ask(told, makeQuery(['signup', 'buy']));
  const strict = await ask(told, makeQuery(['signup', 'buy'], { funnelOrderType: 'strict' }));
  const unordered = await ask(told, makeQuery(['signup', 'buy'], { funnelOrderType: 'unordered' }));

  assert.deepEqual(counts(ordered), [3, 2]);
  assert.deepEqual(counts(strict), [3, 1]);
  assert.deepEqual(counts(unordered), [3, 3]);
  assert.deepEqual(
    unordered.map(({ name }) => name),
    ['Completed 1 step', 'Completed 2 steps'],
  );
});

test('whoever meets an exclusion between its steps is not counted at all', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 signup, 1 09:05 cancel, 1 09:10 buy
     bob: 1 09:00 signup, 1 09:10 buy, 1 09:15 cancel
     cyd: 1 08:00 cancel, 1 09:00 signup`,
  );
  const exclusions = [{ ...node('cancel'), funnelFromStep: 0, funnelToStep: 1 }];

  const steps = await ask(told, makeQuery(['signup', 'buy'], { exclusions }));

  assert.deepEqual(counts(steps), [2, 1]);
});

test('steps of one moment are taken in order; one event is never two steps', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 buy, 1 09:00 signup
     bob: 1 09:00 signup
     cyd: 1 09:00 signup, 1 09:00 signup`,
  );

  const both = await ask(told, makeQuery(['signup', 'buy']));
  const twice = await ask(told, makeQuery(['signup', 'signup']));

  assert.deepEqual(counts(both), [3, 1]);
  assert.deepEqual(counts(twice), [3, 1]);
});

test('a breakdown counts people under the value of their first step, their last, every one, or the one named', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 signup via=web, 1 09:10 buy via=app
     bob: 1 09:00 signup via=web, 1 09:10 buy via=web
     cyd: 1 09:00 signup via=app`,
  );
  const breakdownFilter = { breakdown: 'via', breakdown_type: 'event' };
  const by = async (breakdownAttributionType: string, breakdownAttributionValue?: number) => {
    const filter = { breakdownAttributionType, breakdownAttributionValue };
    const lists = await ask<Step[][]>(told, makeQuery(['signup', 'buy'], filter, { breakdownFilter }));
    return Object.fromEntries(lists.map((steps) => [String(steps[0]?.breakdown_value), counts(steps)]));
  };

  assert.deepEqual(await by('first_touch'), { web: [2, 2], app: [1, 0] });
  assert.deepEqual(await by('last_touch'), { app: [2, 1], web: [1, 1] });
  assert.deepEqual(await by('all_events'), { web: [2, 1], app: [1, 0] });
  // Cyd did not buy, so there is no value for Cyd.
  assert.deepEqual(await by('step', 1), { app: [1, 1], web: [1, 1] });
});

test('values beyond the limit are counted as Other, which can be hidden', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 signup via=web, 1 09:10 buy
     bob: 1 09:00 signup via=web
     cyd: 1 09:00 signup via=app, 1 09:10 buy
     dan: 1 09:00 signup via=fax`,
  );
  const breakdownFilter = { breakdown: 'via', breakdown_limit: 1 };

  const shown = await ask<Step[][]>(told, makeQuery(['signup', 'buy'], {}, { breakdownFilter }));
  const hiding = { ...breakdownFilter, breakdown_hide_other_aggregation: true };
  const hidden = await ask<Step[][]>(told, makeQuery(['signup', 'buy'], {}, { breakdownFilter: hiding }));

  assert.deepEqual(
    shown.map((steps) => [steps[0]?.breakdown_value, counts(steps)]),
    [
      [['web'], [2, 1]],
      [['Other'], [2, 1]],
    ],
  );
  assert.equal(hidden.length, 1);
});

test('a cohort counts its members, and `all` everybody', async () => {
  const facts = { cohorts: new Map([[7, [personOf(1)]]]) };
  const told = await tell(
    tables,
    `ann: 1 09:00 signup, 1 09:10 buy
     bob: 1 09:00 signup`,
    facts,
  );
  const breakdownFilter = { breakdown: [7, 'all'], breakdown_type: 'cohort' };

  const lists = await ask<(Step & { breakdown: string })[][]>(
    told,
    makeQuery(['signup', 'buy'], {}, { breakdownFilter }),
  );

  assert.deepEqual(
    lists.map((steps) => [steps[0]?.breakdown, steps[0]?.breakdown_value, counts(steps)]),
    [
      ['all users', 'all', [2, 1]],
      ['Cohort 7', 7, [1, 0]],
    ],
  );
});

test('trends show, for each day, the share of those who entered then and went on', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 signup, 2 09:00 buy
     bob: 1 09:00 signup, 3 09:00 signup, 3 10:00 buy
     cyd: 1 09:00 signup`,
  );
  const filter = { funnelVizType: 'trends', funnelWindowInterval: 1 };

  const dateRange = { date_from: '2025-03-01', date_to: '2025-03-03' };
  const results = await ask<unknown>(told, makeQuery(['signup', 'buy'], filter, { dateRange }));

  // On the first, three entered and Ann bought within a day. Bob, who came back on the third, did then.
  assert.deepEqual(results, [
    {
      count: 3,
      data: [33.33, 0, 100],
      days: ['2025-03-01', '2025-03-02', '2025-03-03'],
      labels: ['1-Mar-2025', '2-Mar-2025', '3-Mar-2025'],
    },
  ]);
});

test('the time to convert is a histogram with a closing bin', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 signup, 1 09:10 buy
     bob: 1 09:00 signup, 1 09:20 buy
     cyd: 1 09:00 signup, 1 09:50 buy
     dan: 1 09:00 signup`,
  );

  const results = await ask<unknown>(
    told,
    makeQuery(['signup', 'buy'], { funnelVizType: 'time_to_convert', binCount: 2 }),
  );

  // From 600 to 3,000 seconds in two bins of 1,200; Cyd stands on the edge of the last.
  assert.deepEqual(results, {
    average_conversion_time: 1600,
    median_conversion_time: 1200,
    bins: [
      [600, 2],
      [1800, 0],
      [3000, 1],
    ],
  });
});

test('behind a step are those who reached it; behind its loss, those who came no further', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 signup, 1 09:10 buy
     bob: 1 09:00 signup
     cyd: 2 09:00 signup`,
  );
  const list = async (point: object, filter: object = {}) => {
    const query = funnels.read(makeQuery(['signup', 'buy'], filter));
    const { text, bound } = await funnels.actors!(told.context, query, { ...point });
    const rows = await told.context.ask<{ actor_id: string }>({ text, params: bound.params });
    return told.namesOf(rows.map(({ actor_id }) => actor_id));
  };

  assert.deepEqual(await list({ funnelStep: 1 }), ['ann', 'bob', 'cyd']);
  assert.deepEqual(await list({ funnelStep: 2 }), ['ann']);
  assert.deepEqual(await list({ funnelStep: -2 }), ['bob', 'cyd']);
  const trends = { funnelVizType: 'trends' };
  const day = { funnelTrendsEntrancePeriodStart: '2025-03-01' };
  assert.deepEqual(await list({ ...day, funnelTrendsDropOff: false }, trends), ['ann']);
  assert.deepEqual(await list({ ...day, funnelTrendsDropOff: true }, trends), ['bob']);
  await assert.rejects(list({ funnelStep: 3 }), /The steps are 1 to 2/);
});

test('whoever leaves out an optional step is not lost', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 signup, 1 09:10 tour, 1 09:40 buy
     bob: 1 09:00 signup, 1 09:20 buy, 1 09:30 tour
     cyd: 1 09:00 signup, 1 09:30 tour
     dan: 1 09:00 signup`,
  );
  const series = [node('signup'), { ...node('tour'), optionalInFunnel: true }, node('buy')];

  const steps = await ask(told, { ...makeQuery([]), series });

  // Bob toured when he had bought already, which is not on the way. Buying took Ann 40 minutes from the sign-up, and Bob 20.
  assert.deepEqual(counts(steps), [4, 2, 2]);
  assert.deepEqual(
    steps.map(({ average_conversion_time }) => average_conversion_time),
    [null, 20 * 60, 30 * 60],
  );
  const query = funnels.read({ ...makeQuery([]), series });
  const lost = async (funnelStep: number) => {
    const { text, bound } = await funnels.actors!(told.context, query, { funnelStep });
    const rows = await told.context.ask<{ actor_id: string }>({ text, params: bound.params });
    return told.namesOf(rows.map(({ actor_id }) => actor_id));
  };
  assert.deepEqual(await lost(-2), ['bob', 'dan']);
  assert.deepEqual(await lost(-3), ['cyd', 'dan']);
  await assert.rejects(
    ask(told, { ...makeQuery([], { funnelOrderType: 'strict' }), series }),
    /Steps can be optional in a funnel whose steps go in order/,
  );
});

test('a step can be any of several events', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 signup, 1 09:10 buy
     bob: 1 09:00 invite, 1 09:30 buy
     cyd: 1 09:00 view, 1 10:00 buy`,
  );
  const arrive = { kind: 'GroupNode', operator: 'OR', nodes: [node('signup'), node('invite')] };

  const steps = await ask(told, { ...makeQuery([]), series: [arrive, node('buy')] });

  assert.deepEqual(counts(steps), [2, 2]);
  assert.equal(steps[0]?.name, 'signup or invite');
});

test('what cannot be a funnel is refused with the reason', async () => {
  const told = await tell(tables, 'ann: 1 09:00 signup');
  const refused = (query: object, reason: RegExp) => assert.rejects(async () => ask(told, query), reason);

  await refused(makeQuery(['signup']), /a funnel needs two steps at least/);
  await refused(makeQuery(['a', 'b'], { funnelToStep: 2 }), /from one step to a later one, 1 at most; not from 0 to 2/);
  await refused(makeQuery(['a', 'b'], { colour: 'red' }), /colour/);
  const exclusions = [{ ...node('c'), funnelFromStep: 1, funnelToStep: 1 }];
  await refused(makeQuery(['a', 'b'], { exclusions }), /An exclusion goes from one step to a later one/);
});
