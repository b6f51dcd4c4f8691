// Random questions about random projects: the answer is what a plain count of the raw events gives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seedOfRun } from '../../../../test/random.ts';
import { compareWithReference } from '../../../../test/reference/query/compare.ts';
import { type ReferenceLifecycleQuery, referenceLifecycle } from '../../../../test/reference/query/lifecycle.ts';
import { someEvent, someFilters } from '../../../../test/reference/query/questions.ts';
import { lifecycle } from './lifecycle.ts';

const makeQuery = (random: Random): ReferenceLifecycleQuery => ({
  kind: 'LifecycleQuery',
  interval: random.pick(['day', 'day', 'week', 'month']),
  series: [
    {
      kind: 'EventsNode',
      event: someEvent(random),
      ...(random.chance(0.3) && { properties: someFilters(random) }),
    },
  ],
  dateRange: { date_from: `-${random.pick([0, 3, 7, 14, 40, 80])}d` },
  ...(random.chance(0.3) && { properties: someFilters(random) }),
});

interface Item {
  status: string;
  data: number[];
  count: number;
}

test(`lifecycles are what the reference counts, and so are those behind a bar (seed ${seedOfRun})`, async () => {
  await compareWithReference({
    make: makeQuery,
    async look({ question: query, dataset, context, random, told }) {
      const read = lifecycle.read(query);
      const results = (await lifecycle.run(context, read)).results as (Item & { days: string[] })[];
      const data = Object.fromEntries(results.map((item) => [item.status, item.data]));
      assert.deepEqual(data, referenceLifecycle(dataset, query), told);

      const { status, days, data: counts } = random.pick(results);
      const at = random.int(days.length);
      const { text, bound } = await lifecycle.actors!(context, read, { day: days[at], status });
      const actors = await context.ask({ text, params: bound.params });
      assert.equal(actors.length, Math.abs(counts[at]!), `${told}, ${status} at ${days[at]}`);
      return counts.some((count) => count !== 0);
    },
  });
});
