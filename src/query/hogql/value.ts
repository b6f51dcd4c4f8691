// SQL together with what is known about its value, which decides how it is compared and shown.
import type { BoundValues } from '../../filters/bound-values.ts';
import { jsonOperand } from '../../filters/sql.ts';
import type { ValueSql } from '../sql/events-sql.ts';

export type TypeName = 'string' | 'number' | 'bool' | 'datetime' | 'date' | 'uuid' | 'json' | 'unknown';

export interface Value {
  sql: string;
  type: TypeName;
  nullable: boolean;
  /** Of a time: the same moment without the project's zone, by which the engine finds its rows quicker. */
  instant?: string;
  /** Of a text: it comes from a property, whose type is not known; where a number is meant it is read as one. */
  isLoose?: boolean;
}

export const value = (sql: string, type: TypeName = 'unknown', nullable = false): Value => ({ sql, type, nullable });

/** A time as the project's clocks show it. */
export function timeValue(sql: string, timezone: string, bound: BoundValues, nullable = false): Value {
  if (timezone === 'UTC') return { ...value(sql, 'datetime', nullable), instant: sql };
  return { ...value(`toTimeZone(${sql}, ${bound.text(timezone)})`, 'datetime', nullable), instant: sql };
}

/** What the definitions of properties say; undefined: nothing, and it is a text. */
export type DefinedType = 'String' | 'Numeric' | 'Boolean' | 'DateTime' | undefined;

/** A property as the type that its definition has; null when there is none, or none of that type. */
export function propertyValue(
  { text, isSet, number }: ValueSql,
  defined: DefinedType,
  timezone: string,
  bound: BoundValues,
): Value {
  switch (defined) {
    case 'Numeric':
      return value(number, 'number', true);
    case 'Boolean':
      return value(`multiIf(${text} = 'true', true, ${text} = 'false', false, NULL)`, 'bool', true);
    case 'DateTime': {
      const zone = timezone === 'UTC' ? "'UTC'" : bound.text(timezone);
      const time = `parseDateTime64BestEffortOrNull(${text}, 6, ${zone})`;
      return { ...value(time, 'datetime', true), instant: time };
    }
    default:
      return { ...value(`if(${isSet}, ${text}, NULL)`, 'string', true), isLoose: true };
  }
}

/** What lies at the path inside a JSON text. Numbers in a path count from 1; a negative one from the end. */
export function jsonPath(json: string, path: readonly (string | number)[], bound: BoundValues): ValueSql {
  const steps = path.map((step) => (typeof step === 'number' ? bound.bind('Int64', step) : bound.text(step)));
  const found = `JSONExtractRaw(${json}, ${steps.join(', ')})`;
  const { text, isSet } = jsonOperand(found);
  return { json: found, text, isSet, number: `toFloat64OrNull(${text})` };
}

export const asNumber = (given: Value): string =>
  given.isLoose || given.type === 'json' ? `toFloat64OrNull(${given.sql})` : given.sql;
