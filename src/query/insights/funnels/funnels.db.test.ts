// Funnels against the reference: random projects, random questions, the same numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLong, type Random } from '../../../../test/random.ts';
import { type Comparison, compareWithReference } from '../../../../test/reference/query/compare.ts';
import { type Dataset, EVENT_NAMES } from '../../../../test/reference/query/dataset.ts';
import { countSteps, countTimes, countTrends } from '../../../../test/reference/query/funnel-charts.ts';
import { type FunnelQuestion, listTrips } from '../../../../test/reference/query/funnels.ts';
import { funnels } from './funnels.ts';

const HOUR = 3_600_000_000;
const PRO = { key: 'plan', value: ['pro', 'free', '10'], operator: 'exact', type: 'event' };
const CHROME = { key: '$browser', value: 'Chrome', operator: 'exact', type: 'event' };

function makeStep(random: Random) {
  const name = random.chance(0.15) ? null : random.pick(['$pageview', '$pageview', ...EVENT_NAMES.slice(0, 4)]);
  return { event: name, ...(random.chance(0.2) && { properties: [random.pick([PRO, CHROME])] }) };
}

function makeQuestion(random: Random, { now }: Dataset): FunnelQuestion {
  const order = random.pick(['ordered', 'ordered', 'strict', 'unordered'] as const);
  const maths = [
    'total',
    'total',
    'total',
    'total',
    'total',
    'total',
    'first_time_for_user',
    'first_time_for_user_with_filters',
  ] as const;
  // So many steps that their marks need wider numbers are rare.
  const length = random.chance(0.05) ? 11 : 2 + random.int(3);
  const steps = Array.from({ length }, () => ({ ...makeStep(random), math: random.pick(maths) }));
  // Steps that share no name are walked in a quicker way.
  if (random.chance(0.4)) for (const [at, step] of steps.entries()) step.event = EVENT_NAMES[at] ?? null;
  const last = steps.length - 1;
  const hasOptional = order === 'ordered' && random.chance(0.4);
  if (hasOptional) for (const step of steps.slice(1)) Object.assign(step, { optional: random.chance(0.5) });
  const exclusions = Array.from({ length: !hasOptional && random.chance(0.3) ? 1 + random.int(2) : 0 }, () => {
    const fromStep = order === 'unordered' ? 0 : random.int(last);
    const toStep = order === 'unordered' ? last : fromStep + 1 + random.int(last - fromStep);
    return { ...makeStep(random), fromStep, toStep };
  });
  return {
    steps,
    exclusions,
    order,
    windowMicros: random.pick([HOUR, 24 * HOUR, 14 * 24 * HOUR, 14 * 24 * HOUR]),
    fromMicros: now * 1_000 - random.pick([3, 20, 100, 100]) * 24 * HOUR,
    toMicros: now * 1_000,
    ...(random.chance(0.2) && { groupTypeIndex: 0 }),
    ...(random.chance(0.1) && { properties: [CHROME] }),
    ...(random.chance(0.5) && {
      breakdown: random.pick([['$browser'], ['plan'], ['$browser', 'plan']]),
      attribution: random.pick(['first_touch', 'last_touch', 'all_events', 'step'] as const),
      attributionStep: random.int(steps.length),
      valuesMax: random.pick([2, 25]),
    }),
  };
}

const toNode = ({ event, properties, math, optional }: FunnelQuestion['steps'][number]) => ({
  kind: 'EventsNode',
  event,
  ...(properties && { properties }),
  ...(math && { math }),
  ...(optional && { optionalInFunnel: true }),
});

const toIso = (micros: number) =>
  `${new Date(micros / 1_000).toISOString().slice(0, 19)}.${String(micros % 1e6).padStart(6, '0')}Z`;

export function toQuery(question: FunnelQuestion, funnelsFilter: object = {}) {
  const { breakdown, attribution, attributionStep, valuesMax } = question;
  return {
    kind: 'FunnelsQuery',
    series: question.steps.map(toNode),
    dateRange: { date_from: toIso(question.fromMicros), date_to: toIso(question.toMicros), explicitDate: true },
    properties: question.properties,
    aggregation_group_type_index: question.groupTypeIndex,
    ...(breakdown && {
      breakdownFilter: {
        breakdowns: breakdown.map((property) => ({ property, type: 'event' })),
        breakdown_limit: valuesMax,
      },
    }),
    funnelsFilter: {
      funnelOrderType: question.order,
      funnelWindowInterval: question.windowMicros / HOUR,
      funnelWindowIntervalUnit: 'hour',
      exclusions: question.exclusions.map(({ fromStep, toStep, ...step }) => ({
        ...toNode(step),
        funnelFromStep: fromStep,
        funnelToStep: toStep,
      })),
      ...(breakdown && { breakdownAttributionType: attribution, breakdownAttributionValue: attributionStep }),
      ...funnelsFilter,
    },
  };
}

