// How far each actor came. The same rules, one actor at a time, are in test/reference/query/funnels.ts.
//
// A journey is walked by whole arrays instead of event by event: for each step there is an array that holds, for each
// event by which that step was reached, when the attempt began. Functions of arrays run over all actors at once, and an
// actor with a hundred thousand events costs no more than as many actors with one. Each array is a pass over all events,
// so beginnings are written like the marks, and a mark can be compared with one as it is.
import { allSql } from '../entity.ts';
import { beginningOf, endOfWindow, hasBit, marksOf, timeOf } from './marks.ts';
import { type Exclusion, type FunnelPlan, requiredBefore } from './plan.ts';
import { walkUnorderedSql } from './walk-unordered.ts';

/**
 * SQL over journeys: the columns `kept`, `reached` (the number of steps, with those left out on the way) and `t0`, `t1` …
 * (when each was reached, by the marks' clock; 0 when it was not). Whoever met an exclusion is left out, and whoever
 * reached nothing. With `beginsBefore`, a column, only what began before that time counts; a journey in order has no other
 * first steps.
 */
export function walkSql(plan: FunnelPlan, journeys: string, kept: readonly string[], beginsBefore?: string): string {
  if (plan.order === 'unordered') return walkUnorderedSql(plan, journeys, kept, beginsBefore);
  return walkOrderedSql(plan, journeys, kept);
}

/** SQL over what was walked: whether the actor did the step. */
export const didSql = ({ steps }: FunnelPlan, step: number): string =>
  steps[step]?.isOptional ? `t${step} > 0` : `reached > ${step}`;

/** SQL over what was walked: whether the actor went from one end of the chosen part to the other. */
export function convertedSql(plan: FunnelPlan): string {
  const { steps, fromStep, toStep } = plan;
  // Whoever came to the end was at the beginning, unless that could be left out.
  return steps[fromStep]?.isOptional ? `${didSql(plan, fromStep)} AND ${didSql(plan, toStep)}` : didSql(plan, toStep);
}

/**
 * Every step-0 event begins an attempt. A later step carries on the latest attempt that has reached the step before it,
 * while the window lasts; in a strict funnel only the attempt of the very event before. So nobody's best attempt is
 * missed: an older one that could go on has a younger one beside it that can as well.
 */
function walkOrderedSql(plan: FunnelPlan, journeys: string, kept: readonly string[]): string {
  // Every journey has a first step, unless it is only that of one value; to look again would copy all the arrays.
  const steps = plan.steps.map((_, step) => step);
  const attempts = `
    SELECT ${[...kept, 'journey'].join(', ')},
           arrayMap(mark -> ${hasBit('mark', 0)} * ${beginningOf('mark', marksOf(plan))}, journey) AS s0,
           ${steps
             .slice(1)
             .map((step) => reachedSql(plan, step))
             .join(',\n           ')}
      FROM (${journeys})`;
  const first = (step: number) => `arrayFirst(since -> since > 0, s${step})`;
  const settled = `
    SELECT ${[...kept, 'journey', ...steps.map((step) => `s${step}`)].join(', ')},
           [${steps.map(first).join(', ')}] AS firsts,
           arrayLastIndex(since -> since > 0, firsts) AS reached,
           firsts[reached] AS since
      FROM (${attempts})
     WHERE ${allSql([plan.breakdown ? 'reached > 0' : 'true', ...exclusionsSql(plan)])}`;
  return `SELECT ${[...kept, 'reached', ...timesSql(plan)].join(', ')} FROM (${settled})`;
}

/**
 * The array of one step. Where the steps before it are optional, the attempt that did the nearest of them goes on, or
 * else one that left it out.
 */
