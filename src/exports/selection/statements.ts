// A selection as SQL: of its rows, of their number, and of what a destination wants to read of them.
import type { Statement } from '../../filters/ask.ts';
import { BoundValues } from '../../filters/bound-values.ts';
import { quoteName } from '../../store/tables/description.ts';
import { type Column, modelColumns, type Reading } from '../destinations/destination.ts';
import { plainName } from '../hogql/print.ts';
import { conversionOf } from './column-types.ts';
import { eventRowsSql } from './events.ts';
import { personRowsSql } from './persons.ts';
import type { Selection } from './selection.ts';
import { sessionRowsSql } from './sessions.ts';

export function columnsOf({ model, schema, types }: Pick<Selection, 'model' | 'schema' | 'types'>): readonly Column[] {
  if (!schema) return modelColumns[model];
  return schema.fields.map(({ expression, alias }, index) => ({
    name: plainName(alias),
    type: isJson(expression) ? 'json' : conversionOf(types?.[index] ?? 'String').type,
  }));
}

const isJson = (expression: string): boolean =>
  expression === 'events.properties' || expression === 'events.person_properties';

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

/** Answers no rows, but their names and types. */
export function describeStatement(selection: Selection): Statement {
  const bound = new BoundValues();
  return { text: `SELECT * FROM (${rowsSql(selection, bound)}) LIMIT 0`, params: bound.params };
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
