// The JSON of a FunnelsQuery.
import { z } from 'zod';
import { BreakdownFilter, ExclusionNode, IntervalField, insightFields, readNode, SeriesNode } from '../../nodes.ts';

export const WINDOW_UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const;

/** How many steps and exclusions a funnel may have; far more than anybody can read. */
export const STEPS_MAX = 30;
const EXCLUSIONS_MAX = 20;

const FunnelsFilter = z.strictObject({
  funnelVizType: z.enum(['steps', 'time_to_convert', 'trends']).nullish(),
  funnelOrderType: z.enum(['ordered', 'strict', 'unordered']).nullish(),
  funnelWindowInterval: z.number().positive().nullish(),
  funnelWindowIntervalUnit: z.enum(WINDOW_UNITS).nullish(),
  funnelFromStep: z.int().nullish(),
  funnelToStep: z.int().nullish(),
  exclusions: z.array(ExclusionNode).max(EXCLUSIONS_MAX).nullish(),
  breakdownAttributionType: z.enum(['first_touch', 'last_touch', 'all_events', 'step']).nullish(),
  breakdownAttributionValue: z.int().min(0).nullish(),
  funnelAggregateByHogQL: z.string().max(10_000).nullish(),
  binCount: z.union([z.number(), z.literal('auto')]).nullish(),
  // How it is drawn; the answer is the same.
  funnelStepReference: z.enum(['total', 'previous']).nullish(),
  layout: z.enum(['vertical', 'horizontal']).nullish(),
  hiddenLegendBreakdowns: z.array(z.string()).nullish(),
  resultCustomizations: z.unknown().optional(),
  goalLines: z.array(z.unknown()).nullish(),
  showValuesOnSeries: z.boolean().nullish(),
  useUdf: z.boolean().nullish(),
});

const FunnelsNode = z.strictObject({
  ...insightFields,
  kind: z.literal('FunnelsQuery'),
  interval: IntervalField,
  series: z.array(SeriesNode).min(2, 'a funnel needs two steps at least').max(STEPS_MAX),
  funnelsFilter: FunnelsFilter.nullish(),
  breakdownFilter: BreakdownFilter.nullish(),
});

export type FunnelsQuery = z.output<typeof FunnelsNode>;

export const readFunnelsQuery = (json: unknown): FunnelsQuery => readNode(FunnelsNode, json);
