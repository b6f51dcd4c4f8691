// What a funnel means, said a second time: one actor and one event after the other, slowly, without SQL.
import { parseFilters } from '../../../src/filters/parse.ts';
import { holds } from '../property-filter.ts';
import type { Dataset, RawEvent } from './dataset.ts';

export interface FunnelStep {
  event: string | null;
  properties?: readonly object[];
  math?: 'total' | 'first_time_for_user' | 'first_time_for_user_with_filters';
  optional?: boolean;
}

export interface FunnelQuestion {
  steps: readonly FunnelStep[];
  exclusions: readonly (FunnelStep & { fromStep: number; toStep: number })[];
  order: 'ordered' | 'strict' | 'unordered';
  windowMicros: number;
  /** Both included. */
  fromMicros: number;
  toMicros: number;
  /** Undefined: by person. */
  groupTypeIndex?: number;
  properties?: readonly object[];
  /** Names of event properties. */
  breakdown?: readonly string[];
  attribution?: 'first_touch' | 'last_touch' | 'all_events' | 'step';
  attributionStep?: number;
  valuesMax?: number;
}

/** An event of one actor, with what it is in the funnel. */
export interface Deed {
  micros: number;
  steps: readonly boolean[];
  exclusions: readonly boolean[];
  value: readonly string[];
}

/** How far somebody came, and when each step was reached; 0 where one was left out on the way. */
export interface Trip {
  value: readonly string[];
  times: readonly number[];
}

/** Everybody who reached the first step at least, once for each value that they count under. */
export function listTrips(dataset: Dataset, question: FunnelQuestion): Trip[] {
  return listJourneys(dataset, question).flatMap(({ value, deeds }) => {
    const times = walk(deeds, question);
    return times.length === 0 ? [] : [{ value, times }];
  });
}

export interface Journey {
  value: readonly string[];
  deeds: readonly Deed[];
}

export function listJourneys(dataset: Dataset, question: FunnelQuestion): Journey[] {
  const byActor = new Map<string, Deed[]>();
  for (const event of dataset.events) {
    const actor = actorOf(event, question);
    if (actor === '' || event.micros < question.fromMicros || event.micros > question.toMicros) continue;
    if (!passes(event, question.properties)) continue;
    byActor.set(actor, [...(byActor.get(actor) ?? []), toDeed(event, dataset, question)]);
  }
  return [...byActor.values()].flatMap((deeds) => attribute(inOrder(deeds), question));
}

const actorOf = (event: RawEvent, { groupTypeIndex }: FunnelQuestion): string =>
  groupTypeIndex === undefined ? event.person.uuid : toText(event.properties[`$group_${groupTypeIndex}`]);

export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function passes(event: RawEvent, properties: readonly object[] = []): boolean {
  const filter = parseFilters(properties, { type: 'event', nowMs: 0 });
  return holds(filter, ({ key }) => event.properties[key]);
}

function toDeed(event: RawEvent, dataset: Dataset, question: FunnelQuestion): Deed {
  return {
    micros: event.micros,
    steps: question.steps.map((step) => isStep(event, step, dataset, question)),
    exclusions: question.exclusions.map((exclusion) => matches(event, exclusion)),
    value: (question.breakdown ?? []).map((name) => toText(event.properties[name])),
  };
}

const isNamed = (event: RawEvent, { event: name }: FunnelStep) => name === null || event.event === name;
const matches = (event: RawEvent, step: FunnelStep) => isNamed(event, step) && passes(event, step.properties);

function isStep(event: RawEvent, step: FunnelStep, dataset: Dataset, question: FunnelQuestion): boolean {
  if (!matches(event, step)) return false;
  if (!step.math || step.math === 'total') return true;
  const actor = actorOf(event, question);
  const others = dataset.events.filter(
    (other) =>
      actorOf(other, question) === actor &&
      (step.math === 'first_time_for_user' ? isNamed(other, step) : matches(other, step)),
  );
  return others.every((other) => other.micros >= event.micros);
}

/** Of events of one moment, those that are only early steps come first, and exclusions last. */
export function inOrder(deeds: readonly Deed[]): Deed[] {
  const weight = ({ steps, exclusions }: Deed) =>
    [...steps, ...exclusions].reduce((sum, is, at) => sum + (is ? 2 ** at : 0), 0);
  return [...deeds].sort((one, other) => one.micros - other.micros || weight(one) - weight(other));
}

