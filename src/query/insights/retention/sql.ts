// Who came back: SQL that counts, for each interval in which actors began, those who came back so many intervals later.
import type { QueryContext } from '../../kind.ts';
import { IN_SMALL_BLOCKS } from '../../sql/blocks.ts';
import { placeSql } from '../../sql/buckets.ts';
import type { EventsSql } from '../../sql/events-sql.ts';
import { cohortsSql, valuesSql } from '../breakdown-values.ts';
import { allSql, anyEntitySql, type Entity, entitySql, namedSql } from '../entity.ts';
import { type IntervalSets, intervalSets, lists } from '../interval-sets.ts';
import type { RetentionPlan } from './plan.ts';

export interface RetentionRow {
  readonly shown?: readonly string[];
  readonly is_other?: number;
  /** The place in the table, row after row. */
  readonly cell: number;
  readonly count: number;
}

export async function askRetention(plan: RetentionPlan, context: QueryContext): Promise<RetentionRow[]> {
  const events = context.events();
  const actors = returnsSql(plan, events, context);
  // Pairs of a row and a column are many, and quickest to count by one small number.
  const type = plan.rows * plan.columns <= 2 ** 16 ? 'UInt16' : 'UInt32';
  const cells = `FROM (${actors}) ARRAY JOIN arrayMap(lag -> to${type}(start * ${plan.columns} + lag), lags) AS cell`;
  const text = plan.breakdown
    ? brokenDownSql(plan, `SELECT value, cell, count() AS n ${cells} GROUP BY value, cell`)
    : `SELECT cell, count() AS count ${cells} GROUP BY cell`;
  return context.ask<RetentionRow>({ text: `${text} ${IN_SMALL_BLOCKS}`, params: events.bound.params });
}

/** SQL: for each actor and each row that they are in, `actor`, `start`, `lags` (the columns) and `value`. */
export function returnsSql(plan: RetentionPlan, events: EventsSql, context: QueryContext): string {
  const kept = plan.breakdown ? ['actor', 'value'] : ['actor'];
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
function columnsSql({ brackets }: RetentionPlan, lags: string): string {
  if (brackets.every((length) => length === 1)) return lags;
  const columns = [0, ...brackets.flatMap((length, at) => Array.from({ length }, () => at + 1))];
  return `arrayDistinct(arrayMap(lag -> [${columns.join(', ')}][lag + 1], ${lags}))`;
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
  const actor = plan.groupTypeIndex === undefined ? events.personId : events.groupKey(plan.groupTypeIndex);
  const { names, where } = rangeSql(plan, events);
  const value = plan.breakdown?.kind === 'properties' ? valuesSql(events, plan.breakdown) : undefined;
  const all = [
    `${actor} AS actor`,
    ...names,
    `${placeSql(`toUnixTimestamp64Second(${events.alias}.timestamp)`, plan.points, events.bound)} AS at`,
    ...(value ? [`${value} AS own_value`] : []),
  ];
  const conditions = [
    where,
    events.filters(plan.filters),
    events.testAccounts(plan.filterTestAccounts),
    plan.groupTypeIndex === undefined ? 'true' : `${actor} != ''`,
  ];
  const columns = [
    'actor',
    `${startsSql(plan, events)} AS starts`,
    `${returnedSql(plan)} AS returns`,
    ...(value ? [`minIf((${events.alias}.timestamp, own_value), is_target).2 AS value`] : []),
  ];
  return `
    WITH ${all.join(', ')}
    SELECT ${columns.join(', ')}
      FROM ${events.from(plan.samplingFactor)}
     WHERE ${allSql(conditions)}
     GROUP BY actor
    HAVING countIf(is_target) > 0`;
}

/** What each event is, and which events matter: those of the range, and earlier ones when the first one ever is asked for. */
function rangeSql(plan: RetentionPlan, events: EventsSql): { names: string[]; where: string } {
  const { target, returning, points, end } = plan;
  const range = { fromMicros: (points[0] ?? 0) * 1e6, toMicros: end * 1e6 };
  const isTarget = `${entitySql(events, target)} AS is_target`;
  const isReturn = `${entitySql(events, returning)} AS is_return`;
  if (plan.begins === 'each') {
    return {
      names: [isTarget, isReturn],
      where: allSql([events.within(range), anyEntitySql(events, [target, returning])]),
    };
  }
  const isNamed = `${namedSql(events, target)} AS is_named`;
  const wider: Entity = plan.begins === 'first_named' ? { ...target, filters: [] } : target;
  const first = `${events.alias}.timestamp >= ${events.bound.moment(range.fromMicros)}`;
  return {
    names: [isTarget, isNamed, `(${entitySql(events, returning)}) AND ${first} AS is_return`],
    where: allSql([
      events.within({ fromMicros: BEGINNING_OF_TIME, toMicros: range.toMicros }),
      anyEntitySql(events, [wider, returning]),
    ]),
  };
}

/** The store holds nothing older than 1900. */
const BEGINNING_OF_TIME = Date.UTC(1900, 0, 1) * 1_000;

function startsSql(plan: RetentionPlan, events: EventsSql): string {
  const sets = setsOf(plan);
  if (plan.begins === 'each') return sets.collect('at', 'is_target');
  const time = `${events.alias}.timestamp`;
  const first = `minIf(${time}, is_target)`;
  const begun = placeSql(`toUnixTimestamp64Second(${first})`, plan.points, events.bound);
  const isFirst = plan.begins === 'first' ? 'true' : `${first} = minIf(${time}, is_named)`;
  const inRange = `${first} >= ${events.bound.moment((plan.points[0] ?? 0) * 1e6)}`;
  return sets.one(begun, allSql([inRange, isFirst]));
}

function returnedSql(plan: RetentionPlan): string {
  const { occurrencesMin } = plan;
  if (occurrencesMin === 1) return setsOf(plan).collect('at', 'is_return');
  const often = `sumMapIf([at], [toUInt64(1)], is_return)`;
  return `arrayFilter((at, times) -> times >= ${occurrencesMin}, (${often}).1, (${often}).2)`;
}

/** Values are ranked by how many began with them; those beyond the limit are added up. */
function brokenDownSql({ breakdown, columns }: RetentionPlan, counted: string): string {
  const valuesMax = breakdown?.kind === 'properties' ? breakdown.valuesMax : Number.MAX_SAFE_INTEGER;
  return `
    SELECT place > ${valuesMax} AS is_other, if(is_other, [], value) AS shown, cell, sum(n) AS count
      FROM (
        SELECT *, dense_rank() OVER (ORDER BY size DESC, value) AS place
          FROM (SELECT *, sumIf(n, cell % ${columns} = 0) OVER (PARTITION BY value) AS size FROM (${counted})))
     GROUP BY is_other, shown, cell
     ORDER BY min(place)`;
}