interface Step {
  count: number;
  average_conversion_time: number | null;
  median_conversion_time: number | null;
  breakdown_value?: string[];
}

const toCounts = (steps: readonly Step[]) =>
  steps.map(({ count, average_conversion_time, median_conversion_time }) => ({
    count,
    average: average_conversion_time,
    median: median_conversion_time,
  }));

const compare = (given: Pick<Comparison<FunnelQuestion>, 'questions' | 'look'>): Promise<void> =>
  compareWithReference({ make: makeQuestion, ...given });

test('a funnel counts what the reference counts, and lists as many, whatever the project and the question', () =>
  compare({
    questions: isLong ? 20 : 5,
    async look({ question, dataset, context, random, told }) {
      const expected = countSteps(listTrips(dataset, question), question);
      const query = funnels.read(toQuery(question));
      const { results } = await funnels.run(context, query);
      if (!question.breakdown) {
        const nobody = question.steps.map(() => ({ count: 0, average: null, median: null }));
        assert.deepEqual(toCounts(results as Step[]), expected[0]?.steps ?? nobody, told);
      } else {
        const lists = results as Step[][];
        const shown = lists.map((steps) => ({ value: steps[0]?.breakdown_value, steps: toCounts(steps) }));
        assert.deepEqual(shown, expected, told);
      }
      const list = random.pick(question.breakdown ? (results as Step[][]) : [results as Step[]]);
      const step = random.int(question.steps.length);
      const value = list?.[step]?.breakdown_value;
      if (list?.[step] && value?.[0] !== 'Other' && random.chance(0.3)) {
        const point = { funnelStep: step + 1, funnelStepBreakdown: value };
        const { text, bound } = await funnels.actors!(context, query, point);
        const actors = await context.ask({ text, params: bound.params });
        assert.equal(actors.length, list[step].count, `${told}, behind ${JSON.stringify(point)}`);
      }
      return expected.some(({ steps }) => (steps[1]?.count ?? 0) > 0);
    },
  }));

test('of those who enter on a day, the reference finds the same share at the end', () =>
  compare({
    questions: isLong ? 8 : 2,
    async look({ question: asked, dataset, context, random, told }) {
      const question = { ...asked, valuesMax: 1_000 };
      const isLate = asked.steps.length > 2 && random.chance(0.25);
      const [funnelFromStep, funnelToStep] = isLate ? [1, 2] : [0, 1];
      const expected = countTrends(dataset, question, funnelFromStep, funnelToStep).filter(isSomething);
      const query = toQuery(question, { funnelVizType: 'trends', funnelFromStep, funnelToStep });
      const { results } = await funnels.run(context, funnels.read(query));
      const found = (results as TrendsItem[]).map(({ breakdown_value = [], days, data }) => ({
        value: breakdown_value,
        data: Object.fromEntries(days.map((day, at) => [day, data[at] ?? 0]).filter(([, rate]) => rate !== 0)),
      }));
      const byValue = (one: { value: unknown }, other: { value: unknown }) =>
        JSON.stringify(one.value) < JSON.stringify(other.value) ? -1 : 1;
      assert.deepEqual(found.filter(isSomething).sort(byValue), expected.sort(byValue), told);
      return expected.length > 0;
    },
  }));

test('how long it took is the same histogram', () =>
  compare({
    questions: isLong ? 5 : 2,
    async look({ question: { breakdown: _, ...question }, dataset, context, told }) {
      const toStep = 1;
      const binCount = question.windowMicros > HOUR ? 4 : undefined;
      const expected = countTimes(listTrips(dataset, question), 0, toStep, binCount);
      const query = toQuery(question, { funnelVizType: 'time_to_convert', funnelToStep: toStep, binCount });
      const { results } = await funnels.run(context, funnels.read(query));
      assert.deepEqual(results, expected, told);
      return expected.bins.length > 0;
    },
  }));

interface TrendsItem {
  breakdown_value?: string[];
  days: string[];
  data: number[];
}

const isSomething = ({ data }: { data: object }) => Object.keys(data).length > 0;
