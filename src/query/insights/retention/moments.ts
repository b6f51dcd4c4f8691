// Who came back, by the moment: in windows that begin with each actor's own first event instead of with the calendar, or
// with what came of it, the sum of a property. Either takes the single events, which cost more than sets of intervals.
import type { EventsSql } from '../../sql/events-sql.ts';
import { markedTimeSql } from '../funnels/marks.ts';
import { beginningSql, collectSql } from './collect.ts';
import { columnsOfLags, type RetentionPlan } from './plan.ts';

export const isByMoment = ({ windowMicros, amount }: RetentionPlan): boolean =>
  windowMicros !== undefined || amount !== undefined;

/** SQL: each actor with `begun`, pairs of an interval and the time, and `returns`: interval, time and amount of each. */
export function momentsSql(plan: RetentionPlan, events: EventsSql): string {
  const names = [`${markedTimeSql(events)} AS time`, `${amountSql(plan, events)} AS amount`];
  const returns = 'groupArrayIf((toInt64(at), time, amount), is_return)';
  return collectSql(plan, events, [`${begunSql(plan, events)} AS begun`, `${returns} AS returns`], names);
}

/** Windows are those of the first beginning only: others would overlap with them. */
function begunSql(plan: RetentionPlan, events: EventsSql): string {
  if (plan.begins !== 'each' || plan.windowMicros !== undefined) {
    const { at, counts } = beginningSql(plan, events);
    return `if(${counts}, [(toInt64(${at}), minIf(time, is_target))], [])`;
  }
  return 'arrayZip((minMapIf([toInt64(at)], [time], is_target) AS firsts).1, firsts.2)';
}

/** Float64; what is no number counts as nothing. */
function amountSql({ amount }: RetentionPlan, events: EventsSql): string {
  if (!amount) return 'toFloat64(0)';
  const { number } = events.property(amount.type, amount.key);
  return `ifNull(if(isFinite(${number}), ${number}, 0), 0)`;
}

/**
 * SQL over those, a row for each beginning: `kept`, `start`, `lags` (the columns that count) and `totals`, the amount of
 * each. What was done before the beginning is no return.
 */
export function momentReturnsSql(plan: RetentionPlan, actors: string, kept: readonly string[]): string {
  const { windowMicros, occurrencesMin, rows } = plan;
  const columns = columnsOfLags(plan);
  const lag = windowMicros === undefined ? 'each.1 - start' : `intDiv(each.2 - since, ${windowMicros})`;
  const own = `arrayFilter(each -> each.2 >= since AND ${lag} < ${columns.length}, returns)`;
  const perLag = sumSql(`arrayMap(each -> [${lag}], own)`, 'arrayMap(each -> [each.3], own)');
  // The first column is everybody's who began.
  const enough = `arrayFilter(each -> each.1 = 0 OR each.2 >= ${occurrencesMin}, arrayZip(per_lag.1, per_lag.2, per_lag.3))`;
  const column = `[toInt64(${columns.join('), toInt64(')})][each.1 + 1]`;
  const perColumn = sumSql(
    `arrayPushFront(arrayMap(each -> [${column}], enough), [toInt64(0)])`,
    'arrayPushFront(arrayMap(each -> [each.3], enough), [toFloat64(0)])',
  );
  return `
    SELECT ${kept.join(', ')}, start, per_column.1 AS lags, per_column.3 AS totals
      FROM (
        WITH ${own} AS own, ${perLag} AS per_lag, ${enough} AS enough
        SELECT ${kept.join(', ')}, start, ${perColumn} AS per_column
          FROM (
            SELECT ${kept.join(', ')}, returns, beginning.1 AS start, beginning.2 AS since
              FROM (
                SELECT ${kept.join(', ')}, returns, arrayJoin(begun) AS beginning FROM (${actors}))
             WHERE start >= 0 AND start < ${rows}))`;
}

/** A tuple of lists: the keys, how often each is there, and the sum of its amounts. */
const sumSql = (keys: string, amounts: string): string =>
  `arrayReduce('sumMap', ${keys}, arrayMap(key -> [toUInt64(1)], ${keys}), ${amounts})`;
