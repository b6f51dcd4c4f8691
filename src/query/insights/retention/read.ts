// The JSON of a RetentionQuery.
import { z } from 'zod';
import { BreakdownFilter, insightFields, Properties, readNode } from '../../nodes.ts';

/** More rows and columns than anybody can look at. */
export const INTERVALS_MAX = 366;
/** How many intervals later somebody may come back, in brackets of several. */
export const LOOKAHEAD_MAX = 1_000;

const RetentionEntity = z.strictObject({
  /** The name of an event, or the number of an action; null: all events. */
  id: z.union([z.string(), z.number()]).nullish(),
  type: z.enum(['events', 'actions']).nullish(),
  kind: z.enum(['EventsNode', 'ActionsNode']).nullish(),
  name: z.string().nullish(),
  custom_name: z.string().nullish(),
  order: z.number().nullish(),
  uuid: z.string().nullish(),
  properties: Properties,
});
export type RetentionEntity = z.output<typeof RetentionEntity>;

const RetentionFilter = z.strictObject({
  retentionType: z.enum(['retention_first_time', 'retention_recurring', 'retention_first_ever_occurrence']).nullish(),
  period: z.enum(['Hour', 'Day', 'Week', 'Month']).nullish(),
  totalIntervals: z.int().min(1).max(INTERVALS_MAX).nullish(),
  retentionCustomBrackets: z.array(z.int().min(1).max(LOOKAHEAD_MAX)).max(INTERVALS_MAX).nullish(),
  targetEntity: RetentionEntity.nullish(),
  returningEntity: RetentionEntity.nullish(),
  cumulative: z.boolean().nullish(),
  minimumOccurrences: z.int().min(1).nullish(),
  timeWindowMode: z.enum(['strict_calendar_dates', '24_hour_windows']).nullish(),
  aggregationType: z.enum(['count', 'sum', 'avg']).nullish(),
  aggregationProperty: z.string().max(400).nullish(),
  aggregationPropertyType: z.enum(['event', 'person']).nullish(),
  // How it is drawn; the answer is the same.
  retentionReference: z.enum(['total', 'previous']).nullish(),
  meanRetentionCalculation: z.enum(['simple', 'weighted', 'none']).nullish(),
  display: z.string().nullish(),
  dashboardDisplay: z.enum(['table_only', 'graph_only', 'all']).nullish(),
  showMean: z.boolean().nullish(),
  showTrendLines: z.boolean().nullish(),
  goalLines: z.array(z.unknown()).nullish(),
  selectedInterval: z.number().nullish(),
});

const RetentionNode = z.strictObject({
  ...insightFields,
  kind: z.literal('RetentionQuery'),
  retentionFilter: RetentionFilter,
  breakdownFilter: BreakdownFilter.nullish(),
});

export type RetentionQuery = z.output<typeof RetentionNode>;

export const readRetentionQuery = (json: unknown): RetentionQuery => readNode(RetentionNode, json);
