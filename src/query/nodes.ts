// What the nodes of all kinds of queries have in common, and how a node is judged.
import { z } from 'zod';
import { parseError } from '../http/errors.ts';
import { INTERVALS } from './dates/interval.ts';

/** The node, or the wire's 400 with the first thing that is wrong with it. */
export function readNode<Shape extends z.ZodType>(shape: Shape, json: unknown): z.output<Shape> {
  const result = shape.safeParse(json);
  if (result.success) return result.data;
  throw parseError(`JSON parse error - ${describe(result.error.issues[0])}`);
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'not a query';
  const path = ['query', ...issue.path].map(String).join('.');
  return `${path}: ${issue.message}`;
}

const flag = z.boolean().nullish();
const name = z.string().max(400).nullish();

/** A list of filters or groups of them; what is in it is judged where it becomes SQL. */
export const Properties = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).nullish();

export const DateRangeNode = z.strictObject({
  date_from: z.string().max(100).nullish(),
  date_to: z.string().max(100).nullish(),
  explicitDate: flag,
});

export const IntervalField = z.enum(INTERVALS).nullish();

const GroupTypeIndex = z.int().min(0).max(4).nullish();

/** On every node. */
export const nodeFields = {
  version: z.number().nullish(),
  modifiers: z.unknown().optional(),
  /** Only there for typing; never looked at. */
  response: z.unknown().optional(),
  tags: z.unknown().optional(),
};

/** On all six insight queries (stickiness leaves out the group index). */
export const insightFields = {
  ...nodeFields,
  dateRange: DateRangeNode.nullish(),
  filterTestAccounts: flag,
  properties: Properties,
  aggregation_group_type_index: GroupTypeIndex,
  samplingFactor: z.number().gt(0).max(1).nullish(),
  dataColorTheme: z.number().nullish(),
};

/** What series have in common, beside what they count. */
const seriesFields = {
  ...nodeFields,
  name,
  custom_name: name,
  math: z.string().max(100).nullish(),
  math_multiplier: z.number().nullish(),
  math_property: z.string().max(1_000).nullish(),
  math_property_type: z.string().max(100).nullish(),
  math_property_revenue_currency: z.unknown().optional(),
  math_hogql: z.string().max(100_000).nullish(),
  math_group_type_index: GroupTypeIndex,
  properties: Properties,
  fixedProperties: Properties,
  optionalInFunnel: flag,
};

/** In one group; more than anybody can read. */
const NODES_MAX = 30;

const eventsFields = {
  ...seriesFields,
  kind: z.literal('EventsNode'),
  /** Null: all events. */
  event: z.string().nullish(),
  limit: z.number().nullish(),
  orderBy: z.array(z.string()).nullish(),
};

const actionsFields = { ...seriesFields, kind: z.literal('ActionsNode'), id: z.int() };

export const EventsNode = z.strictObject(eventsFields);
export const ActionsNode = z.strictObject(actionsFields);
/** Several as one: any of them, or all at once. */
export const GroupNode = z.strictObject({
  ...seriesFields,
  kind: z.literal('GroupNode'),
  operator: z.enum(['AND', 'OR']),
  nodes: z
    .array(z.discriminatedUnion('kind', [EventsNode, ActionsNode]))
    .min(1)
    .max(NODES_MAX),
});
export const SeriesNode = z.discriminatedUnion('kind', [EventsNode, ActionsNode, GroupNode]);
export type SeriesNode = z.output<typeof SeriesNode>;

/** A funnel's exclusion: a series between two steps, counted from 0. */
export const ExclusionNode = z.discriminatedUnion('kind', [
  z.strictObject({ ...eventsFields, funnelFromStep: z.int().min(0), funnelToStep: z.int().min(0) }),
  z.strictObject({ ...actionsFields, funnelFromStep: z.int().min(0), funnelToStep: z.int().min(0) }),
]);

export const BreakdownType = z.enum(['event', 'person', 'cohort', 'group', 'session', 'hogql', 'event_metadata']);

const Breakdown = z.strictObject({
  property: z.union([z.string(), z.number()]),
  type: BreakdownType.nullish(),
  group_type_index: GroupTypeIndex,
  normalize_url: flag,
  histogram_bin_count: z.int().min(1).max(1_000).nullish(),
});

export const BreakdownFilter = z.strictObject({
  breakdown: z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]).nullish(),
  breakdown_type: BreakdownType.nullish(),
  breakdown_group_type_index: GroupTypeIndex,
  breakdown_normalize_url: flag,
  breakdown_histogram_bin_count: z.int().min(1).max(1_000).nullish(),
  breakdown_limit: z.int().min(1).max(1_000).nullish(),
  breakdown_hide_other_aggregation: flag,
  breakdown_path_cleaning: flag,
  breakdowns: z.array(Breakdown).max(3).nullish(),
});
export type BreakdownFilter = z.output<typeof BreakdownFilter>;

export const CompareFilter = z.strictObject({ compare: flag, compare_to: z.string().max(100).nullish() });

/** Labels of the two values that are none. */
export const BREAKDOWN_OTHER = '$$_posthog_breakdown_other_$$';
export const BREAKDOWN_NULL = '$$_posthog_breakdown_null_$$';
