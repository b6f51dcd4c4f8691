// Who came back: SQL that counts, for each interval in which actors began, those who came back so many intervals later.
import type { QueryContext } from '../../kind.ts';
import { IN_SMALL_BLOCKS } from '../../sql/blocks.ts';
import type { EventsSql } from '../../sql/events-sql.ts';
import { cohortsSql } from '../breakdown-values.ts';
import { type IntervalSets, intervalSets, lists } from '../interval-sets.ts';
import { beginningSql, collectSql } from './collect.ts';
import { isByMoment, momentReturnsSql, momentsSql } from './moments.ts';
import { columnsOfLags, type RetentionPlan } from './plan.ts';

export interface RetentionRow {
  readonly shown?: readonly string[];
  readonly is_other?: number;
  /** The place in the table, row after row. */
  readonly cell: number;
  readonly count: number;
  /** The amounts of all of them, if any are asked for. */
  readonly total?: number;
}

export async function askRetention(plan: RetentionPlan, context: QueryContext): Promise<RetentionRow[]> {
  const events = context.events();
  const actors = returnsSql(plan, events, context);
  // Pairs of a row and a column are many, and quickest to count by one small number.
  const type = plan.rows * plan.columns <= 2 ** 16 ? 'UInt16' : 'UInt32';
  const cell = `arrayMap(lag -> to${type}(start * ${plan.columns} + lag), lags) AS cell`;
  const cells = `FROM (${actors}) ARRAY JOIN ${cell}${plan.amount ? ', totals AS amount' : ''}`;
  const text = plan.breakdown
    ? brokenDownSql(
        plan,
        `SELECT value, cell, count() AS n${sumSql(plan, 'amount', 'amounts')} ${cells} GROUP BY value, cell`,
      )
    : `SELECT cell, count() AS count${sumSql(plan, 'amount', 'total')} ${cells} GROUP BY cell`;
  return context.ask<RetentionRow>({ text: `${text} ${IN_SMALL_BLOCKS}`, params: events.bound.params });
}

/** One more column, if amounts are asked for. */
const sumSql = ({ amount }: RetentionPlan, of: string, name: string): string =>
  amount ? `, sum(${of}) AS ${name}` : '';

/** SQL: for each actor and each row that they are in, `actor`, `start`, `lags` (the columns), their `totals`, and `value`. */
export function returnsSql(plan: RetentionPlan, events: EventsSql, context: QueryContext): string {
  const kept = plan.breakdown ? ['actor', 'value'] : ['actor'];
  if (isByMoment(plan)) {
    return momentReturnsSql(plan, withValue(plan, momentsSql(plan, events), events, context), kept);
  }
  const sets = setsOf(plan);
  const columns = columnsSql(plan, sets.since('returns', 'start', lookaheadOf(plan)));
  // Whoever came back later has, cumulatively, not been lost in between.
  const lags = plan.isCumulative ? `range(toUInt64(arrayMax(${columns})) + 1)` : columns;
  return `
    SELECT ${kept.join(', ')}, start, ${lags} AS lags
      FROM (
        SELECT ${kept.join(', ')}, arrayJoin(${sets.below('starts', plan.rows)}) AS start, returns
          FROM (${withValue(plan, actorsSql(plan, events), events, context)}))`;
}

const lookaheadOf = ({ points, rows }: RetentionPlan): number => points.length - rows + 1;

/** The columns of so many intervals later, each once. */
function columnsSql(plan: RetentionPlan, lags: string): string {
  if (plan.brackets.every((length) => length === 1)) return lags;
  return `arrayDistinct(arrayMap(lag -> [${columnsOfLags(plan).join(', ')}][lag + 1], ${lags}))`;
}

/** How often somebody came in an interval takes a list. */
const setsOf = ({ points, occurrencesMin }: RetentionPlan): IntervalSets =>
  occurrencesMin === 1 ? intervalSets(points.length) : lists;

function withValue(plan: RetentionPlan, actors: string, events: EventsSql, context: QueryContext): string {
  if (plan.breakdown?.kind !== 'cohorts') return actors;
  return `SELECT *, [arrayJoin(${cohortsSql(events, 'actor', plan.breakdown, context)})] AS value FROM (${actors})`;
}

/** SQL: each actor with the sets of intervals in which they began (`starts`) and did the other (`returns`). */
function actorsSql(plan: RetentionPlan, events: EventsSql): string {
  return collectSql(plan, events, [`${startsSql(plan, events)} AS starts`, `${returnedSql(plan)} AS returns`]);
}

function startsSql(plan: RetentionPlan, events: EventsSql): string {
  const sets = setsOf(plan);
  if (plan.begins === 'each') return sets.collect('at', 'is_target');
  const { at, counts } = beginningSql(plan, events);
  return sets.one(at, counts);
}

function returnedSql(plan: RetentionPlan): string {
  const { occurrencesMin } = plan;
  if (occurrencesMin === 1) return setsOf(plan).collect('at', 'is_return');
  const often = `sumMapIf([at], [toUInt64(1)], is_return)`;
  return `arrayFilter((at, times) -> times >= ${occurrencesMin}, (${often}).1, (${often}).2)`;
}

/** Values are ranked by how many began with them; those beyond the limit are added up. */
function brokenDownSql(plan: RetentionPlan, counted: string): string {
  const { breakdown, columns } = plan;
  const valuesMax = breakdown?.kind === 'properties' ? breakdown.valuesMax : Number.MAX_SAFE_INTEGER;
  return `
    SELECT place > ${valuesMax} AS is_other, if(is_other, [], value) AS shown, cell,
           sum(n) AS count${sumSql(plan, 'amounts', 'total')}
      FROM (
        SELECT *, dense_rank() OVER (ORDER BY size DESC, value) AS place
          FROM (SELECT *, sumIf(n, cell % ${columns} = 0) OVER (PARTITION BY value) AS size FROM (${counted})))
     GROUP BY is_other, shown, cell
     ORDER BY min(place)`;
}
