// A plan → the statement that computes it. Every series of every period is a branch of one statement.
import type { Statement } from '../../../filters/ask.ts';
import { BoundValues } from '../../../filters/bound-values.ts';
import type { QueryContext } from '../../kind.ts';
import { type Branch, BranchSql, type Labels, toNumber } from './branch.ts';
import type { Statistic } from './math.ts';
import type { TrendsPlan } from './plan.ts';

/** What a branch answers, for each value that it is broken down by. */
export interface BranchRow extends Branch {
  /** One for each thing that the trend is broken down by, '' for none; without a breakdown, one empty text. */
  readonly labels: readonly string[];
  /** The `bucketKeys` of points, those without a value left out, and the values there. */
  readonly buckets: readonly number[];
  readonly data: readonly (number | null)[];
  /** How many values the branch has in all, whether they are answered or not; 0 when every one is counted somewhere. */
  readonly labels_count: number;
}

/** Which values are answered. */
export type Choice =
  /** The largest ones; and, if `withOther` and if that can be computed at once, all others together. */
  | { readonly kind: 'largest'; readonly limit: number; readonly withOther: boolean }
  /** All but these, counted together. */
  | { readonly kind: 'other'; readonly than: Labels };

export function trendsSql(
  context: QueryContext,
  plan: TrendsPlan,
  branches: readonly (Branch & { choice: Choice })[],
): Statement {
  const bound = new BoundValues();
  const texts = branches.map(({ series, period, choice }) => {
    const branch = new BranchSql(context, plan, { series, period }, bound);
    return `SELECT toUInt16(${series}) AS series, toUInt8(${period}) AS period, ${chosenSql(branch, choice, plan)}`;
  });
  return { text: texts.join('\nUNION ALL\n'), params: bound.params };
}

const POINTS = 'groupArray(bucket) AS buckets, groupArray(value) AS data';

/** `labels, buckets, data, labels_count FROM …` */
function chosenSql(branch: BranchSql, choice: Choice, { breakdown }: TrendsPlan): string {
  // Without a breakdown there is nothing to choose from: one row, if there is any event.
  if (!breakdown) {
    return `[''] AS labels, ${POINTS}, toUInt64(1) AS labels_count FROM (${branch.rowsSql()}) HAVING notEmpty(buckets)`;
  }
  const labels = `${breakdown.dimensions.length > 1 ? 'label' : '[label]'} AS labels`;
  const { recipe } = branch.computation;
  if (choice.kind === 'largest' && choice.withOther && recipe.kind === 'statistic') {
    const { statistic, column } = recipe;
    const rows = withOtherSql(branch, statistic, branch.partsSql(statistic, column), choice.limit);
    // None is left out, so nobody asks how many there are.
    return `${labels}, ${POINTS}, toUInt64(0) AS labels_count FROM (${rows}) GROUP BY label`;
  }
  const ranked = choice.kind === 'other' ? rankedSql(branch.rowsSql(choice.than)) : largestSql(branch, choice.limit);
  return `${labels}, buckets, data, toUInt64(count) AS labels_count FROM (${ranked})`;
}

const largestSql = (branch: BranchSql, limit: number): string =>
  `${rankedSql(branch.rowsSql())} LIMIT ${branch.events.bound.bind('UInt64', limit)}`;

/** `label, buckets, data, count`, the largest first, from rows `label, bucket, value`. */
const rankedSql = (rows: string): string => `
  SELECT label, ${POINTS}, count() OVER () AS count
    FROM (${rows})
   GROUP BY label
   ORDER BY sum(value) DESC, label`;

/** Rows `label, bucket, value` of the largest values and of the others together: parts can be put together by any label. */
function withOtherSql(branch: BranchSql, statistic: Statistic, parts: string, limit: number): string {
  return `
    SELECT if(place <= ${branch.events.bound.bind('UInt64', limit)}, part_label, ${branch.otherSql()}) AS label,
           bucket, ${toNumber(statistic.merge('part'))} AS value
      FROM (
        SELECT part_label, bucket, part, dense_rank() OVER (ORDER BY total DESC, part_label) AS place
          FROM (
            SELECT part_label, bucket, part,
                   sum(${toNumber(statistic.valueOf('part'))}) OVER (PARTITION BY part_label) AS total
              FROM (${parts})))
     GROUP BY label, bucket`;
}
