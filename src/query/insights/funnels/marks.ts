// An event in a funnel is one number: its time, and below it a bit for each step and exclusion that it is. Sorted, such
// numbers are an actor's journey, several times as fast as tuples.
//
// This also decides what comes first among events of one moment: those that are only early steps before those that are
// later ones, and exclusions last. So steps that happened in the same moment count as done in order.
import type { QueryContext } from '../../kind.ts';
import type { EventsSql } from '../../sql/events-sql.ts';
import { allSql, entitySql, namedSql } from '../entity.ts';
import type { FunnelPlan, Step } from './plan.ts';

/** Times are reckoned from the earliest that the store can hold, 1900, so that none is negative; 0 is no time. */
const CLOCK_START = Date.UTC(1900, 0, 1) * 1_000 - 1;

/** Times need 54 bits of a 64-bit number. */
const SPARE_BITS = 10;

export interface Marks {
  readonly type: 'UInt64' | 'UInt128';
  /** By how many bits the time is shifted. */
  readonly bits: number;
}

export function marksOf({ steps, exclusions }: Pick<FunnelPlan, 'steps' | 'exclusions'>): Marks {
  const isSmall = steps.length + exclusions.length <= SPARE_BITS;
  return isSmall ? { type: 'UInt64', bits: SPARE_BITS } : { type: 'UInt128', bits: 64 };
}

/** A moment by the marks' own clock. */
export const toMarkedTime = (micros: number): number => micros - CLOCK_START;

/** SQL: UInt64 microseconds of the marks' own clock. */
export const timeOf = (mark: string, { bits }: Marks): string => `toUInt64(bitShiftRight(${mark}, ${bits}))`;

/** SQL: the time of a mark with no bits below it, as an attempt's beginning is written. */
export const beginningOf = (mark: string, { bits }: Marks): string =>
  `bitShiftLeft(bitShiftRight(${mark}, ${bits}), ${bits})`;

/** SQL: what every mark within the window of a beginning is less than, and no later one. */
export function endOfWindow(since: string, plan: Pick<FunnelPlan, 'steps' | 'exclusions' | 'windowMicros'>): string {
  const { type, bits } = marksOf(plan);
  return `${since} + bitShiftLeft(to${type}(${plan.windowMicros + 1}), ${bits})`;
}

/** SQL: whether the mark has this bit. The engine tests only bits of ordinary numbers, and they are all in the lower half. */
export const hasBit = (mark: string, bit: number | string): string => `bitTest(toUInt64(${mark}), ${bit})`;

/** SQL: whether the mark is any of the steps. */
export const isAnyStep = (mark: string, { steps }: Pick<FunnelPlan, 'steps'>): string =>
  `bitAnd(toUInt64(${mark}), ${2 ** steps.length - 1}) != 0`;

/** SQL: when the event happened, by the marks' own clock. */
export const markedTimeSql = ({ alias }: EventsSql): string =>
  `toUnixTimestamp64Micro(${alias}.timestamp) - (${CLOCK_START})`;

/** SQL of an event's number. */
export function markSql(events: EventsSql, plan: FunnelPlan, context: QueryContext): string {
  const { type, bits } = marksOf(plan);
  const conditions = [
    ...plan.steps.map((step) => stepSql(events, step, plan, context)),
    ...plan.exclusions.map((exclusion) => entitySql(events, exclusion)),
  ];
  const flags = conditions.map((condition, at) => `bitShiftLeft(to${type}(${condition}), ${at})`);
  return `bitShiftLeft(to${type}(${markedTimeSql(events)}), ${bits}) + ${flags.join(' + ')}`;
}

/** Bool: whether the event is the step. */
function stepSql(events: EventsSql, step: Step, plan: FunnelPlan, context: QueryContext): string {
  const isStep = entitySql(events, step);
  if (step.occurrence === 'any') return isStep;
  const firstTimes = firstTimesSql(context.events(events.bound), step, plan);
  return allSql([isStep, `(${actorSql(events, plan)}, ${events.alias}.timestamp) IN (${firstTimes})`]);
}

/** When each actor first did it, from the beginning of time; several events of that moment are all the first. */
function firstTimesSql(events: EventsSql, step: Step, plan: FunnelPlan): string {
  const actor = actorSql(events, plan);
  const conditions = [
    events.within({ fromMicros: CLOCK_START + 1, toMicros: plan.range.toMicros }),
    step.occurrence === 'first' ? namedSql(events, step) : entitySql(events, step),
  ];
  return `SELECT ${actor}, min(${events.alias}.timestamp) FROM ${events.from()} WHERE ${allSql(conditions)} GROUP BY 1`;
}

/** Whose journey the event belongs to: a UUID for persons, a text for everything else; '' for nobody. */
export function actorSql(events: EventsSql, { actor }: Pick<FunnelPlan, 'actor'>): string {
  switch (actor.kind) {
    case 'person':
      return events.personId;
    case 'group':
      return events.groupKey(actor.index);
    case 'hogql':
      return `ifNull(toString(${events.hogql(actor.expression)}), '')`;
  }
}
