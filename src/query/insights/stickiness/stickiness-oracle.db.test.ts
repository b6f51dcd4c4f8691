// Random questions about random projects: the answer is what a plain count of the raw events gives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seedOfRun } from '../../../../test/random.ts';
import { compareWithReference } from '../../../../test/reference/query/compare.ts';
import { someEvent, someFilters } from '../../../../test/reference/query/questions.ts';
import { type ReferenceStickinessQuery, referenceStickiness } from '../../../../test/reference/query/stickiness.ts';
import { stickiness } from './stickiness.ts';

const makeQuery = (random: Random): ReferenceStickinessQuery => ({
  kind: 'StickinessQuery',
  interval: random.pick(['day', 'day', 'week', 'month']),
  ...(random.chance(0.3) && { intervalCount: 1 + random.int(3) }),
  series: Array.from({ length: 1 + random.int(2) }, () => ({
    kind: 'EventsNode',
    event: someEvent(random),
    ...(random.chance(0.2) && { math: 'unique_group', math_group_type_index: 0 }),
    ...(random.chance(0.3) && { properties: someFilters(random) }),
  })),
  dateRange: { date_from: `-${random.pick([0, 3, 7, 14, 40])}d` },
  ...(random.chance(0.3) && { properties: someFilters(random) }),
  stickinessFilter: {
    ...(random.chance(0.4) && { computedAs: 'cumulative' }),
    ...(random.chance(0.3) && {
      stickinessCriteria: { operator: random.pick(['gte', 'lte', 'exact']), value: 1 + random.int(3) },
    }),
  },
});

test(`stickiness is what the reference counts, and so are those behind a point (seed ${seedOfRun})`, async () => {
  await compareWithReference({
    make: makeQuery,
    async look({ question: query, dataset, context, random, told }) {
      const read = stickiness.read(query);
      const results = (await stickiness.run(context, read)).results as { data: number[]; days: number[] }[];
      assert.deepEqual(
        results.map(({ data }) => data),
        referenceStickiness(dataset, query),
        told,
      );

      const series = random.int(results.length);
      const { data, days } = results[series]!;
      const at = random.int(days.length);
      const { text, bound } = await stickiness.actors!(context, read, { series, day: days[at] });
      const actors = await context.ask({ text, params: bound.params });
      assert.equal(actors.length, data[at], `${told}, series ${series} at ${days[at]}`);
      return data.some((count) => count > 0);
    },
  });
});