function attribute(deeds: readonly Deed[], question: FunnelQuestion): Journey[] {
  if (!question.breakdown) return [{ value: [], deeds }];
  switch (question.attribution ?? 'first_touch') {
    case 'all_events':
      return distinct(deeds).map((value) => ({ value, deeds: deeds.filter((deed) => isSame(deed.value, value)) }));
    case 'step': {
      const at = question.attributionStep ?? 0;
      return distinct(deeds.filter(({ steps }) => steps[at])).map((value) => ({
        value,
        deeds: inOrder(
          deeds.map((deed) => {
            const counts = isSame(deed.value, value);
            return { ...deed, steps: deed.steps.map((is, step) => is && (step !== at || counts)) };
          }),
        ),
      }));
    }
    default:
      return [{ value: touched(deeds, question), deeds }];
  }
}

/** The first, or the last, value that a step had; in one moment the least, or the greatest. */
function touched(deeds: readonly Deed[], { attribution, breakdown = [] }: FunnelQuestion): readonly string[] {
  const telling = deeds.filter(({ steps, value }) => steps.includes(true) && value.some((text) => text !== ''));
  if (telling.length === 0) return breakdown.map(() => '');
  const sameAs = (chosen: Deed) =>
    telling.filter(
      (deed) =>
        deed.micros === chosen.micros &&
        String(deed.steps) === String(chosen.steps) &&
        String(deed.exclusions) === String(chosen.exclusions),
    );
  const [first, last] = [telling[0]!, telling[telling.length - 1]!];
  if (attribution === 'last_touch')
    return sameAs(last)
      .map(({ value }) => value)
      .sort(compareValues)
      .at(-1)!;
  return sameAs(first)
    .map(({ value }) => value)
    .sort(compareValues)[0]!;
}

const isSame = (one: readonly string[], other: readonly string[]) => JSON.stringify(one) === JSON.stringify(other);

function distinct(deeds: readonly Deed[]): (readonly string[])[] {
  return [...new Map(deeds.map(({ value }) => [JSON.stringify(value), value])).values()];
}

