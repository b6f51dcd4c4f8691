// TrendsQuery: how much of something happened, over time or in all.

import type { QueryContext, QueryKind, QueryResult } from '../../kind.ts';
import { BREAKDOWN_OTHER, readNode } from '../../nodes.ts';
import { toResolvedRange } from '../periods.ts';
import { actorsSql } from './actors.ts';
import type { Branch } from './branch.ts';
import { planTrends, type TrendsPlan } from './plan.ts';
import { TrendsQuery } from './read.ts';
import { applyFormulas, byTotal, inOrder, type Line, polish, toItem, toLines } from './shape.ts';
import { type BranchRow, type Choice, trendsSql } from './sql.ts';

export const trends: QueryKind<TrendsQuery> = {
  kind: 'TrendsQuery',
  read: (json) => readNode(TrendsQuery, json),
  run,
  actors: actorsSql,
};

async function run(context: QueryContext, query: TrendsQuery): Promise<QueryResult> {
  const plan = await planTrends(context, query);
  const lines = await askLines(context, plan);
  return {
    results: inOrder(lines).map((line) => toItem(plan, polish(plan, line))),
    hasMore: lines.some(({ labels }) => labels.includes(BREAKDOWN_OTHER)),
    resolved_date_range: toResolvedRange(plan.periods[0]!.range, plan.around.timezone),
  };
}

/** With a formula, a value may be large only in what comes of it, so many more are asked for than are shown. */
const FORMULA_LABELS_MAX = 1_000;

/** The lines that are shown, in no order. */
async function askLines(context: QueryContext, plan: TrendsPlan): Promise<Line[]> {
  const { breakdown, formulas } = plan;
  const hasFormulas = formulas.length > 0;
  const choice: Choice = {
    kind: 'largest',
    limit: breakdown ? (hasFormulas ? FORMULA_LABELS_MAX : breakdown.limit) : 1,
    withOther: breakdown !== undefined && !breakdown.hidesOther && !hasFormulas,
  };
  const branches = plan.periods.flatMap((_, period) => plan.query.series.map((_, series) => ({ series, period })));
  const rows = await context.ask<BranchRow>(
    trendsSql(
      context,
      plan,
      branches.map((branch) => ({ ...branch, choice })),
    ),
  );
  const found = toLines(plan, rows);
  if (!breakdown) return applyFormulas(plan, found);

  const kept = hasFormulas ? keepLargest(plan, applyFormulas(plan, found), found) : found;
  if (breakdown.hidesOther) return applyFormulas(plan, kept);
  const missing = branches.filter((branch) => lacksOther(branch, rows, kept));
  if (missing.length === 0) return applyFormulas(plan, kept);
  const others = await context.ask<BranchRow>(
    trendsSql(
      context,
      plan,
      missing.map((branch) => ({ ...branch, choice: { kind: 'other', than: labelsOf(branch, kept) } })),
    ),
  );
  return applyFormulas(plan, [...kept, ...toLines(plan, others)]);
}

const isOf = (branch: Branch) => (line: { series: number | undefined; period: number }) =>
  line.series === branch.series && line.period === branch.period;

const labelsOf = (branch: Branch, lines: readonly Line[]): (readonly string[])[] =>
  lines.filter(isOf(branch)).map(({ labels }) => labels);

/** Whether the branch has values that are not shown, which nobody has counted yet. */
function lacksOther(branch: Branch, rows: readonly BranchRow[], kept: readonly Line[]): boolean {
  const own = rows.filter(isOf(branch));
  if (own.some(({ labels }) => labels.includes(BREAKDOWN_OTHER))) return false;
  return (own[0]?.labels_count ?? 0) > labelsOf(branch, kept).length;
}

/** The lines of those values for which the first formula comes out largest. */
function keepLargest(plan: TrendsPlan, results: readonly Line[], lines: readonly Line[]): Line[] {
  return plan.periods.flatMap((_, period) => {
    const [first] = plan.formulas;
    const ranked = results.filter((line) => line.period === period && line.name === first?.label).toSorted(byTotal);
    const shown = new Set(ranked.slice(0, plan.breakdown!.limit).map(({ labels }) => JSON.stringify(labels)));
    return lines.filter((line) => line.period === period && shown.has(JSON.stringify(line.labels)));
  });
}
