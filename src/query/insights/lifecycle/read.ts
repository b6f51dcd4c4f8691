// The JSON of a LifecycleQuery.
import { z } from 'zod';
import { IntervalField, insightFields, SeriesNode } from '../../nodes.ts';

export const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const;
export type Status = (typeof STATUSES)[number];

/** All of it says how the answer is drawn. */
const LifecycleFilter = z.strictObject({
  toggledLifecycles: z.array(z.enum(STATUSES)).nullish(),
  showValuesOnSeries: z.unknown().optional(),
  showLegend: z.unknown().optional(),
  stacked: z.unknown().optional(),
});

export const LifecycleQuery = z.strictObject({
  kind: z.literal('LifecycleQuery'),
  ...insightFields,
  interval: IntervalField,
  series: z.array(SeriesNode).length(1),
  lifecycleFilter: LifecycleFilter.nullish(),
});
export type LifecycleQuery = z.output<typeof LifecycleQuery>;
