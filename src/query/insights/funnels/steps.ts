// `steps`: how many reached each step, and how long it took them from the one before.
import type { QueryContext } from '../../kind.ts';
import { IN_SMALL_BLOCKS } from '../../sql/blocks.ts';
import { journeysSql } from './journeys.ts';
import { type FunnelPlan, requiredBefore } from './plan.ts';
import { didSql, walkSql } from './walk.ts';

export interface StepsRow {
  readonly shown?: readonly string[];
  /** Whether the row is what remains beyond the values that stand for themselves. */
  readonly is_other?: number;
  readonly counts: readonly number[];
  /** How long it took from each step to the next, in microseconds: of all together, and the middle. 0 or null of nobody. */
  readonly sums: readonly number[];
  readonly medians: readonly (number | null)[];
}

/** One row, or one for each value, the greatest first. */
export function askSteps(plan: FunnelPlan, context: QueryContext): Promise<StepsRow[]> {
  const events = context.events();
  const kept = plan.breakdown ? ['actor', 'value'] : ['actor'];
  const walked = walkSql(plan, journeysSql(plan, events, context), kept);
  const text = plan.breakdown ? brokenDownSql(plan, walked) : totalsSql(plan, walked);
  return context.ask<StepsRow>({ text: `${text} ${IN_SMALL_BLOCKS}`, params: events.bound.params });
}

/** One column for each step. */
const perStep = ({ steps }: FunnelPlan, print: (step: number) => string): string[] =>
  steps.map((_, step) => print(step));
const perLaterStep = (plan: FunnelPlan, print: (step: number) => string): string[] => perStep(plan, print).slice(1);

/** From the last step before that nobody could leave out. */
const tookSql = (plan: FunnelPlan, step: number) => `t${step} - t${requiredBefore(plan, step)}`;

function totalsSql(plan: FunnelPlan, walked: string): string {
  const counted = (step: number) => `countIf(${didSql(plan, step)})`;
  const sum = (step: number) => `sumIf(${tookSql(plan, step)}, ${didSql(plan, step)})`;
  const middle = (step: number) => `quantileExactInclusiveIf(0.5)(${tookSql(plan, step)}, ${didSql(plan, step)})`;
  return `SELECT ${rowSql(plan, { counted, sum, middle })} FROM (${walked})`;
}

/** SQL for what is known of a step. Whole microseconds are added up, so that the sum does not depend on the order. */
interface Aggregates {
  counted(step: number): string;
  sum(step: number): string;
  middle(step: number): string;
}

const rowSql = (plan: FunnelPlan, { counted, sum, middle }: Aggregates): string => `
  [${perStep(plan, counted).join(', ')}] AS counts,
  [${perLaterStep(plan, sum).join(', ')}] AS sums,
  [${perLaterStep(plan, middle).join(', ')}] AS medians`;

/** Values are ranked by how many entered; the aggregates of those beyond the limit are merged. */
function brokenDownSql(plan: FunnelPlan, walked: string): string {
  const valuesMax = plan.breakdown?.kind === 'properties' ? plan.breakdown.valuesMax : Number.MAX_SAFE_INTEGER;
  const states = [
    ...perStep(plan, (step) => `countIf(${didSql(plan, step)}) AS n${step}`),
    ...perLaterStep(plan, (step) => `sumIf(${tookSql(plan, step)}, ${didSql(plan, step)}) AS took${step}`),
    ...perLaterStep(
      plan,
      (step) => `quantileExactInclusiveIfState(0.5)(${tookSql(plan, step)}, ${didSql(plan, step)}) AS medians${step}`,
    ),
  ];
  const ranked = `
    SELECT *, row_number() OVER (ORDER BY n0 DESC, value) AS place
      FROM (SELECT value, ${states.join(', ')} FROM (${walked}) GROUP BY value)`;
  const merged = {
    counted: (step: number) => `sum(n${step})`,
    sum: (step: number) => `sum(took${step})`,
    middle: (step: number) => `quantileExactInclusiveIfMerge(0.5)(medians${step})`,
  };
  return `
    SELECT place > ${valuesMax} AS is_other, if(is_other, [], value) AS shown, ${rowSql(plan, merged)}
      FROM (${ranked})
     GROUP BY is_other, shown
     ORDER BY min(place)`;
}
