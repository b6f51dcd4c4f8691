// What a series computes from its events, per point of the chart.
import { invalid } from '../../../http/errors.ts';
import type { SeriesNode } from '../../nodes.ts';
import type { EventsSql } from '../../sql/events-sql.ts';
import { actorSql } from '../actor.ts';
import { mathProperty } from '../series.ts';
import { finiteSql } from './breakdown.ts';

/** SQL that turns a column into one number: at once, or in parts that are put together later. */
export interface Statistic {
  of(column: string): string;
  partOf(column: string): string;
  /** Several parts as one, the number that a part is by itself, and the number of several. */
  join(parts: string): string;
  valueOf(part: string): string;
  merge(parts: string): string;
}

export type Recipe =
  /** A statistic over the events; `column` is what of each event goes in. */
  | { readonly kind: 'statistic'; readonly column: string; readonly statistic: Statistic }
  /** How many keys are here for the first time in the period. */
  | { readonly kind: 'firstSeen'; readonly key: string }
  /** An aggregate that somebody wrote. */
  | { readonly kind: 'written'; readonly value: string }
  /** A statistic over how many events each actor has. */
  | { readonly kind: 'perActor'; readonly key: string; readonly statistic: Statistic }
  /** A statistic over something that a session has once, however many events it has. */
  | { readonly kind: 'perSession'; readonly key: string; readonly number: string; readonly statistic: Statistic }
  /** How many actors have their first event here; with `matching`, the first that passes the filters. */
  | { readonly kind: 'firstTime'; readonly key: string; readonly matching: boolean }
  /** How many actors were active in so many days up to the end of the interval. */
  | { readonly kind: 'active'; readonly key: string; readonly days: number };

export interface Computation {
  readonly recipe: Recipe;
  /** Bool: events without it do not take part. */
  readonly condition: string;
}

/** An aggregate function whose results can be put together by itself or by another one. */
const simple = (name: string, merging = name): Statistic => ({
  of: (column) => `${name}(${column})`,
  partOf: (column) => `${name}(${column})`,
  join: (parts) => `${merging}(${parts})`,
  valueOf: (part) => part,
  merge: (parts) => `${merging}(${parts})`,
});

/** An aggregate function whose results say too little to be put together: its state is kept. */
const stateful = (name: string, parameters = ''): Statistic => ({
  of: (column) => `${name}${parameters}(${column})`,
  partOf: (column) => `${name}State${parameters}(${column})`,
  join: (parts) => `${name}MergeState${parameters}(${parts})`,
  valueOf: (part) => `finalizeAggregation(${part})`,
  merge: (parts) => `${name}Merge${parameters}(${parts})`,
});

const quantile = (level: number) => stateful('quantileExactInclusive', `(${level})`);

const counted = simple('count', 'sum');
const distinct = stateful('uniqExact');

const statistics: Readonly<Record<string, Statistic>> = {
  avg: stateful('avg'),
  sum: simple('sum'),
  min: simple('min'),
  max: simple('max'),
  median: quantile(0.5),
  p75: quantile(0.75),
  p90: quantile(0.9),
  p95: quantile(0.95),
  p99: quantile(0.99),
};

const PER_ACTOR = '_count_per_actor';

/** What a sample's result is multiplied with: counts and sums grow with the number of events, averages do not. */
export function sampleScale({ math }: SeriesNode, samplingFactor: number | null | undefined): number {
  const isCount = !math || (math !== 'hogql' && !math.endsWith(PER_ACTOR) && !Object.hasOwn(statistics, math));
  return samplingFactor && (isCount || math === 'sum') ? 1 / samplingFactor : 1;
}

const MATHS = [
  'total',
  'dau',
  'weekly_active',
  'monthly_active',
  'unique_session',
  'unique_group',
  'first_time_for_user',
  'first_matching_event_for_user',
  'hogql',
  ...Object.keys(statistics),
  ...Object.keys(statistics)
    .filter((name) => name !== 'sum')
    .map((name) => name + PER_ACTOR),
];

/** What the query says about how its series are counted. */
export interface Counting {
  readonly aggregation_group_type_index?: number | null | undefined;
  readonly isCumulative: boolean;
}

export function planMath(
  events: EventsSql,
  series: SeriesNode,
  { aggregation_group_type_index, isCumulative }: Counting,
): Computation {
  const math = series.math ?? 'total';
  const statistic = Object.hasOwn(statistics, math) ? statistics[math] : undefined;
  if (statistic) return planProperty(events, series, statistic);
  if (!MATHS.includes(math)) throw invalid(`"${math}" is no math; there are: ${MATHS.join(', ')}.`, 'series__math');

  const actor = () => actorSql(events, aggregation_group_type_index);
  const counting = (recipe: Recipe, condition = 'true'): Computation => ({ recipe, condition });
  // Where points are added up, whoever was counted once is not counted again.
  const countDistinct = (key: string, condition: string): Computation =>
    counting(
      isCumulative ? { kind: 'firstSeen', key } : { kind: 'statistic', column: key, statistic: distinct },
      condition,
    );
  switch (math) {
    case 'total':
      return counting({ kind: 'statistic', column: '', statistic: counted });
    case 'dau':
      return countDistinct(actor().key, actor().exists);
    case 'weekly_active':
      return counting({ kind: 'active', key: actor().key, days: 7 }, actor().exists);
    case 'monthly_active':
      return counting({ kind: 'active', key: actor().key, days: 30 }, actor().exists);
    case 'first_time_for_user':
    case 'first_matching_event_for_user': {
      const matching = math === 'first_matching_event_for_user';
      return counting({ kind: 'firstTime', key: actor().key, matching }, actor().exists);
    }
    case 'unique_session': {
      const key = sessionKey(events);
      return countDistinct(key, `${key} != ''`);
    }
    case 'unique_group': {
      if (typeof series.math_group_type_index !== 'number') {
        throw invalid('The math "unique_group" needs a math_group_type_index.', 'series__math_group_type_index');
      }
      const group = actorSql(events, series.math_group_type_index);
      return countDistinct(group.key, group.exists);
    }
    case 'hogql': {
      if (!series.math_hogql) throw invalid('The math "hogql" needs math_hogql.', 'series__math_hogql');
      const value = events.hogql(series.math_hogql);
      return { recipe: { kind: 'written', value }, condition: 'true' };
    }
    default: {
      const { key, exists } = actor();
      const over = statistics[math.slice(0, -PER_ACTOR.length)]!;
      return { recipe: { kind: 'perActor', key, statistic: over }, condition: exists };
    }
  }
}

const sessionKey = (events: EventsSql) => `${events.alias}.\`$session_id\``;

function planProperty(events: EventsSql, series: SeriesNode, statistic: Statistic): Computation {
  const { type, key } = mathProperty(series);
  const plain = finiteSql(events.property(type, key).number);
  const multiplier = series.math_multiplier ?? 1;
  const number = multiplier === 1 ? plain : `${plain} * ${events.bound.bind('Float64', multiplier)}`;
  if (type === 'session') {
    const session = sessionKey(events);
    return { recipe: { kind: 'perSession', key: session, number, statistic }, condition: `${session} != ''` };
  }
  return { recipe: { kind: 'statistic', column: number, statistic }, condition: 'true' };
}
