// The JSON of a PathsQuery.
import { z } from 'zod';
import { insightFields, readNode } from '../../nodes.ts';

export const EVENT_TYPES = ['$pageview', '$screen', 'custom_event', 'hogql'] as const;
const FUNNEL_PATHS = ['funnel_path_before_step', 'funnel_path_between_steps', 'funnel_path_after_step'] as const;

const CleaningFilter = z.object({ alias: z.string().nullish(), regex: z.string().nullish() });

const PathsFilter = z.strictObject({
  includeEventTypes: z.array(z.enum(EVENT_TYPES)).nullish(),
  pathsHogQLExpression: z.string().max(10_000).nullish(),
  startPoint: z.string().nullish(),
  endPoint: z.string().nullish(),
  stepLimit: z.int().min(2).max(50).nullish(),
  edgeLimit: z.int().min(1).max(10_000).nullish(),
  minEdgeWeight: z.number().nullish(),
  maxEdgeWeight: z.number().nullish(),
  pathGroupings: z.array(z.string()).max(100).nullish(),
  excludeEvents: z.array(z.string()).max(1_000).nullish(),
  pathReplacements: z.boolean().nullish(),
  localPathCleaningFilters: z.array(CleaningFilter).max(100).nullish(),
  // How it is drawn; the answer is the same.
  showFullUrls: z.boolean().nullish(),
  // Which point of the chart somebody looked at; actors are asked for with it.
  pathStartKey: z.string().nullish(),
  pathEndKey: z.string().nullish(),
  pathDropoffKey: z.string().nullish(),
});

const FunnelPathsFilter = z.strictObject({
  funnelPathType: z.enum(FUNNEL_PATHS).nullish(),
  /** A FunnelsQuery, judged by its own kind. */
  funnelSource: z.unknown(),
  /** Counted from 1. */
  funnelStep: z.int().nullish(),
});

const PathsNode = z.strictObject({
  ...insightFields,
  kind: z.literal('PathsQuery'),
  pathsFilter: PathsFilter,
  funnelPathsFilter: FunnelPathsFilter.nullish(),
});

export type PathsQuery = z.output<typeof PathsNode>;

export const readPathsQuery = (json: unknown): PathsQuery => readNode(PathsNode, json);
