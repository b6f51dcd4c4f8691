// The columns of a table in Snowflake, and what is written into them.
import { quoteName } from '../../../store/tables/description.ts';
import type { ColumnType, Shipment } from '../destination.ts';
import { tameNumbersSql } from '../row-sql.ts';

export interface SnowflakeColumn {
  readonly name: string;
  /** Snowflake's type. */
  readonly type: string;
  readonly written: ColumnType;
  readonly sql: string;
}

const TYPES: Readonly<Record<ColumnType, string>> = {
  ...{ string: 'STRING', 'string[]': 'ARRAY', json: 'VARIANT', bool: 'BOOLEAN', timestamp: 'TIMESTAMP' },
  ...{ int16: 'INTEGER', int32: 'INTEGER', int64: 'INTEGER', uint64: 'INTEGER', float32: 'FLOAT', float64: 'FLOAT' },
};

export function snowflakeColumns({ model, columns, customColumns }: Shipment): readonly SnowflakeColumn[] {
  if (model === 'events' && !customColumns) return EVENTS;
  return columns
    .filter(({ name }) => customColumns || name !== '_inserted_at')
    .map(({ name, type }) => ({ name, type: TYPES[type], written: type, sql: valueSql(name, type) }));
}

const valueSql = (name: string, type: ColumnType): string =>
  type === 'json' ? tameNumbersSql(quoteName(name)) : quoteName(name);

const NOTHING = 'CAST(NULL AS Nullable(String))';

const EVENTS: readonly SnowflakeColumn[] = [
  { name: 'uuid', type: 'STRING', written: 'string', sql: 'uuid' },
  { name: 'event', type: 'STRING', written: 'string', sql: 'event' },
  { name: 'properties', type: 'VARIANT', written: 'json', sql: tameNumbersSql('properties') },
  { name: 'elements', type: 'VARIANT', written: 'string', sql: 'elements_chain' },
  { name: 'people_set', type: 'VARIANT', written: 'json', sql: NOTHING },
  { name: 'people_set_once', type: 'VARIANT', written: 'json', sql: NOTHING },
  { name: 'distinct_id', type: 'STRING', written: 'string', sql: 'distinct_id' },
  { name: 'team_id', type: 'INTEGER', written: 'int64', sql: 'team_id' },
  { name: 'ip', type: 'STRING', written: 'string', sql: "nullIf(JSONExtractString(properties, '$ip'), '')" },
  { name: 'site_url', type: 'STRING', written: 'string', sql: "''" },
  { name: 'timestamp', type: 'TIMESTAMP', written: 'timestamp', sql: 'timestamp' },
];
