// What a run ships: all models go by the ingestion clock, and only below the watermark, so what `[start, end)` of it
// selects is the same for a scheduled run, its retry and a backfill.
import type { BoundValues } from '../../filters/bound-values.ts';
import type { Config, Model } from '../destinations/destination.ts';

/** Microseconds of the ingestion clock, half open; from null: the beginning of time. */
export interface Range {
  from: number | null;
  to: number;
}

export interface Selection {
  team_id: number;
  model: Model;
  range: Range;
  /** Names of events; undefined when there is no such restriction. */
  include?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
  /** Property filters as they were given; undefined when there are none. */
  filters?: unknown;
  /** Columns that a person chose. */
  schema?: CustomSchema | undefined;
  /** What the event store says of their types; without it they come as they are. */
  types?: readonly string[] | undefined;
}

/** What a `hogql_query` became: SQL over the columns of `events`, with its values. Aliases are quoted where they must be. */
export interface CustomSchema {
  fields: readonly { expression: string; alias: string }[];
  values: Readonly<Record<string, unknown>>;
}

/** The lists of names that every configuration may hold; an empty one restricts nothing. */
export function readEventNames(config: Config, name: 'include_events' | 'exclude_events'): string[] | undefined {
  const given = config[name];
  const names = Array.isArray(given) ? given.filter((each) => typeof each === 'string') : [];
  return names.length > 0 ? names : undefined;
}

export function rangeSql(column: string, { from, to }: Range, bound: BoundValues): string {
  const until = `${column} < ${bound.moment(to)}`;
  return from === null ? until : `(${column} >= ${bound.moment(from)} AND ${until})`;
}
