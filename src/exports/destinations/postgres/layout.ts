// Which columns a table gets, and what the event store writes into them: the text format of COPY, which is nearly its
// own `TabSeparated`.
import { quoteName, quoteText } from '../../../store/tables/description.ts';
import type { Column, ColumnType, Shipment } from '../destination.ts';
import { tameNumbersSql, WILD_NUMBER } from '../row-sql.ts';

export interface TableColumn {
  readonly name: string;
  /** PostgreSQL's type, for a table that does not exist yet. */
  readonly type: string;
  /** The value, in ClickHouse's SQL. */
  readonly sql: string;
}

const TYPES: Readonly<Record<ColumnType, string>> = {
  string: 'TEXT',
  json: 'JSONB',
  bool: 'BOOLEAN',
  timestamp: 'TIMESTAMPTZ',
  int16: 'INTEGER',
  int32: 'INTEGER',
  int64: 'BIGINT',
  uint64: 'BIGINT',
  float32: 'REAL',
  float64: 'DOUBLE PRECISION',
  'string[]': 'TEXT[]',
};

export function tableColumns({ model, columns, customColumns }: Shipment): TableColumn[] {
  if (model === 'events' && !customColumns) return EVENTS;
  return columns
    .filter(({ name }) => customColumns || name !== '_inserted_at')
    .map((column) => ({ name: column.name, type: TYPES[column.type], sql: valueSql(column) }));
}

/** A NUL is the one character that PostgreSQL's texts cannot hold. */
const textSql = (value: string): string => `replaceAll(${value}, '\\0', '')`;

/**
 * JSON without what `jsonb` cannot hold: NUL, halves of surrogate pairs, numbers beyond all measure. Other escapes are
 * matched and kept, so that a backslash that is itself escaped begins nothing. Nearly all JSON has nothing of the kind,
 * which one look tells.
 */
export function storableJsonSql(json: string): string {
  const hex = '[0-9a-fA-F]';
  const kept = `\\\\[^u]|\\\\u[dD][89abAB]${hex}{2}\\\\u[dD][c-fC-F]${hex}{2}`;
  const dropped = `\\\\u0000|\\\\u[dD][89a-fA-F]${hex}{2}`;
  const suspicious = `${WILD_NUMBER}|${dropped}`;
  const cleaned = `replaceRegexpAll(${tameNumbersSql(json)}, ${quoteText(`(${kept})|${dropped}`)}, ${quoteText('\\1')})`;
  return `if(match(${json}, ${quoteText(suspicious)}), ${cleaned}, ${json})`;
}

function valueSql({ name, type }: Column): string {
  const value = quoteName(name);
  if (type === 'json') return storableJsonSql(`nullIf(${value}, '')`);
  if (type === 'string') return textSql(value);
  if (type === 'string[]') return arraySql(value);
  return value;
}

/** `{"a","b"}`, quotes and backslashes within escaped. */
function arraySql(value: string): string {
  const element = `concat('"', replaceRegexpAll(${textSql('element')}, '(["\\\\\\\\])', '\\\\\\\\\\\\1'), '"')`;
  return `concat('{', arrayStringConcat(arrayMap(element -> ${element}, ${value}), ','), '}')`;
}

/**
 * The layout that scripts for this kind of export know. Names and ids are TEXT, so that no long one stops a run; a
 * table that was made by other hands, with narrower columns, is used as it is.
 */
const EVENTS: TableColumn[] = [
  { name: 'uuid', type: 'TEXT', sql: 'uuid' },
  { name: 'event', type: 'TEXT', sql: textSql('event') },
  { name: 'properties', type: 'JSONB', sql: storableJsonSql('properties') },
  // A JSON text that holds a JSON text: how it has always been written here.
  { name: 'elements', type: 'JSONB', sql: `toJSONString(toJSONString(${textSql('elements_chain')}))` },
  { name: 'set', type: 'JSONB', sql: 'NULL' },
  { name: 'set_once', type: 'JSONB', sql: 'NULL' },
  { name: 'distinct_id', type: 'TEXT', sql: textSql('distinct_id') },
  { name: 'team_id', type: 'INTEGER', sql: 'team_id' },
  { name: 'ip', type: 'TEXT', sql: textSql(`nullIf(JSONExtractString(properties, '$ip'), '')`) },
  { name: 'site_url', type: 'TEXT', sql: 'NULL' },
  { name: 'timestamp', type: 'TIMESTAMPTZ', sql: 'timestamp' },
  { name: 'person_id', type: 'TEXT', sql: 'person_id' },
  { name: 'person_properties', type: 'JSONB', sql: storableJsonSql('person_properties') },
];
