// A FunnelsQuery with everything settled that does not need the events.
import { invalid } from '../../../http/errors.ts';
import type { Interval } from '../../dates/interval.ts';
import { type DateRange, readDateRange } from '../../dates/range.ts';
import type { QueryContext } from '../../kind.ts';
import { type Breakdown, planBreakdown } from '../breakdown-values.ts';
import { areDisjoint, type Entity, toEntity } from '../entity.ts';
import type { FunnelsQuery, WINDOW_UNITS } from './read.ts';

export interface Exclusion extends Entity {
  /** It counts from when this step was reached until the other one was. */
  readonly fromStep: number;
  readonly toStep: number;
}

export interface Step extends Entity {
  /** `first`: only the actor's first such event ever; `first_matching`: the first that also passes the filters. */
  readonly occurrence: 'any' | 'first' | 'first_matching';
  /** Whoever goes on without it is not lost. */
  readonly isOptional: boolean;
}

export type Attribution =
  | { readonly kind: 'first_touch' | 'last_touch' | 'all_events' }
  | { readonly kind: 'step'; readonly step: number };

export type ActorPlan =
  | { readonly kind: 'person' }
  | { readonly kind: 'group'; readonly index: number }
  | { readonly kind: 'hogql'; readonly expression: string };

export interface FunnelPlan {
  readonly steps: readonly Step[];
  readonly exclusions: readonly Exclusion[];
  readonly order: 'ordered' | 'strict' | 'unordered';
  readonly windowMicros: number;
  readonly range: DateRange;
  readonly interval: Interval;
  readonly actor: ActorPlan;
  readonly breakdown: Breakdown | undefined;
  readonly attribution: Attribution;
  /** The part of the funnel that conversion is reckoned over, in `trends` and `time_to_convert`. */
  readonly fromStep: number;
  readonly toStep: number;
  /** Whether no event can be two steps at once. */
  readonly isDisjoint: boolean;
  readonly filters: unknown;
  readonly filterTestAccounts: boolean;
  readonly samplingFactor: number | undefined;
}

export async function planFunnel(query: FunnelsQuery, context: QueryContext): Promise<FunnelPlan> {
  const filter = query.funnelsFilter ?? {};
  const isTrends = filter.funnelVizType === 'trends';
  const interval = query.interval ?? 'day';
  const around = { ...context.project, now: context.now, earliest: context.earliest };
  const order = filter.funnelOrderType ?? 'ordered';
  const steps = query.series.map((node, at) => ({
    ...toEntity(node),
    occurrence: readOccurrence(node.math),
    // Without the first step there is nothing to go on from.
    isOptional: at > 0 && node.optionalInFunnel === true,
  }));
  if (steps.some(({ isOptional }) => isOptional)) requireSimple(filter, order);
  return {
    steps,
    exclusions: readExclusions(filter.exclusions ?? [], steps, order),
    order,
    windowMicros: readWindow(filter.funnelWindowInterval ?? 14, filter.funnelWindowIntervalUnit ?? 'day'),
    range: await readDateRange(query.dateRange, around, isTrends ? interval : undefined),
    interval,
    actor: readActor(query),
    breakdown: await planBreakdown(query.breakdownFilter, context),
    attribution: readAttribution(filter, steps.length),
    ...readPart(filter, steps.length),
    isDisjoint: areDisjoint(steps),
    filters: query.properties,
    filterTestAccounts: query.filterTestAccounts === true,
    samplingFactor: query.samplingFactor ?? undefined,
  };
}

function requireSimple({ exclusions }: Filter, order: FunnelPlan['order']): void {
  if (order === 'ordered' && !exclusions?.length) return;
  throw invalid(
    'Steps can be optional in a funnel whose steps go in order, and that has no exclusions.',
    'series__optionalInFunnel',
  );
}

/** The last step before this one that cannot be left out. */
export function requiredBefore({ steps }: Pick<FunnelPlan, 'steps'>, step: number): number {
  return steps.slice(0, step).findLastIndex(({ isOptional }) => !isOptional);
}

function readOccurrence(math: string | null | undefined): Step['occurrence'] {
  switch (math ?? 'total') {
    case 'total':
      return 'any';
    case 'first_time_for_user':
      return 'first';
    case 'first_time_for_user_with_filters':
      return 'first_matching';
    default:
      throw invalid(
        `A step cannot have the math "${math}"; total, first_time_for_user and first_time_for_user_with_filters it can.`,
        'series__math',
      );
  }
}

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

/** A month is as long as the longest. */
const UNIT_MICROS: Readonly<Record<(typeof WINDOW_UNITS)[number], number>> = {
  second: SECOND,
  minute: 60 * SECOND,
  hour: 3_600 * SECOND,
  day: DAY,
  week: 7 * DAY,
  month: 31 * DAY,
};

/** A century is as good as no limit; four of them, which is what the store can hold, would not fit into a mark. */
const WINDOW_MAX = 100 * 366 * DAY;

const readWindow = (count: number, unit: (typeof WINDOW_UNITS)[number]): number =>
  Math.min(Math.round(count * UNIT_MICROS[unit]), WINDOW_MAX);

type Filter = NonNullable<FunnelsQuery['funnelsFilter']>;

function readExclusions(
  nodes: NonNullable<Filter['exclusions']>,
  steps: readonly Step[],
  order: FunnelPlan['order'],
): Exclusion[] {
  return nodes.map((node) => {
    const { funnelFromStep: fromStep, funnelToStep: toStep } = node;
    if (fromStep >= toStep || toStep >= steps.length) {
      throw invalid(
        `An exclusion goes from one step to a later one, ${steps.length - 1} at most; not from ${fromStep} to ${toStep}.`,
        'exclusions',
      );
    }
    if (order === 'unordered' && (fromStep !== 0 || toStep !== steps.length - 1)) {
      throw invalid('In a funnel without order an exclusion goes from the first step to the last.', 'exclusions');
    }
    return { ...toEntity(node), fromStep, toStep };
  });
}

function readAttribution(filter: Filter, stepCount: number): Attribution {
  const kind = filter.breakdownAttributionType ?? 'first_touch';
  if (kind !== 'step') return { kind };
  const step = filter.breakdownAttributionValue ?? 0;
  if (step < stepCount) return { kind, step };
  throw invalid(`There is no step ${step}; the last one is ${stepCount - 1}.`, 'breakdownAttributionValue');
}

function readPart(filter: Filter, stepCount: number): { fromStep: number; toStep: number } {
  const fromStep = filter.funnelFromStep ?? 0;
  const toStep = filter.funnelToStep ?? stepCount - 1;
  if (fromStep >= 0 && fromStep < toStep && toStep < stepCount) return { fromStep, toStep };
  throw invalid(
    `Conversion is reckoned from one step to a later one, ${stepCount - 1} at most; not from ${fromStep} to ${toStep}.`,
    'funnelToStep',
  );
}

function readActor({ funnelsFilter, aggregation_group_type_index: index }: FunnelsQuery): ActorPlan {
  const expression = funnelsFilter?.funnelAggregateByHogQL;
  if (expression && expression !== 'person_id') return { kind: 'hogql', expression };
  return index === null || index === undefined ? { kind: 'person' } : { kind: 'group', index };
}