function reachedSql(plan: FunnelPlan, step: number): string {
  const required = requiredBefore(plan, step);
  const before = Array.from({ length: step - required }, (_, at) => step - 1 - at);
  const names = before.map((each) => `since${each}`);
  const inTime = (name: string) => `mark < ${endOfWindow(name, plan)}`;
  const going = names
    .slice(0, -1)
    .reduceRight(
      (others, name) => `if(${name} > 0 AND ${inTime(name)}, ${name}, ${others})`,
      `(${inTime(`since${required}`)}) * since${required}`,
    );
  const attempts = before.map((each) => attemptsBefore(plan, each));
  const carried = `arrayMap((mark, ${names.join(', ')}) -> ${hasBit('mark', step)} * ${going}, journey, ${attempts.join(', ')})`;
  return `${carried} AS s${step}`;
}

/** For each event, the attempt that had reached the step before it came. */
function attemptsBefore(plan: FunnelPlan, step: number): string {
  const moved = (attempts: string) => `arrayPushFront(arrayPopBack(${attempts}), to${marksOf(plan).type}(0))`;
  if (plan.order === 'strict') return moved(`s${step}`);
  // An event that is one step only cannot follow upon itself, so it may as well be counted among those before it.
  return plan.isDisjoint ? latest(step) : moved(latest(step));
}

/** For each event, the latest attempt that has reached the step by then. Attempts only ever get later. */
const latest = (step: number): string => `arrayFill(since -> since > 0, s${step})`;

function timesSql(plan: FunnelPlan): string[] {
  const { steps, order } = plan;
  const time = (mark: string) => timeOf(mark, marksOf(plan));
  if (order !== 'strict') {
    return steps.map((_, step) => `${time(step === 0 ? 'since' : `journey[${placeSql(plan, step)}]`)} AS t${step}`);
  }
  // The steps of a strict funnel stand side by side, so the last one tells where the others are.
  const last = `[${steps.map((_, step) => `arrayFirstIndex(since -> since > 0, s${step})`).join(', ')}][reached]`;
  return steps.map(
    (_, step) => `if(reached > ${step}, ${time(`journey[${last} + ${step + 1} - reached]`)}, 0) AS t${step}`,
  );
}

/** The place of the first event that took this attempt to the step; where the attempt did not come, 0, at which all is 0. */
function placeSql({ steps }: FunnelPlan, step: number): string {
  const place = (of: number) => `indexOf(s${of}, since)`;
  if (!steps[step]?.isOptional || step === steps.length - 1) return place(step);
  // What was left out cannot be made up for once a later step was reached.
  const later = steps.slice(step + 1).map((_, at) => place(step + 1 + at));
  return `if(arrayExists(other -> other BETWEEN 1 AND ${place(step)}, [${later.join(', ')}]), 0, ${place(step)})`;
}

/** Bool for each exclusion: it was not met between its steps before the funnel was completed. */
function exclusionsSql(plan: FunnelPlan): string[] {
  const completed = `arrayFirstIndex(since -> since > 0, s${plan.steps.length - 1})`;
  return plan.exclusions.map((exclusion, index) => {
    const met = metSql(plan, exclusion, plan.steps.length + index);
    return `(${met} = 0 OR (${completed} > 0 AND ${completed} <= ${met}))`;
  });
}

/** The position of the first event that excludes; 0 when there is none. */
function metSql(plan: FunnelPlan, { fromStep, toStep }: Exclusion, bit: number): string {
  const inTime = (since: string) => `${since} > 0 AND mark < ${endOfWindow(since, plan)}`;
  if (plan.order !== 'strict') {
    const excludes = `${hasBit('mark', bit)} AND ${inTime('since')} AND until != since`;
    return `arrayFirstIndex((mark, since, until) -> ${excludes}, journey, ${latest(fromStep)}, ${latest(toStep)})`;
  }
  const between = Array.from({ length: toStep - fromStep }, (_, index) => fromStep + index);
  const names = between.map((step) => `since${step}`);
  const excludes = `${hasBit('mark', bit)} AND (${names.map((name) => `(${inTime(name)})`).join(' OR ')})`;
  const attempts = between.map((step) => attemptsBefore(plan, step));
  return `arrayFirstIndex((mark, ${names.join(', ')}) -> ${excludes}, journey, ${attempts.join(', ')})`;
}
