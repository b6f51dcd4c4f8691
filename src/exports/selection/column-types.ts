// Columns of any type that the event store has → those that destinations know. Pure.
import type { ColumnType } from '../destinations/destination.ts';

export interface Conversion {
  type: ColumnType;
  /** SQL that makes such a value out of the expression. */
  convert(expression: string): string;
}

const same = (expression: string) => expression;
const as = (type: ColumnType, convert: (expression: string) => string = same): Conversion => ({ type, convert });
const call = (name: string) => (expression: string) => `${name}(${expression})`;

const PLAIN: Readonly<Record<string, Conversion>> = {
  String: as('string'),
  Bool: as('bool'),
  Int8: as('int16', call('toInt16')),
  UInt8: as('int16', call('toInt16')),
  Int16: as('int16'),
  UInt16: as('int32', call('toInt32')),
  Int32: as('int32'),
  UInt32: as('int64', call('toInt64')),
  Int64: as('int64'),
  UInt64: as('uint64'),
  Float32: as('float32'),
  Float64: as('float64'),
  'Array(String)': as('string[]'),
  // A NULL that is no more than that.
  Nothing: as('string', () => "CAST(NULL, 'Nullable(String)')"),
};

/** `type` as the event store names it. */
export function conversionOf(type: string): Conversion {
  const bare = /^Nullable\((.*)\)$/.exec(withoutCardinality(type))?.[1] ?? withoutCardinality(type);
  if (Object.hasOwn(PLAIN, bare)) return PLAIN[bare]!;
  if (/^(DateTime|Date)/.test(bare)) return as('timestamp', (expression) => `toDateTime64(${expression}, 6, 'UTC')`);
  if (/^(Array|Map|Tuple)\(/.test(bare)) return as('json', call('toJSONString'));
  return as('string', call('toString'));
}

const withoutCardinality = (type: string): string => type.replace(/LowCardinality\(((?:[^()]|\([^()]*\))*)\)/g, '$1');
