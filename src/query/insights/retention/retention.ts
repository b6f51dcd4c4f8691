// RetentionQuery: who came back, and when.
import { invalid } from '../../../http/errors.ts';
import { toIso } from '../../dates/text.ts';
import type { QueryContext, QueryKind } from '../../kind.ts';
import { BREAKDOWN_NULL, BREAKDOWN_OTHER } from '../../nodes.ts';
import { toResolvedRange } from '../periods.ts';
import { type Amount, planRetention, type RetentionPlan } from './plan.ts';
import { type RetentionQuery, readRetentionQuery } from './read.ts';
import { askRetention, type RetentionRow, returnsSql } from './sql.ts';

export const retention: QueryKind<RetentionQuery> = {
  kind: 'RetentionQuery',
  read: readRetentionQuery,
  async run(context, query) {
    const plan = await planRetention(query, context);
    const range = { fromMicros: (plan.points[0] ?? 0) * 1e6, toMicros: plan.rowsEnd * 1e6 };
    return {
      results: toTable(await askRetention(plan, context), plan, context),
      resolved_date_range: toResolvedRange(range, context.project.timezone),
    };
  },
  /** `interval` is the row, counted from 0; `lag`, if given, the column. */
  async actors(context, query, point) {
    const plan = await planRetention(query, context);
    const events = context.events();
    const start = readIndex(point.interval ?? 0, plan.rows, 'interval');
    const hasLag = point.lag !== undefined && point.lag !== null;
    const came = hasLag ? ` AND has(lags, ${readIndex(point.lag, plan.columns, 'lag')})` : '';
    return {
      text: `
        SELECT actor AS actor_id, max(length(lags)) AS event_count
          FROM (${returnsSql(plan, events, context)})
         WHERE start = ${start}${came}
         GROUP BY actor`,
      bound: events.bound,
      groupTypeIndex: plan.groupTypeIndex,
    };
  },
};

function readIndex(value: unknown, below: number, attr: string): number {
  const index = Number(value);
  if (Number.isInteger(index) && index >= 0 && index < below) return index;
  throw invalid(`"${String(value)}" is no ${attr} of this table; they go from 0 to ${below - 1}.`, attr);
}

/** One row for each interval; broken down, as many for each value. */
function toTable(rows: readonly RetentionRow[], plan: RetentionPlan, context: QueryContext) {
  const { breakdown } = plan;
  if (!breakdown) return toRows(rows, plan, context);
  const byValue = Map.groupBy(rows, ({ shown, is_other }) => JSON.stringify([shown, is_other]));
  return [...byValue.values()]
    .filter(([first]) => !(first?.is_other && breakdown.kind === 'properties' && breakdown.hidesOther))
    .flatMap((ofValue) => {
      const breakdown_value = toValue(plan, ofValue[0]!);
      return toRows(ofValue, plan, context).map((row) => ({ ...row, breakdown_value }));
    });
}

function toValue({ breakdown }: RetentionPlan, { shown = [], is_other }: RetentionRow): string | number {
  if (is_other) return BREAKDOWN_OTHER;
  if (breakdown?.kind === 'cohorts') {
    return breakdown.cohorts.find(({ value }) => String(value) === shown[0])?.value ?? String(shown[0]);
  }
  return shown.map((text) => text || BREAKDOWN_NULL).join('::');
}

function toRows(rows: readonly RetentionRow[], plan: RetentionPlan, { project }: QueryContext) {
  const { period, points, columns, samplingFactor } = plan;
  const cells = new Map(rows.map((row) => [row.cell, row]));
  const names = nameColumns(plan);
  const whole = (count: number) => (samplingFactor ? Math.round(count / samplingFactor) : count);
  return points.slice(0, plan.rows).map((point, start) => ({
    date: toIso(point * 1e6, project.timezone),
    label: `${period} ${start}`,
    values: Array.from({ length: columns }, (_, lag) => ({
      count: whole(cells.get(start * columns + lag)?.count ?? 0),
      ...(plan.amount && {
        aggregation_value: toAmount(cells.get(start * columns + lag), plan.amount, samplingFactor),
      }),
      label: `${period} ${names[lag]}`,
    })),
  }));
}

/** Of those who came back together, or of each of them on average. */
function toAmount(cell: RetentionRow | undefined, { kind }: Amount, samplingFactor = 1): number {
  const { count = 0, total = 0 } = cell ?? {};
  if (kind === 'sum') return total / samplingFactor;
  return count === 0 ? 0 : total / count;
}

/** What the columns are called: `0`, `1`, and `2-4` where one is several intervals. */
function nameColumns({ brackets }: RetentionPlan): string[] {
  let next = 1;
  return [
    '0',
    ...brackets.map((length) => {
      const first = next;
      next += length;
      return length === 1 ? String(first) : `${first}-${next - 1}`;
    }),
  ];
}
