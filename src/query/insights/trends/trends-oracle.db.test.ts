// Random questions about random projects: the answer is what a plain count of the raw events gives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seedOfRun } from '../../../../test/random.ts';
import { addDays, dateAt } from '../../../../test/reference/query/calendar.ts';
import { compareWithReference } from '../../../../test/reference/query/compare.ts';
import type { Dataset } from '../../../../test/reference/query/dataset.ts';
import { someEvent, someFilters } from '../../../../test/reference/query/questions.ts';
import {
  type ReferenceSeries,
  type ReferenceTrendsQuery,
  referenceTrends,
} from '../../../../test/reference/query/trends.ts';
import { trends } from './trends.ts';

const COUNTING = ['total', 'dau', 'weekly_active', 'monthly_active', 'unique_session', 'first_time_for_user'];
const MATHS = [...COUNTING, 'first_matching_event_for_user', 'unique_group'];
const OF_PROPERTY = ['avg', 'sum', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'];
const PER_ACTOR = ['avg', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'].map((name) => `${name}_count_per_actor`);

const BREAKDOWNS = [
  { property: '$browser', type: 'event' },
  { property: 'plan', type: 'event' },
  { property: 'amount', type: 'event' },
  { property: '$odd', type: 'event' },
  { property: '$current_url', type: 'event', normalize_url: true },
  { property: 'vip', type: 'person' },
  { property: '$initial_browser', type: 'person' },
  { property: 'tier', type: 'group' as const, group_type_index: 0 },
] as const;

function makeSeries(random: Random, isHourly: boolean): ReferenceSeries {
  const maths = [...MATHS, ...MATHS, ...OF_PROPERTY, ...PER_ACTOR].filter(
    (math) => !isHourly || !math.endsWith('_active'),
  );
  const math = random.pick(maths);
  return {
    kind: 'EventsNode',
    event: someEvent(random),
    math,
    ...(OF_PROPERTY.includes(math) && { math_property: 'amount' }),
    ...(math === 'unique_group' && { math_group_type_index: 0 }),
    ...(random.chance(0.3) && { properties: someFilters(random) }),
  };
}

function makeQuery(random: Random, dataset: Dataset): ReferenceTrendsQuery {
  // Clocks that change by half an hour make hours of which half is missing; nobody's rule for those is plainer than ours.
  const isHourly = random.chance(0.15) && dataset.timezone !== 'Australia/Lord_Howe';
  const interval = isHourly ? 'hour' : random.pick(['day', 'day', 'day', 'week', 'month'] as const);
  const count = 1 + random.int(3);
  const hasFormula = random.chance(0.2);
  const today = dateAt(dataset.now, dataset.timezone);
  const display = random.pick([
    'ActionsLineGraph',
    'ActionsLineGraph',
    'ActionsLineGraphCumulative',
    'BoldNumber',
    'ActionsPie',
  ]);
  const isBrokenDown = random.chance(0.5);
  return {
    kind: 'TrendsQuery',
    interval,
    series: Array.from({ length: count }, () => makeSeries(random, isHourly)),
    dateRange: isHourly
      ? { date_from: `-${random.pick([3, 24, 50])}h` }
      : random.chance(0.7)
        ? { date_from: `-${random.pick([0, 3, 7, 14, 40])}d` }
        : { date_from: addDays(today, -10), date_to: addDays(today, random.int(6) - 4) },
    ...(random.chance(0.3) && { properties: someFilters(random) }),
    ...(random.chance(0.15) && { aggregation_group_type_index: 0 }),
    trendsFilter: {
      display,
      ...(hasFormula && { formula: random.pick(['A', 'A / 2 + A', count > 1 ? 'A / B' : 'A * A', 'A % 3 - 1']) }),
      ...(random.chance(0.2) && { smoothingIntervals: 1 + random.int(4) }),
    },
    ...(isBrokenDown && {
      breakdownFilter: {
        breakdowns: Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => ({ ...random.pick(BREAKDOWNS) })),
        ...(random.chance(0.6) && { breakdown_limit: 1 + random.int(3) }),
        ...(random.chance(0.2) && { breakdown_hide_other_aggregation: true }),
      },
    }),
    ...(!isHourly &&
      random.chance(0.3) && {
        compareFilter: { compare: true, ...(random.chance(0.4) && { compare_to: '-1w' }) },
      }),
  };
}

const COMPARED = ['label', 'breakdown_value', 'compare_label', 'days', 'data', 'count', 'aggregated_value'] as const;

const pick = (item: Record<string, unknown>) =>
  Object.fromEntries(COMPARED.flatMap((name) => (name in item ? [[name, item[name]]] : [])));

test(`trends are what the reference counts, and so are those behind a point (seed ${seedOfRun})`, async () => {
  await compareWithReference({
    make: makeQuery,
    async look({ question: query, dataset, context, random, told }) {
      const { results } = await trends.run(context, trends.read(query) as never).catch((error: unknown) => {
        throw new Error(told, { cause: error });
      });
      const items = results as Item[];
      assert.deepEqual(
        items.map(pick),
        referenceTrends(dataset, query).map((item) => pick({ ...item })),
        told,
      );
      const point = findPoint(random, query, items);
      const isSomething = items.some(
        ({ data, aggregated_value }) => aggregated_value || data?.some((value) => value !== 0),
      );
      if (!point) return isSomething;
      const { text, bound } = await trends.actors!(context, trends.read(query), point);
      const actors = await context.ask({ text, params: bound.params });
      assert.equal(actors.length, point.actors, `${told}, at ${JSON.stringify(point)}`);
      return isSomething;
    },
  });
});

interface Item extends Record<string, unknown> {
  action: { order: number };
  /** Null in a formula's one number. */
  data: number[] | null;
  days: string[];
}

const OF_ACTORS = ['dau', 'weekly_active', 'monthly_active', 'first_time_for_user', 'first_matching_event_for_user'];

/** A point of the chart whose number says how many actors are behind it. */
function findPoint(random: Random, { series, trendsFilter, interval }: ReferenceTrendsQuery, items: readonly Item[]) {
  // An hour that clocks show twice has one name for two points.
  if (trendsFilter?.formula || trendsFilter?.smoothingIntervals || interval === 'hour' || items.length === 0) return;
  const item = random.pick(items);
  const { math = '' } = series[item.action.order]!;
  if (!OF_ACTORS.includes(math)) return;
  const isWhole = item.aggregated_value !== undefined;
  if (trendsFilter?.display === 'ActionsLineGraphCumulative' && math !== 'dau') return;
  const at = random.int(item.days.length);
  return {
    series: item.action.order,
    ...(!isWhole && { day: item.days[at] }),
    ...(item.breakdown_value !== undefined && { breakdown: item.breakdown_value }),
    ...(item.compare_label !== undefined && { compare: item.compare_label }),
    actors: isWhole ? item.aggregated_value : item.data?.[at],
  };
}
