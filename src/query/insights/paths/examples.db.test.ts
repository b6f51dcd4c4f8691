// Paths small enough to be followed by finger.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Told, tell } from '../../../../test/reference/query/story.ts';
import { openTestTables, type TestTables } from '../../../../test/tables.ts';
import { paths } from './paths.ts';
import type { Edge } from './sql.ts';

let tables: TestTables;
before(async () => {
  tables = await openTestTables();
});
after(() => tables[Symbol.asyncDispose]());

const makeQuery = (pathsFilter: object = {}, more: object = {}) => ({
  kind: 'PathsQuery',
  dateRange: { date_from: '2025-03-01', date_to: '2025-03-09' },
  pathsFilter,
  ...more,
});

async function ask({ context }: Told, query: object): Promise<Edge[]> {
  return (await paths.run(context, paths.read(query))).results as Edge[];
}

const drawn = (edges: readonly Edge[]) => edges.map(({ source, target, value }) => `${source} > ${target}: ${value}`);

const page = (url: string) => `$pageview $current_url=${url}`;

test('an edge says how many went from one place to the next, and how long it took them in milliseconds', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 ${page('/home/')}, 1 09:02 ${page('/home')}, 1 09:04 ${page('/prices')}
     bob: 1 09:00 ${page('/home')}, 1 09:02 ${page('/prices')}, 1 09:03 buy`,
  );

  const pages = await ask(told, makeQuery({ includeEventTypes: ['$pageview'] }));
  const everything = await ask(told, makeQuery());

  // With or without a slash it is the same page, and Ann's second look at it is no step. Four minutes and two make three.
  assert.deepEqual(pages, [{ source: '1_/home', target: '2_/prices', value: 2, average_conversion_time: 180_000 }]);
  assert.deepEqual(drawn(everything), ['1_/home > 2_/prices: 2', '2_/prices > 3_buy: 1']);
});

test('a pause of more than half an hour ends a path', async () => {
  const told = await tell(tables, 'ann: 1 09:00 a, 1 09:30 b, 1 10:01 c, 1 10:02 d');

  assert.deepEqual(drawn(await ask(told, makeQuery())), ['1_a > 2_b: 1', '1_c > 2_d: 1']);
});

test('a path begins and ends where it is told to; in between a long one is left out', async () => {
  const told = await tell(tables, 'ann: 1 09:00 a, 1 09:01 b, 1 09:02 c, 1 09:03 d, 1 09:04 e, 1 09:05 f');

  const from = await ask(told, makeQuery({ startPoint: 'c', stepLimit: 3 }));
  const to = await ask(told, makeQuery({ endPoint: 'd', stepLimit: 3 }));
  const both = await ask(told, makeQuery({ startPoint: 'a', endPoint: 'f', stepLimit: 4 }));

  assert.deepEqual(drawn(from), ['1_c > 2_d: 1', '2_d > 3_e: 1']);
  assert.deepEqual(drawn(to), ['1_b > 2_c: 1', '2_c > 3_d: 1']);
  assert.deepEqual(drawn(both), ['1_a > 2_b: 1', '2_b > 3_...: 1', '3_... > 4_e: 1', '4_e > 5_f: 1']);
});

test('places are left out, put together by a pattern, or renamed', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 ${page('/item/1')}, 1 09:01 ${page('/cart')}, 1 09:02 ${page('/user/7/edit')}
     bob: 1 09:00 ${page('/item/2')}, 1 09:01 noise, 1 09:02 ${page('/user/8/edit')}`,
  );
  const filter = {
    pathGroupings: ['/item/*'],
    excludeEvents: ['/cart', 'noise'],
    localPathCleaningFilters: [{ regex: '/\\d+/', alias: '/<id>/' }],
  };

  assert.deepEqual(drawn(await ask(told, makeQuery(filter))), ['1_/item/* > 2_/user/<id>/edit: 2']);
});

test('edges are the heaviest, within their bounds, and lead somewhere from the beginning', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 a, 1 09:01 b, 1 09:02 c
     bob: 1 09:00 a, 1 09:01 b
     cyd: 1 09:00 x, 1 09:01 y, 1 09:02 z
     dan: 1 09:00 w, 1 09:01 y, 1 09:02 z`,
  );

  assert.deepEqual(drawn(await ask(told, makeQuery({ edgeLimit: 1 }))), ['1_a > 2_b: 2']);
  // From y to z went two, but of how they came to y nothing is left.
  assert.deepEqual(drawn(await ask(told, makeQuery({ minEdgeWeight: 2 }))), ['1_a > 2_b: 2']);
  assert.deepEqual(drawn(await ask(told, makeQuery({ maxEdgeWeight: 1 }))), ['1_w > 2_y: 1', '1_x > 2_y: 1']);
});

test('paths can be those before, between or after the steps of a funnel', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 a, 1 09:01 signup, 1 09:02 b, 1 09:03 buy, 1 09:04 c
     bob: 1 09:00 a, 1 09:01 signup, 1 09:02 d`,
  );
  const series = ['signup', 'buy'].map((event) => ({ kind: 'EventsNode', event }));
  const dateRange = { date_from: '2025-03-01', date_to: '2025-03-09' };
  const around = (funnelPathType: string, funnelStep: number) => {
    const funnelSource = { kind: 'FunnelsQuery', series, dateRange };
    return ask(told, makeQuery({}, { funnelPathsFilter: { funnelPathType, funnelStep, funnelSource } }));
  };

  assert.deepEqual(drawn(await around('funnel_path_before_step', 1)), ['1_a > 2_signup: 2']);
  assert.deepEqual(drawn(await around('funnel_path_between_steps', 2)), ['1_signup > 2_b: 1', '2_b > 3_buy: 1']);
  assert.deepEqual(drawn(await around('funnel_path_after_step', 2)), ['1_buy > 2_c: 1']);
});

test('behind an edge are those who went along it; behind a loss, those whose path ended there', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 a, 1 09:01 b, 1 09:02 c
     bob: 1 09:00 a, 1 09:01 b
     cyd: 1 09:00 a, 1 09:01 c`,
  );
  const list = async (point: Record<string, unknown>) => {
    const { text, bound } = await paths.actors!(told.context, paths.read(makeQuery()), point);
    const rows = await told.context.ask<{ actor_id: string }>({ text, params: bound.params });
    return told.namesOf(rows.map(({ actor_id }) => actor_id));
  };

  assert.deepEqual(await list({ pathStartKey: '1_a', pathEndKey: '2_b' }), ['ann', 'bob']);
  assert.deepEqual(await list({ pathEndKey: '3_c' }), ['ann']);
  assert.deepEqual(await list({ pathDropoffKey: '2_b' }), ['bob']);
  await assert.rejects(list({ pathStartKey: 'a' }), /is no point of a path/);
});
