// Expressions over the selected rows, in ClickHouse's SQL, that write values the way a destination reads them.
import { quoteName, quoteText } from '../../store/tables/description.ts';
import type { Column, ColumnType } from './destination.ts';

/** Goes with `jsonLineSql`: the engine would write `/` as `\/`, which is right but odd. */
export const JSON_LINE_SETTINGS = { output_format_json_escape_forward_slashes: 0 };

/** The row as one JSON object without line breaks; JSON columns are nested in it, byte by byte as they are kept. */
export function jsonLineSql(columns: readonly Column[]): string {
  return jsonObjectSql(columns.map((column) => ({ ...column, sql: quoteName(column.name) })));
}

/** The same, of values that are worked out. */
export function jsonObjectSql(values: readonly (Column & { readonly sql: string })[]): string {
  const members = values.map((value, n) => {
    const opening = `${n === 0 ? '{' : ','}${JSON.stringify(value.name)}:`;
    return `${quoteText(opening)}, ${jsonSql(value.sql, value.type)}`;
  });
  return `concat(${members.join(', ')}, '}')`;
}

/** A value as JSON text, never NULL. */
function jsonSql(value: string, type: ColumnType): string {
  switch (type) {
    case 'json':
      return `ifNull(${oneLineJsonSql(`nullIf(${value}, '')`)}, 'null')`;
    case 'bool':
      return `ifNull(if(${value}, 'true', 'false'), 'null')`;
    case 'timestamp':
      return `ifNull(concat('"', ${isoTimestampSql(value)}, '"'), 'null')`;
    case 'string':
    case 'string[]':
      return `ifNull(toJSONString(${value}), 'null')`;
    case 'float32':
    case 'float64':
      // JSON has no word for what is not a number.
      return `ifNull(if(isFinite(${value}), toString(${value}), 'null'), 'null')`;
    default:
      return `ifNull(toString(${value}), 'null')`;
  }
}

/** Line breaks in JSON are only ever white space between its tokens, so blanks mean the same. */
export function oneLineJsonSql(json: string): string {
  return `translate(${json}, '\\n\\r', '  ')`;
}

/**
 * A pattern that holds wherever `tameNumbersSql` would change something, and hardly anywhere else. Looking for it costs a
 * fraction of looking for the numbers themselves, and ids are full of digits around an `e`: hence what stands before one.
 */
export const WILD_NUMBER = '[:,\\[]\\s*-?[0-9][0-9.]*[eE][+-]?[0-9]{4}|[0-9]{64}';

/**
 * JSON whose numbers every database can read. There is no largest number in JSON, and one event with `1e99999` would
 * stop all exports of its project for good; such a number becomes the largest, or the smallest, that is usual.
 */
export function tameNumbersSql(json: string): string {
  const start = '([:,\\[]\\s*-?)';
  const digits = '[0-9]+(?:\\.[0-9]+)?';
  const tooLarge = `${start}(?:${digits}[eE]\\+?[0-9]{4,}|[0-9]{1000}[0-9]*(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)`;
  const tooSmall = `${start}${digits}[eE]-[0-9]{4,}`;
  const replaced = (text: string, pattern: string, by: string) =>
    `replaceRegexpAll(${text}, ${quoteText(pattern)}, ${quoteText(by)})`;
  const tamed = replaced(replaced(json, tooLarge, '\\11.7976931348623157e308'), tooSmall, '\\10');
  return `if(match(${json}, ${quoteText(WILD_NUMBER)}), ${tamed}, ${json})`;
}

/** `2025-03-04T09:00:00.123456+00:00`, the fraction only when there is one. */
export function isoTimestampSql(value: string): string {
  return `replaceOne(replaceOne(concat(toString(${value}, 'UTC'), '+00:00'), ' ', 'T'), '.000000', '')`;
}
