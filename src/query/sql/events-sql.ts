// One statement's view of the project's events. Whatever an expression needs beyond the rows themselves (the person after
// merges, a session, a group) is joined only when something asked for it, so `from()` is printed last.
import type { BoundValues } from '../../filters/bound-values.ts';

/** SQL for a value that is kept as JSON text. */
export interface ValueSql {
  /** The JSON text; '' when there is no value. */
  readonly json: string;
  /** The plain text: strings without quotes, anything else as JSON; '' when there is none. */
  readonly text: string;
  /** Bool, never null. */
  readonly isSet: string;
  /** Nullable(Float64): null when it is no number. */
  readonly number: string;
}

export type PropertyType = 'event' | 'person' | 'session' | 'group' | 'event_metadata';

/** Columns are written as `e.timestamp`: the events always have this alias. */
export const EVENTS = 'e';

export interface EventsSql {
  readonly bound: BoundValues;
  /** What the events are called in the statement; `e` unless several stand side by side. */
  readonly alias: string;
  /** The project's id, bound: for subqueries that read a table of their own. */
  readonly team: string;
  /** `e.person_id`, or the person that it was merged into. UUID. */
  readonly personId: string;
  /** A property where the given type keeps it; `group` needs the index. */
  property(type: PropertyType, key: string, groupTypeIndex?: number | null): ValueSql;
  /** The key of the group, String; '' when the event has none. */
  groupKey(groupTypeIndex: number): string;
  /** Bool, never null: filters as the wire has them, a list or groups; nothing at all is `true`. */
  filters(json: unknown): string;
  /** The project's test-account filters when asked for; otherwise `true`. */
  testAccounts(filterTestAccounts: boolean | null | undefined): string;
  /** Bool, never null: whether the event belongs to the action. */
  action(id: number): string;
  /** SQL of a HogQL expression over events, checked and resolved. */
  hogql(expression: string): string;
  /** Bool: of this project, and within `[fromMicros, toMicros)`. Every statement has it in its WHERE. */
  within(range: { fromMicros: number; toMicros: number }): string;
  /** `events AS e`, with the share that is sampled and with the joins that were asked for so far: printed last. */
  from(samplingFactor?: number | null): string;
}
