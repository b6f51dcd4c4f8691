// How far each actor came when the order of steps does not matter. An event fills one step: of those that it is, the one
// that was filled longest ago. A journey has come as far as there were steps filled within one window, ending with the
// event at which there were so many for the first time.
import { hasBit, isAnyStep, marksOf, timeOf } from './marks.ts';
import type { FunnelPlan } from './plan.ts';

/** SQL over journeys: the columns `kept`, `reached` and `t0`, `t1` …, without those who met an exclusion. */
export function walkUnorderedSql(
  plan: FunnelPlan,
  journeys: string,
  kept: readonly string[],
  beginsBefore?: string,
): string {
  const filled = plan.isDisjoint
    ? fillByArrays(plan, journeys, kept, beginsBefore)
    : untangleSql(plan, journeys, kept, beginsBefore);
  const times = plan.steps.map((_, step) => `fills[${step + 1}] AS t${step}`);
  return `SELECT ${[...kept, 'length(fills) AS reached', ...times].join(', ')} FROM (${filled}) WHERE notEmpty(fills)`;
}

/**
 * Steps that might share an event mostly do not, such as two pages of one site; or they are the same step several times,
 * and take turns. Only the journeys in which anything else happens are walked event by event, a thousand times as slowly.
 */
function untangleSql(plan: FunnelPlan, journeys: string, kept: readonly string[], beginsBefore?: string): string {
  const groups = groupSteps(plan);
  const simple = [0, ...groups.map((steps) => toBits(steps))];
  const isSimple = `has([${simple.join(', ')}], bitAnd(toUInt64(mark), ${2 ** plan.steps.length - 1}))`;
  const taken = groups
    .filter(({ length }) => length > 1)
    .reduce((journey, steps) => turnsSql(plan, journey, steps), 'sorted');
  const source = `
    SELECT ${kept.join(', ')}, ${taken} AS journey,
           if(arrayAll(mark -> ${isSimple}, sorted), [], sorted) AS tangled
      FROM (SELECT ${kept.join(', ')}, journey AS sorted FROM (${journeys}))`;
  const straight = fillByArrays(plan, source, [...kept, 'tangled'], beginsBefore);
  return `
    SELECT ${kept.join(', ')}, multiIf(empty(tangled), straight, walked.3, [], walked.2) AS fills
      FROM (
        SELECT ${kept.join(', ')}, tangled, fills AS straight, ${foldSql(plan, 'tangled', beginsBefore)} AS walked
          FROM (${straight}))`;
}

/** Steps that look for the same thing, together. */
function groupSteps({ steps }: FunnelPlan): number[][] {
  const numbers = steps.map((_, step) => step);
  return [...Map.groupBy(numbers, (step) => JSON.stringify(steps[step])).values()];
}

const toBits = (steps: readonly number[]): number => steps.reduce((bits, step) => bits + 2 ** step, 0);

/** SQL of a journey in which an event that is all of these steps is one of them: the first, then the next, and so on. */
function turnsSql(plan: FunnelPlan, journey: string, steps: readonly number[]): string {
  const { type } = marksOf(plan);
  const is = hasBit('mark', steps[0] ?? 0);
  const own = `[${steps.map((step) => 2 ** step).join(', ')}][(turn - 1) % ${steps.length} + 1]`;
  const taken = `if(${is}, to${type}(mark - ${toBits(steps)} + ${own}), mark)`;
  return `arrayMap((mark, turn) -> ${taken}, ${journey}, arrayCumSum(mark -> ${is}, ${journey}))`;
}

const exclusionBits = ({ steps, exclusions }: FunnelPlan): bigint =>
  ((1n << BigInt(exclusions.length)) - 1n) << BigInt(steps.length);

const inWindow = (fill: string, time: string, { windowMicros }: FunnelPlan): string =>
  `(${fill} > 0 AND ${time} <= ${fill} + ${windowMicros})`;

