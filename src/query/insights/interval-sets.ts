// The intervals in which an actor did something, counted from 0, as one value in SQL: bits of a number while there are
// few enough of them, for those are collected in half the time; otherwise a list.

export interface IntervalSets {
  /** The set of the `at` of all events that are `isIn`; an aggregate. */
  collect(at: string, isIn: string): string;
  /** The set of one interval, or of none. */
  one(at: string, isIn: string): string;
  /** Bool. */
  has(set: string, at: string): string;
  /** Array: its members that are below `end`. */
  below(set: string, end: number): string;
  /** Array: how much later than `start`, itself a member or not, the others are that are less than `length` later; and 0. */
  since(set: string, start: string, length: number): string;
}

const BITS_MAX = 64;

/** Sets of so many intervals. */
export const intervalSets = (count: number): IntervalSets => (count <= BITS_MAX ? bits : lists);

/** A number with this many bits, all set. */
const ones = (count: number): bigint => (1n << BigInt(Math.min(count, BITS_MAX))) - 1n;

/** What is not in a set may have any `at`, and the engine refuses to shift by more bits than there are. */
export const bit = (at: string) => `bitShiftLeft(toUInt64(1), bitAnd(${at}, ${BITS_MAX - 1}))`;

/** A condition costs the engine time even when it always holds. */
const aggregateSql = (name: string, of: string, isIn: string): string =>
  isIn === 'true' ? `${name}(${of})` : `${name}If(${of}, ${isIn})`;

export const bits: IntervalSets = {
  collect: (at, isIn) => aggregateSql('groupBitOr', bit(at), isIn),
  one: (at, isIn) => `if(${isIn}, ${bit(at)}, 0)`,
  has: (set, at) => `bitTest(${set}, ${at})`,
  below: (set, end) => `bitPositionsToArray(bitAnd(${set}, ${ones(end)}))`,
  since: (set, start, length) =>
    `bitPositionsToArray(bitOr(bitAnd(bitShiftRight(${set}, ${start}), ${ones(length)}), 1))`,
};

export const lists: IntervalSets = {
  collect: (at, isIn) => aggregateSql('groupUniqArray', at, isIn),
  one: (at, isIn) => `if(${isIn}, [${at}], [])`,
  has: (set, at) => `has(${set}, ${at})`,
  below: (set, end) => `arrayFilter(at -> at >= 0 AND at < ${end}, ${set})`,
  since: (set, start, length) =>
    `arrayPushFront(arrayFilter(lag -> lag > 0 AND lag < ${length}, arrayMap(at -> at - ${start}, ${set})), 0)`,
};
