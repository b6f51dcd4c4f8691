// Events: each is shipped by the run in whose interval it was stored, whatever its timestamp says, with the person it
// belonged to at that time. People who are merged later change no event that was shipped; the persons model tells it.
import { eventOperand } from '../../events/operands.ts';
import type { BoundValues } from '../../filters/bound-values.ts';
import { parseFilters } from '../../filters/parse.ts';
import { filterSql } from '../../filters/sql.ts';
import { quoteName } from '../../store/tables/description.ts';
import { plainName } from '../hogql/print.ts';
import { conversionOf } from './column-types.ts';
import { type CustomSchema, rangeSql, type Selection } from './selection.ts';

const COLUMNS = `
  toString(uuid) AS uuid,
  toString(event) AS event,
  distinct_id,
  toString(person_id) AS person_id,
  team_id,
  if(properties_sent = '', properties, properties_sent) AS properties,
  person_properties,
  elements_chain,
  timestamp,
  created_at,
  inserted_at AS _inserted_at`;

export function eventRowsSql(selection: Selection, bound: BoundValues): string {
  const { team_id, range, include, exclude, filters, schema, types } = selection;
  const conditions = [`team_id = ${bound.bind('Int64', team_id)}`, rangeSql('inserted_at', range, bound)];
  if (include) conditions.push(`has(${bound.texts(include)}, event)`);
  if (exclude) conditions.push(`NOT has(${bound.texts(exclude)}, event)`);
  if (filters !== undefined) conditions.push(filterSql(eventFilter(filters, range.to / 1_000), eventOperand, bound));
  const columns = schema ? customColumns(schema, types, bound) : COLUMNS;
  // Chosen inside and named outside, so that no condition sees a column under its new meaning.
  return `SELECT ${columns} FROM (SELECT * FROM events WHERE ${conditions.join(' AND ')}) AS events`;
}

/** Relative dates count from the end of the interval: a repetition selects the same rows, whenever it is made. */
export const eventFilter = (filters: unknown, nowMs: number) => parseFilters(filters, { type: 'event', nowMs });

function customColumns({ fields, values }: CustomSchema, types: Selection['types'], bound: BoundValues): string {
  const columns = fields.map(({ expression, alias }, index) => {
    const sql = bindNamed(SENT[expression] ?? expression, values, bound);
    const type = types?.[index];
    return `${type ? conversionOf(type).convert(sql) : sql} AS ${quoteName(plainName(alias))}`;
  });
  return [...columns, 'events.inserted_at AS _inserted_at'].join(', ');
}

/** Properties as a whole are shipped as they were sent. */
const SENT: Readonly<Record<string, string>> = {
  'events.properties': "if(events.properties_sent = '', events.properties, events.properties_sent)",
};

/** Values stand in expressions as `%(hogql_val_0)s`, the way the wire shows them. */
function bindNamed(expression: string, values: Readonly<Record<string, unknown>>, bound: BoundValues): string {
  return expression.replace(/%\((\w+)\)s/g, (_, name: string) => {
    const value = values[name];
    if (typeof value === 'number') return bound.bind(Number.isInteger(value) ? 'Int64' : 'Float64', value);
    return bound.text(String(value));
  });
}