export function compareValues(one: readonly string[], other: readonly string[]): number {
  for (const [at, text] of one.entries()) {
    const order = Buffer.compare(Buffer.from(text), Buffer.from(other[at] ?? ''));
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

/** When each step was reached, as far as the actor came; nothing for those who met an exclusion. */
export function walk(
  deeds: readonly Deed[],
  question: FunnelQuestion,
  mayBegin: (micros: number) => boolean = () => true,
): readonly number[] {
  if (question.order === 'unordered') return walkUnordered(deeds, question, mayBegin);
  if (question.steps.some(({ optional }) => optional)) return walkWithOptional(deeds, question);
  return walkInOrder(deeds, question);
}

/** Where each step of the attempt that begins at `start` was reached: positions in the journey. */
function attempt(deeds: readonly Deed[], start: number, { steps, order, windowMicros }: FunnelQuestion): number[] {
  const positions = [start];
  const limit = deeds[start]!.micros + windowMicros;
  for (let at = start + 1; at < deeds.length && positions.length < steps.length; at += 1) {
    const deed = deeds[at]!;
    if (deed.micros > limit) break;
    if (deed.steps[positions.length]) positions.push(at);
    else if (order === 'strict') break;
  }
  return positions;
}

/** The attempt that came furthest, and did so first; of several that did so by the same event, the one begun last. */
function walkInOrder(deeds: readonly Deed[], question: FunnelQuestion): readonly number[] {
  const attempts = deeds.flatMap((deed, at) => (deed.steps[0] ? [attempt(deeds, at, question)] : []));
  const furthest = Math.max(0, ...attempts.map(({ length }) => length));
  if (furthest === 0) return [];
  const best = attempts.filter(({ length }) => length === furthest);
  const end = Math.min(...best.map((positions) => positions.at(-1)!));
  const completedAt = furthest === question.steps.length ? end : Number.POSITIVE_INFINITY;
  if (isExcluded(deeds, attempts, completedAt, question)) return [];
  const ended = best.filter((positions) => positions.at(-1) === end);
  const begun = Math.max(...ended.map((positions) => deeds[positions[0]!]!.micros));
  // Attempts begun in the same moment are told apart by nothing but their place; the first one got there first.
  const chosen = ended.find((positions) => deeds[positions[0]!]!.micros === begun)!;
  return chosen.map((at) => deeds[at]!.micros);
}

/**
 * Every event that begins or carries on an attempt makes that the newest to have come to its step. A step is carried on from
 * the nearest one before it that somebody has come to, over those that can be left out, and the first to come furthest counts.
 */
function walkWithOptional(deeds: readonly Deed[], { steps, windowMicros }: FunnelQuestion): readonly number[] {
  let newest: (readonly number[] | undefined)[] = steps.map(() => undefined);
  let best: readonly number[] = [];
  for (const { micros, steps: is } of deeds) {
    const before = newest;
    newest = before.map((own, step) => {
      if (!is[step]) return own;
      if (step === 0) return [micros];
      const going = findGoing(before, step, steps, micros - windowMicros);
      // The same attempt comes to a step once.
      if (!going || own?.[0] === going[0]) return own;
      const times = [...going, ...Array.from({ length: step - going.length }, () => 0), micros];
      if (times.length > best.length) best = times;
      return times;
    });
    if (best.length === 0 && newest[0]) best = newest[0];
  }
  return best;
}

function findGoing(
  newest: readonly (readonly number[] | undefined)[],
  step: number,
  steps: readonly FunnelStep[],
  sinceMicros: number,
): readonly number[] | undefined {
  for (let at = step - 1; at >= 0; at -= 1) {
    const attempt = newest[at];
    if (attempt && attempt[0]! >= sinceMicros) return attempt;
    if (!steps[at]!.optional) return undefined;
  }
  return undefined;
}

function isExcluded(
  deeds: readonly Deed[],
  attempts: readonly number[][],
  completedAt: number,
  { exclusions, windowMicros, order }: FunnelQuestion,
): boolean {
  return exclusions.some(({ fromStep, toStep }, exclusion) =>
    deeds.some((deed, at) => {
      if (!deed.exclusions[exclusion] || at >= completedAt) return false;
      const inTime = (positions: readonly number[]) => deed.micros <= deeds[positions[0]!]!.micros + windowMicros;
      if (order === 'strict') {
        // Only the attempt whose latest step was the event just before.
        return attempts.some((positions) => {
          const step = positions.indexOf(at - 1);
          return step >= fromStep && step < toStep && inTime(positions);
        });
      }
      const hasReached = (positions: readonly number[], step: number) => (positions[step] ?? Infinity) <= at;
      const begun = attempts.filter((positions) => hasReached(positions, fromStep));
      const latest = Math.max(...begun.map((positions) => deeds[positions[0]!]!.micros));
      const current = begun.filter((positions) => deeds[positions[0]!]!.micros === latest);
      return current.some(inTime) && !current.some((positions) => hasReached(positions, toStep));
    }),
  );
}

/** Each event fills one step: of those that it is, the one filled longest ago. */
function walkUnordered(
  deeds: readonly Deed[],
  { steps, windowMicros }: FunnelQuestion,
  mayBegin: (micros: number) => boolean,
): readonly number[] {
  const fills: (number | undefined)[] = steps.map(() => undefined);
  let best: number[] = [];
  for (const { micros, steps: is, exclusions } of deeds) {
    const candidates = is.flatMap((yes, step) => (yes ? [step] : []));
    const oldest = Math.min(...candidates.map((step) => fills[step] ?? -Infinity));
    const filled = candidates.find((step) => (fills[step] ?? -Infinity) === oldest);
    if (filled !== undefined) fills[filled] = micros;
    const recent = fills.filter((fill): fill is number => fill !== undefined && micros <= fill + windowMicros);
    const within = recent.length > 0 && mayBegin(Math.min(...recent)) ? recent : [];
    if (within.length > best.length) best = within.sort((one, other) => one - other);
    if (best.length === steps.length) break;
    if (exclusions.includes(true) && within.length > 0) return [];
  }
  return best;
}
