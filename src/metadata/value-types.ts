// How PostgreSQL's values arrive in the program, where that differs from the client's defaults.
import { TypeOverrides, types } from 'pg';

const INT8 = 20;
const INT8_ARRAY = 1016;
const DATE = 1082;
const TIMESTAMPTZ = 1184;
const TIMESTAMPTZ_ARRAY = 1185;

/** For one pool's connections; the client's global table, which other users of `pg` share, stays as it is. */
export function valueTypes(): TypeOverrides {
  const parsers = new TypeOverrides();
  parsers.setTypeParser(INT8, parseInt8);
  parsers.setTypeParser(INT8_ARRAY, arrayOf(parseInt8));
  parsers.setTypeParser(DATE, (text) => text);
  parsers.setTypeParser(TIMESTAMPTZ, parseTimestamp);
  parsers.setTypeParser(TIMESTAMPTZ_ARRAY, arrayOf(parseTimestamp));
  return parsers;
}

/** The published type of `arrayParser` is that of a later version of the package. */
const arrays = types.arrayParser as unknown as {
  create<T>(text: string, parse: (entry: string) => T): { parse(): (T | null)[] };
};

const arrayOf =
  <T>(parse: (text: string) => T) =>
  (text: string): (T | null)[] =>
    arrays.create(text, parse).parse();

/** Ids and counts are numbers; beyond 2^53, where a number would lie, it stays a text. */
export function parseInt8(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

const TIMESTAMP = /^(\d{4,6})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(\.\d+)?([+-])(\d\d)(?::(\d\d)(?::(\d\d))?)?$/;

/**
 * The wire's form, ISO 8601 in UTC with microseconds: `2025-02-03T10:11:12.345678Z`, and without a fraction when that is
 * zero. Years beyond 9999 get their sign and six digits, as ISO 8601 wants. What ISO 8601 cannot say, `infinity` and
 * years before Christ, stays as PostgreSQL writes it.
 */
export function parseTimestamp(text: string): string {
  const match = TIMESTAMP.exec(text);
  if (!match) return text;
  const [, year, month, day, hour, minute, second, fraction, sign, ...offset] = match;
  const micros = fraction ? fraction.padEnd(7, '0') : '';
  const isUtc = offset.every((part) => part === undefined || part === '00');
  if (isUtc && year!.length === 4) return `${year}-${month}-${day}T${hour}:${minute}:${second}${micros}Z`;
  const [hours = 0, minutes = 0, seconds = 0] = offset.map((part) => Number(part ?? 0));
  const offsetSeconds = (hours * 60 + minutes) * 60 + seconds;
  const local = new Date(0);
  local.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  local.setUTCHours(Number(hour), Number(minute), Number(second) - (sign === '+' ? offsetSeconds : -offsetSeconds));
  return local.toISOString().replace(/\.\d{3}Z$/, `${micros}Z`);
}
