// Retention against the reference: random projects, random questions, the same table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Random } from '../../../../test/random.ts';
import { compareWithReference } from '../../../../test/reference/query/compare.ts';
import { type Dataset, EVENT_NAMES } from '../../../../test/reference/query/dataset.ts';
import { dayOf } from '../../../../test/reference/query/funnel-charts.ts';
import { countReturns, type RetentionQuestion, type Returns } from '../../../../test/reference/query/retention.ts';
import { retention } from './retention.ts';

const DAY_MICROS = 86_400e6;
const LENGTHS = { Hour: 1, Day: 5, Week: 30, Month: 90 } as const;
const CHROME = { key: '$browser', value: 'Chrome', operator: 'exact', type: 'event' };

function makeEntity(random: Random) {
  const event = random.chance(0.1) ? null : random.pick(['$pageview', '$pageview', ...EVENT_NAMES]);
  return { event, ...(random.chance(0.2) && { properties: [CHROME] }) };
}

function someBrackets(random: Random) {
  const brackets = Array.from({ length: 1 + random.int(4) }, () => 1 + random.int(5));
  return { brackets, columns: brackets.length + 1 };
}

/** Neither windows nor amounts can be cumulative. */
function someCounting(random: Random) {
  if (random.chance(0.5)) return { isCumulative: random.chance(0.5) };
  const amount = random.pick([
    { place: 'event', key: 'amount' },
    { place: 'person', key: 'age' },
  ] as const);
  return {
    isCumulative: false,
    isByWindow: random.chance(0.5),
    ...(random.chance(0.6) && { amount, aggregation: random.pick(['sum', 'avg'] as const) }),
  };
}

type Question = RetentionQuestion & { aggregation?: 'sum' | 'avg' };

function makeQuestion(random: Random, { now, timezone }: Dataset): Question {
  const period = random.pick([
    'Day',
    'Day',
    'Week',
    'Month',
    ...(timezone === 'UTC' ? (['Hour'] as const) : []),
  ] as const);
  const target = makeEntity(random);
  // Some tables are over, and some are short: so that the last interval of all has events up to its end.
  const end = now * 1_000 - (random.chance(0.4) ? random.int(60) : 0) * DAY_MICROS;
  const days = random.chance(0.3) ? 0 : random.int(2) + LENGTHS[period];
  return {
    period,
    from: dayOf(end - days * DAY_MICROS, timezone),
    to: dayOf(end, timezone),
    // More intervals than a number has bits are kept in lists.
    columns: random.chance(0.1) ? 60 + random.int(9) : 1 + random.int(9),
    ...(random.chance(0.2) && someBrackets(random)),
    target,
    returning: random.chance(0.5) ? target : makeEntity(random),
    begins: random.pick(['each', 'each', 'first', 'first_named'] as const),
    ...someCounting(random),
    occurrencesMin: random.pick([1, 1, 1, 2, 3]),
    ...(random.chance(0.2) && { groupTypeIndex: 0 }),
    ...(random.chance(0.4) && {
      breakdown: random.pick([['$browser'], ['plan'], ['$browser', 'plan']]),
      valuesMax: random.pick([2, 25]),
    }),
  };
}

const TYPES = {
  each: 'retention_recurring',
  first: 'retention_first_time',
  first_named: 'retention_first_ever_occurrence',
} as const;

const toEntity = ({ event, properties }: RetentionQuestion['target']) => ({ id: event, type: 'events', properties });

const toQuery = (question: Question) => ({
  kind: 'RetentionQuery',
  dateRange: { date_from: question.from, date_to: question.to },
  aggregation_group_type_index: question.groupTypeIndex,
  retentionFilter: {
    retentionType: TYPES[question.begins],
    period: question.period,
    ...(question.brackets ? { retentionCustomBrackets: question.brackets } : { totalIntervals: question.columns }),
    targetEntity: toEntity(question.target),
    returningEntity: toEntity(question.returning),
    cumulative: question.isCumulative,
    minimumOccurrences: question.occurrencesMin,
    ...(question.isByWindow && { timeWindowMode: '24_hour_windows' }),
    ...(question.amount && {
      aggregationType: question.aggregation,
      aggregationProperty: question.amount.key,
      aggregationPropertyType: question.amount.place,
    }),
  },
  ...(question.breakdown && {
    breakdownFilter: {
      breakdowns: question.breakdown.map((property) => ({ property, type: 'event' })),
      breakdown_limit: question.valuesMax,
    },
  }),
});

interface Row {
  values: { count: number; aggregation_value?: number }[];
  breakdown_value?: string;
}

/** Rows follow one another by value. */
function toTables(rows: readonly Row[]) {
  const byValue = Map.groupBy(rows, ({ breakdown_value = '' }) => breakdown_value);
  return [...byValue].map(([value, own]) => ({
    value,
    table: own.map(({ values }) => values.map(({ count }) => count)),
    amounts: own.map(({ values }) => values.map(({ aggregation_value = null }) => aggregation_value)),
  }));
}

/** What is shown of the reference's totals. */
const toAmounts = ({ table, totals }: Returns, { aggregation }: Question) =>
  totals.map((row, start) =>
    row.map((total, column) => {
      const count = table[start]![column]!;
      if (!aggregation) return null;
      return aggregation === 'sum' || count === 0 ? total : total / count;
    }),
  );

test('who comes back is who comes back in the reference, and as many are listed, whatever the project and the question', async () => {
  await compareWithReference({
    make: makeQuestion,
    async look({ question, dataset, context, random, told }) {
      const expected = countReturns(dataset, question).map((returns) => ({
        value: returns.value,
        table: returns.table,
        amounts: toAmounts(returns, question),
      }));
      const query = retention.read(toQuery(question));
      const { results } = await retention.run(context, query);
      assert.deepEqual(toTables(results as Row[]), expected, told);
      if (!question.breakdown) {
        const { table } = expected[0]!;
        const point = { interval: random.int(table.length), lag: random.int(question.columns) };
        const { text, bound } = await retention.actors!(context, query, point);
        const actors = await context.ask({ text, params: bound.params });
        assert.equal(actors.length, table[point.interval]![point.lag], `${told}, behind ${JSON.stringify(point)}`);
      }
      return expected.some(({ table }) => table.some((row) => row.slice(1).some((count) => count > 0)));
    },
  });
});
