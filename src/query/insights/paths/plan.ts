// A PathsQuery with everything settled that does not need the events.
import { invalid } from '../../../http/errors.ts';
import { isDict } from '../../../http/fields.ts';
import { type DateRange, readDateRange } from '../../dates/range.ts';
import type { QueryContext } from '../../kind.ts';
import { type FunnelPlan, planFunnel } from '../funnels/plan.ts';
import { readFunnelsQuery } from '../funnels/read.ts';
import type { EVENT_TYPES, PathsQuery } from './read.ts';

export interface PathsPlan {
  readonly range: DateRange;
  /** Which events are places on a path; none named: all. */
  readonly types: ReadonlySet<(typeof EVENT_TYPES)[number]>;
  /** What places are called that have no name of their own: a HogQL expression. */
  readonly expression: string | undefined;
  /** Applied to the places' names, one after the other. */
  readonly replacements: readonly { readonly regex: string; readonly alias: string }[];
  /** Patterns with `*`; the first that fits becomes the place's name. */
  readonly groupings: readonly string[];
  readonly excluded: readonly string[];
  readonly startPoint: string | undefined;
  readonly endPoint: string | undefined;
  readonly stepsMax: number;
  readonly edgesMax: number;
  readonly weightMin: number | undefined;
  readonly weightMax: number | undefined;
  readonly funnel: FunnelPart | undefined;
  readonly groupTypeIndex: number | undefined;
  readonly filters: unknown;
  readonly filterTestAccounts: boolean;
  readonly samplingFactor: number | undefined;
}

/** Only what happened before a step of a funnel was reached, after it, or between it and the step before. */
export interface FunnelPart {
  readonly plan: FunnelPlan;
  readonly part: 'before' | 'between' | 'after';
  /** Counted from 0. */
  readonly step: number;
}

const STEPS = 5;
const EDGES = 50;

export async function planPaths(query: PathsQuery, context: QueryContext): Promise<PathsPlan> {
  const { project, now, earliest } = context;
  const filter = query.pathsFilter;
  return {
    range: await readDateRange(query.dateRange, { ...project, now, earliest }),
    types: new Set(filter.includeEventTypes),
    expression: filter.pathsHogQLExpression || undefined,
    replacements: [
      ...(filter.pathReplacements ? project.pathCleaningFilters : []),
      ...(filter.localPathCleaningFilters ?? []),
    ].flatMap(toReplacement),
    groupings: filter.pathGroupings ?? [],
    excluded: filter.excludeEvents ?? [],
    startPoint: toPoint(filter.startPoint),
    endPoint: toPoint(filter.endPoint),
    stepsMax: filter.stepLimit ?? STEPS,
    edgesMax: filter.edgeLimit ?? EDGES,
    weightMin: filter.minEdgeWeight ?? undefined,
    weightMax: filter.maxEdgeWeight ?? undefined,
    funnel: await planFunnelPart(query.funnelPathsFilter, context),
    groupTypeIndex: query.aggregation_group_type_index ?? undefined,
    filters: query.properties,
    filterTestAccounts: query.filterTestAccounts === true,
    samplingFactor: query.samplingFactor ?? undefined,
  };
}

function toReplacement(given: unknown): PathsPlan['replacements'] {
  if (!isDict(given) || typeof given.regex !== 'string' || given.regex === '') return [];
  return [{ regex: given.regex, alias: typeof given.alias === 'string' ? given.alias : '' }];
}

/** Named as the places are, without the slash at the end. */
const toPoint = (text: string | null | undefined): string | undefined => text?.replace(/(.)\/$/s, '$1') || undefined;

async function planFunnelPart(
  filter: PathsQuery['funnelPathsFilter'],
  context: QueryContext,
): Promise<FunnelPart | undefined> {
  if (!filter?.funnelPathType) return undefined;
  const plan = await planFunnel(readFunnelsQuery(filter.funnelSource), context);
  const part = ({ before: 'before', between: 'between', after: 'after' } as const)[
    filter.funnelPathType.split('_')[2] as 'before' | 'between' | 'after'
  ];
  const step = (filter.funnelStep ?? 1) - 1;
  if (step < (part === 'between' ? 1 : 0) || step >= plan.steps.length) {
    throw invalid(
      `The funnel has no such step: ${filter.funnelStep}; they go from 1 to ${plan.steps.length}.`,
      'funnelStep',
    );
  }
  return { plan: { ...plan, breakdown: undefined }, part, step };
}
