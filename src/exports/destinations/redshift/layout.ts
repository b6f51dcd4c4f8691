// The columns of a table in Redshift, whose texts have a limit and whose JSON is text or SUPER.
import { quoteName } from '../../../store/tables/description.ts';
import type { Column, ColumnType, Shipment } from '../destination.ts';
import type { TableColumn } from '../postgres/layout.ts';
import { tameNumbersSql } from '../row-sql.ts';

export type PropertiesType = 'varchar' | 'super';

export const TEXT_BYTES_MAX = 65_535;
const NAME_BYTES_MAX = 200;
const TEXT = `VARCHAR(${TEXT_BYTES_MAX})`;
const NAME = `VARCHAR(${NAME_BYTES_MAX})`;

const TYPES: Readonly<Record<ColumnType, string>> = {
  ...{ string: TEXT, json: TEXT, 'string[]': TEXT, bool: 'BOOLEAN', timestamp: 'TIMESTAMP WITH TIME ZONE' },
  ...{
    int16: 'INTEGER',
    int32: 'INTEGER',
    int64: 'BIGINT',
    uint64: 'BIGINT',
    float32: 'REAL',
    float64: 'DOUBLE PRECISION',
  },
};

export function redshiftColumns(
  { model, columns, customColumns }: Shipment,
  properties: PropertiesType,
): TableColumn[] {
  const json = properties === 'super' ? 'SUPER' : TEXT;
  if (model === 'events' && !customColumns) return eventColumns(json);
  return columns
    .filter(({ name }) => customColumns || name !== '_inserted_at')
    .map((column) => {
      const type = column.type === 'json' ? json : TYPES[column.type];
      return { name: column.name, type, sql: valueSql(column) };
    });
}

function valueSql({ name, type }: Column): string {
  const value = quoteName(name);
  if (type === 'string') return textSql(value, TEXT_BYTES_MAX);
  if (type === 'json') return jsonSql(value);
  if (type === 'string[]') return jsonSql(`toJSONString(${value})`);
  return value;
}

/** At most so many bytes; half a character at the end becomes the sign for an unknown one. NUL is not allowed. */
function textSql(value: string, bytesMax: number): string {
  const clean = `replaceAll(${value}, '\\0', '')`;
  return `if(length(${clean}) <= ${bytesMax}, ${clean}, toValidUTF8(substring(${clean}, 1, ${bytesMax - 3})))`;
}

/** JSON that is cut off is not JSON; an event whose properties do not fit says so, and does not stop all others. */
function jsonSql(value: string): string {
  const clean = `replaceRegexpAll(${tameNumbersSql(`nullIf(${value}, '')`)}, '(\\\\\\\\[^u])|\\\\\\\\u0000', '\\\\1')`;
  const instead = `concat('{"$export_error":"', toString(length(${clean})), ' bytes do not fit into a column of Redshift"}')`;
  return `if(length(${clean}) <= ${TEXT_BYTES_MAX}, ${clean}, ${instead})`;
}

const eventColumns = (json: string): TableColumn[] => [
  { name: 'uuid', type: NAME, sql: 'uuid' },
  { name: 'event', type: NAME, sql: textSql('event', NAME_BYTES_MAX) },
  { name: 'properties', type: json, sql: jsonSql('properties') },
  { name: 'elements', type: TEXT, sql: "''" },
  { name: 'set', type: json, sql: 'CAST(NULL AS Nullable(String))' },
  { name: 'set_once', type: json, sql: 'CAST(NULL AS Nullable(String))' },
  { name: 'distinct_id', type: NAME, sql: textSql('distinct_id', NAME_BYTES_MAX) },
  { name: 'team_id', type: 'INTEGER', sql: 'team_id' },
  { name: 'ip', type: NAME, sql: textSql("nullIf(JSONExtractString(properties, '$ip'), '')", NAME_BYTES_MAX) },
  { name: 'site_url', type: NAME, sql: "''" },
  { name: 'timestamp', type: 'TIMESTAMP WITH TIME ZONE', sql: 'timestamp' },
];
