// The columns of a table in BigQuery, and what is written into them.
import { quoteName } from '../../../store/tables/description.ts';
import type { Column, ColumnType, Shipment } from '../destination.ts';
import { tameNumbersSql } from '../row-sql.ts';

export interface Field {
  readonly name: string;
  /** BigQuery's type. */
  readonly type: 'STRING' | 'JSON' | 'INTEGER' | 'FLOAT' | 'BOOLEAN' | 'TIMESTAMP';
  readonly mode?: 'REPEATED';
}

/** A field, and how its value is worked out and written. */
export interface FieldValue extends Field {
  readonly written: ColumnType;
  readonly sql: string;
}

const TYPES: Readonly<Record<ColumnType, Field['type']>> = {
  ...{ string: 'STRING', 'string[]': 'STRING', json: 'STRING', bool: 'BOOLEAN', timestamp: 'TIMESTAMP' },
  ...{ int16: 'INTEGER', int32: 'INTEGER', int64: 'INTEGER', uint64: 'INTEGER', float32: 'FLOAT', float64: 'FLOAT' },
};

/** When a row came to be in BigQuery, which only BigQuery knows. */
export const INGESTED: Field = { name: 'bq_ingested_timestamp', type: 'TIMESTAMP' };

export function fieldsOf({ model, columns, customColumns }: Shipment, useJson: boolean): FieldValue[] {
  if (model === 'events' && !customColumns) return EVENTS.map((field) => withJson(field, useJson));
  return columns
    .filter(({ name }) => customColumns || name !== '_inserted_at')
    .map((column) => withJson(fieldOf(column), useJson));
}

function fieldOf({ name, type }: Column): FieldValue {
  const value = quoteName(name);
  const sql = type === 'json' ? tameNumbersSql(value) : value;
  return { name, type: TYPES[type], written: type, sql, ...(type === 'string[]' && { mode: 'REPEATED' }) };
}

function withJson(field: FieldValue, useJson: boolean): FieldValue {
  return field.written === 'json' ? asJson(field, useJson) : field;
}

/** JSON goes into a column of that type as it is, and into one of texts as a text. */
const asJson = (field: FieldValue, isJson: boolean): FieldValue => ({
  ...field,
  type: isJson ? 'JSON' : 'STRING',
  written: isJson ? 'json' : 'string',
});

/** Those fields that a table has, written as its types ask for. */
export function fitTo(
  fields: readonly FieldValue[],
  existing: readonly { name?: string; type?: string }[],
): FieldValue[] {
  return fields.flatMap((field) => {
    const found = existing.find(({ name }) => name === field.name);
    if (!found) return [];
    const holdsJson = field.type === 'JSON' || field.written === 'json';
    return [holdsJson || found.type === 'JSON' ? asJson(field, found.type === 'JSON') : field];
  });
}

const EVENTS: readonly FieldValue[] = [
  { name: 'uuid', type: 'STRING', written: 'string', sql: 'uuid' },
  { name: 'event', type: 'STRING', written: 'string', sql: 'event' },
  { name: 'properties', type: 'STRING', written: 'json', sql: tameNumbersSql('properties') },
  { name: 'elements', type: 'STRING', written: 'string', sql: 'toJSONString(elements_chain)' },
  { name: 'set', type: 'STRING', written: 'json', sql: 'CAST(NULL AS Nullable(String))' },
  { name: 'set_once', type: 'STRING', written: 'json', sql: 'CAST(NULL AS Nullable(String))' },
  { name: 'distinct_id', type: 'STRING', written: 'string', sql: 'distinct_id' },
  { name: 'team_id', type: 'INTEGER', written: 'int64', sql: 'team_id' },
  { name: 'ip', type: 'STRING', written: 'string', sql: "nullIf(JSONExtractString(properties, '$ip'), '')" },
  { name: 'site_url', type: 'STRING', written: 'string', sql: "''" },
  { name: 'timestamp', type: 'TIMESTAMP', written: 'timestamp', sql: 'timestamp' },
];
