// The JSON of a StickinessQuery.
import { z } from 'zod';
import { CompareFilter, IntervalField, insightFields, SeriesNode } from '../../nodes.ts';
import { SERIES_MAX } from '../series.ts';

const { aggregation_group_type_index: _, ...fields } = insightFields;

const StickinessFilter = z.strictObject({
  computedAs: z.enum(['non_cumulative', 'cumulative']).nullish(),
  /** How often somebody has to do it in an interval to count as active there. */
  stickinessCriteria: z.strictObject({ operator: z.enum(['gte', 'lte', 'exact']), value: z.int().min(1) }).nullish(),
  // From here on: how the answer is drawn.
  display: z.unknown().optional(),
  showLegend: z.unknown().optional(),
  showValuesOnSeries: z.unknown().optional(),
  showMultipleYAxes: z.unknown().optional(),
  hiddenLegendIndexes: z.unknown().optional(),
  resultCustomizationBy: z.unknown().optional(),
  resultCustomizations: z.unknown().optional(),
});

export const StickinessQuery = z.strictObject({
  kind: z.literal('StickinessQuery'),
  ...fields,
  interval: IntervalField,
  /** How many intervals count as one. */
  intervalCount: z.int().min(1).max(1_000).nullish(),
  series: z.array(SeriesNode).min(1).max(SERIES_MAX),
  stickinessFilter: StickinessFilter.nullish(),
  compareFilter: CompareFilter.nullish(),
});
export type StickinessQuery = z.output<typeof StickinessQuery>;
