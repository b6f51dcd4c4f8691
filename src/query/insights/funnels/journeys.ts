// Each actor's journey: the marks of everything they did that matters to the funnel, in order, with the value that they
// are broken down by.
import type { QueryContext } from '../../kind.ts';
import type { EventsSql } from '../../sql/events-sql.ts';
import { type Breakdown, cohortsSql, type PropertyBreakdown, valuesSql } from '../breakdown-values.ts';
import { allSql, anyEntitySql } from '../entity.ts';
import { actorSql, hasBit, isAnyStep, markSql, marksOf } from './marks.ts';
import type { FunnelPlan } from './plan.ts';

/** SQL with the columns `actor`, `journey` (sorted marks) and, when broken down, `value` (Array(String)). */
export function journeysSql(plan: FunnelPlan, events: EventsSql, context: QueryContext): string {
  const { breakdown, attribution } = plan;
  if (!breakdown) return plainSql(plan, eventsSql(plan, events, context));
  if (breakdown.kind === 'cohorts') return cohortJourneysSql(plan, breakdown, events, context);
  const source = eventsSql(plan, events, context, valuesSql(events, breakdown));
  switch (attribution.kind) {
    case 'first_touch':
    case 'last_touch':
      return touchSql(plan, breakdown, source);
    case 'all_events':
      return plainSql(plan, source, ['actor', 'value']);
    case 'step':
      return stepValueSql(plan, attribution.step, source);
  }
}

/** The events that matter. In a strict funnel all do, for any of them can stand between two steps. */
function eventsSql(plan: FunnelPlan, events: EventsSql, context: QueryContext, value?: string): Source {
  const actor = actorSql(events, plan);
  const mark = markSql(events, plan, context);
  const conditions = [
    events.within(plan.range),
    plan.order === 'strict' ? 'true' : anyEntitySql(events, [...plan.steps, ...plan.exclusions]),
    events.filters(plan.filters),
    events.testAccounts(plan.filterTestAccounts),
    plan.actor.kind === 'person' ? 'true' : `${actor} != ''`,
  ];
  return {
    names: [`${actor} AS actor`, `${mark} AS mark`, ...(value ? [`${value} AS value`] : [])].join(', '),
    from: `${events.from(plan.samplingFactor)} WHERE ${allSql(conditions)}`,
  };
}

interface Source {
  /** `actor`, `mark` and perhaps `value`, for the statement's `WITH`. A subquery would cost the engine more to plan. */
  readonly names: string;
  /** What follows `FROM`. */
  readonly from: string;
}

/** Whoever never did what a journey can begin with is left out early. */
function entersSql(plan: FunnelPlan, collected = 'groupArray(mark)', mark = 'each'): string {
  const begins = plan.order === 'unordered' ? isAnyStep(mark, plan) : hasBit(mark, 0);
  return `arrayExists(each -> ${begins}, ${collected})`;
}

function plainSql(plan: FunnelPlan, { names, from }: Source, by = ['actor']): string {
  return `
    WITH ${names}
    SELECT ${by.join(', ')}, arraySort(groupArray(mark)) AS journey
      FROM ${from}
     GROUP BY ${by.join(', ')}
    HAVING ${entersSql(plan)}`;
}

/** The value of the first, or the last, of the steps that has one. Of several in one moment, the least or the greatest. */
function touchSql(plan: FunnelPlan, { parts }: PropertyBreakdown, { names, from }: Source): string {
  const pick = plan.attribution.kind === 'first_touch' ? 'minIf' : 'maxIf';
  const none = `[${parts.map(() => `''`).join(', ')}]`;
  return `
    SELECT actor, journey, if(empty(touched.2), ${none}, touched.2) AS value
      FROM (
          WITH ${names}
        SELECT actor,
               arraySort(groupArray(mark)) AS journey,
               ${pick}((mark, value), ${isAnyStep('mark', plan)} AND arrayExists(text -> text != '', value)) AS touched
          FROM ${from}
         GROUP BY actor
        HAVING ${entersSql(plan)})`;
}

/** A journey for each value that the step had, in which the step with another value does not count. */
function stepValueSql(plan: FunnelPlan, step: number, { names, from }: Source): string {
  const { type } = marksOf(plan);
  const bit = `bitShiftLeft(to${type}(1), ${step})`;
  return `
    SELECT actor,
           arrayJoin(arrayDistinct(arrayMap(pair -> pair.2, arrayFilter(pair -> ${hasBit('pair.1', step)}, pairs)))) AS value,
           arraySort(arrayMap(
             pair -> if(${hasBit('pair.1', step)} AND pair.2 != value, to${type}(pair.1 - ${bit}), pair.1), pairs)) AS journey
      FROM (
          WITH ${names}
        SELECT actor, groupArray((mark, value)) AS pairs
          FROM ${from}
         GROUP BY actor
        HAVING ${entersSql(plan, 'pairs', 'each.1')})`;
}

function cohortJourneysSql(
  plan: FunnelPlan,
  breakdown: Extract<Breakdown, { kind: 'cohorts' }>,
  events: EventsSql,
  context: QueryContext,
): string {
  const source = eventsSql(plan, events, context);
  return `
    SELECT actor, journey, [arrayJoin(${cohortsSql(events, 'actor', breakdown, context)})] AS value
      FROM (${plainSql(plan, source)})`;
}
