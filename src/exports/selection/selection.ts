// Which rows a run ships. All models go by the ingestion clock, and only below the watermark: what `[start, end)` of it
// selects is the same for a scheduled run, its retry and a backfill.

import type { Statement } from '../../filters/ask.ts';
import { BoundValues } from '../../filters/bound-values.ts';
import { quoteName } from '../../store/tables/description.ts';
import { type Column, type Config, type Model, modelColumns, type Reading } from '../destinations/destination.ts';
import { eventRowsSql } from './events.ts';
import { personRowsSql } from './persons.ts';
import { sessionRowsSql } from './sessions.ts';

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
}

/** What a `hogql_query` became: SQL over the columns of `events`, with its values. */
export interface CustomSchema {
  fields: readonly { expression: string; alias: string; type?: Column['type'] }[];
  values: Readonly<Record<string, unknown>>;
}

export function columnsOf({ model, schema }: Pick<Selection, 'model' | 'schema'>): readonly Column[] {
  if (!schema) return modelColumns[model];
  return schema.fields.map(({ alias, type = 'string' }) => ({ name: alias, type }));
}

/** SQL of the selected rows, with the columns that the contract of destinations names. */
function rowsSql(selection: Selection, bound: BoundValues): string {
  switch (selection.model) {
    case 'events':
      return eventRowsSql(selection, bound);
    case 'persons':
      return personRowsSql(selection, bound);
    case 'sessions':
      return sessionRowsSql(selection, bound);
  }
}

export function countStatement(selection: Selection): Statement {
  const bound = new BoundValues();
  return { text: `SELECT count() AS rows FROM (${rowsSql(selection, bound)})`, params: bound.params };
}

export function readStatement(selection: Selection, reading: Reading): Statement {
  const bound = new BoundValues();
  const rows = rowsSql(selection, bound);
  const text = [
    `SELECT ${reading.select.map(({ name, sql }) => `${sql} AS ${quoteName(name)}`).join(', ')}`,
    `FROM (${rows})`,
    ...(reading.where ? [`WHERE ${reading.where}`] : []),
    ...(reading.groupBy ? [`GROUP BY ${reading.groupBy}`] : []),
    ...(reading.orderBy ? [`ORDER BY ${reading.orderBy}`] : []),
    `FORMAT ${reading.format}`,
  ].join('\n');
  // The destination's names come last: it must not be able to change what is selected.
  return { text, params: { ...reading.params, ...bound.params } };
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