/** Where no event can be two steps, each step's latest event is all there is to know. */
function fillByArrays(plan: FunnelPlan, journeys: string, kept: readonly string[], beginsBefore?: string): string {
  const steps = plan.steps.map((_, step) => step);
  const names = steps.map((step) => `f${step}`);
  const latest = steps.map((step) => {
    const own = `arrayMap((mark, time) -> ${hasBit('mark', step)} * time, journey, times)`;
    return `arrayFill(fill -> fill > 0, ${own}) AS f${step}`;
  });
  const filled = `
    SELECT ${[...kept, 'journey'].join(', ')}, arrayMap(mark -> ${timeOf('mark', marksOf(plan))}, journey) AS times,
           ${latest.join(', ')}
      FROM (${journeys})`;
  const sum = names.map((name) => inWindow(name, 'time', plan)).join(' + ');
  const earliest = names.map((name) => `if(${inWindow(name, 'time', plan)}, ${name}, time)`).join(', ');
  const count = beginsBefore ? `(${sum}) * (least(${earliest}) < ${beginsBefore})` : sum;
  const counted = `
    SELECT *, arrayMap((time, ${names.join(', ')}) -> ${count}, times, ${names.join(', ')}) AS counts,
           indexOf(counts, arrayMax(counts)) AS at
      FROM (${filled})`;
  const fills = names.map((name) => `if(${inWindow(`${name}[at]`, 'times[at]', plan)}, ${name}[at], 0)`);
  const found = `arraySort(arrayFilter(fill -> fill > 0, [${fills.join(', ')}]))`;
  const counts = `counts[at] > 0${plan.exclusions.length === 0 ? '' : ` AND ${unexcludedSql(plan)}`}`;
  return `SELECT ${kept.join(', ')}, if(${counts}, ${found}, []) AS fills FROM (${counted})`;
}

/** Bool: no exclusion was met, once something was filled, before the funnel was completed. */
function unexcludedSql(plan: FunnelPlan): string {
  const excludes = `bitAnd(toUInt64(mark), ${exclusionBits(plan)}) != 0 AND count > 0`;
  const met = `arrayFirstIndex((mark, count) -> ${excludes}, journey, counts)`;
  const completed = `indexOf(counts, ${plan.steps.length})`;
  return `(${met} = 0 OR (${completed} > 0 AND ${completed} <= ${met}))`;
}

/**
 * One event after the other: a tuple of the filled steps, the best that was found, and whether an exclusion was met before.
 * What is needed more than once has a name, which in SQL is the argument of a function over one value.
 */
function foldSql(plan: FunnelPlan, journey: string, beginsBefore?: string): string {
  const { length } = plan.steps;
  const named = (name: string, value: string, used: string) => `arrayMap(${name} -> ${used}, [${value}])[1]`;
  const time = timeOf('mark', marksOf(plan));
  // The step filled longest ago, the first of several: times and step numbers as one number, so that the least is it.
  const waiting = `arrayMin(arrayMap((step, fill) -> if(${hasBit('mark', 'step')}, fill * 32 + step, ${2n ** 63n}), range(${length}), state.1)) % 32`;
  const filled = `arrayMap((step, fill) -> if(${isAnyStep('mark', plan)} AND step = ${waiting}, ${time}, fill), range(${length}), state.1)`;
  const inTime = `arraySort(arrayFilter(fill -> ${inWindow('fill', time, plan)}, filled))`;
  const begun = beginsBefore ? named('recent', inTime, `if(recent[1] < ${beginsBefore}, recent, [])`) : inTime;
  const isMet = `bitAnd(toUInt64(mark), ${exclusionBits(plan)}) != 0 AND notEmpty(within)`;
  const state = `(
    filled,
    if(length(within) > length(state.2), within, state.2),
    toUInt8(state.3 OR (${isMet} AND length(within) < ${length} AND length(state.2) < ${length})))`;
  const next = named('filled', filled, named('within', begun, state));
  const start = `(CAST(arrayWithConstant(${length}, 0), 'Array(UInt64)'), CAST([], 'Array(UInt64)'), toUInt8(0))`;
  return `arrayFold((state, mark) -> ${next}, ${journey}, ${start})`;
}
