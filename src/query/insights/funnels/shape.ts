// Answers of funnels in the wire's shapes.
import type { QueryContext } from '../../kind.ts';
import type { SeriesNode } from '../../nodes.ts';
import { seriesLabel } from '../series.ts';
import type { FunnelPlan } from './plan.ts';
import type { FunnelsQuery } from './read.ts';
import type { StepsRow } from './steps.ts';

const OTHER = 'Other';

/** A list of steps; broken down, a list of such lists. */
export function toSteps(rows: readonly StepsRow[], plan: FunnelPlan, query: FunnelsQuery, context: QueryContext) {
  const { breakdown } = plan;
  if (!breakdown) return rows.map((row) => toStepList(row, plan, query, context))[0] ?? [];
  return rows
    .filter(({ is_other }) => !(is_other && breakdown.kind === 'properties' && breakdown.hidesOther))
    .map((row) => {
      const named = toBreakdown(plan, row);
      return toStepList(row, plan, query, context).map((step) => ({ ...step, ...named }));
    });
}

/** What a value is called, and what it is. */
export function toBreakdown(
  { breakdown }: FunnelPlan,
  { shown: value = [], is_other }: Pick<StepsRow, 'shown' | 'is_other'>,
) {
  if (breakdown?.kind === 'cohorts') {
    const cohort = breakdown.cohorts.find((each) => String(each.value) === value[0]);
    return { breakdown: cohort?.name ?? value[0], breakdown_value: cohort?.value ?? value[0] };
  }
  const values = is_other ? [OTHER] : value;
  return { breakdown: values, breakdown_value: values };
}

function toStepList(row: StepsRow, plan: FunnelPlan, { series }: FunnelsQuery, context: QueryContext) {
  return series.map((node, order) => ({
    ...(plan.order === 'unordered' ? completed(order) : called(node, context)),
    custom_name: plan.order === 'unordered' ? null : (node.custom_name ?? null),
    order,
    people: [],
    count: toWhole(row.counts[order] ?? 0, plan.samplingFactor),
    type: node.kind === 'ActionsNode' ? 'actions' : 'events',
    ...toConversionTimes(row, order),
  }));
}

/** Seconds from the step before; null where nobody came, and for the first step. */
function toConversionTimes({ counts, sums, medians }: StepsRow, order: number) {
  const count = order === 0 ? 0 : (counts[order] ?? 0);
  const seconds = (micros: number | null | undefined) => (count === 0 ? null : (micros ?? 0) / 1e6);
  return {
    average_conversion_time: seconds((sums[order - 1] ?? 0) / count),
    median_conversion_time: seconds(medians[order - 1]),
  };
}

const completed = (order: number) => ({
  action_id: null,
  name: `Completed ${order + 1} ${order === 0 ? 'step' : 'steps'}`,
});

const called = (node: SeriesNode, context: QueryContext) => ({
  action_id: node.kind === 'ActionsNode' ? node.id : node.kind === 'EventsNode' ? (node.event ?? null) : null,
  name: seriesLabel(node, context),
});

/** What was counted in a sample, as it would be in all. */
export const toWhole = (count: number, samplingFactor: number | undefined): number =>
  samplingFactor ? Math.round(count / samplingFactor) : count;
