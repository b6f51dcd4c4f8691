// PostgreSQL's jsonb takes almost every JSON value. What it refuses is changed here, as little as possible.
import { isJsonObject, isRawNumber, type Json, type JsonObject, setOwnValue } from '../capture/exact-json.ts';

/** Longer numbers may not fit; no counting, measuring or identifying needs them. */
const NUMBER_CHARACTERS_MAX = 1_000;
const EXPONENT_MAX = 1_000;

/** The same object with texts that are Unicode without NUL, and with numbers of a sensible length. */
export function toStorable(object: JsonObject): JsonObject {
  const storable: JsonObject = {};
  for (const [key, value] of Object.entries(object)) setOwnValue(storable, toStorableText(key), toStorableValue(value));
  return storable;
}

function toStorableValue(value: Json): Json {
  if (typeof value === 'string') return toStorableText(value);
  if (Array.isArray(value)) return value.map(toStorableValue);
  if (isRawNumber(value)) return fits(value.rawJSON) ? value : value.rawJSON;
  return isJsonObject(value) ? toStorable(value) : value;
}

/** NUL and halves of surrogate pairs become the sign for an unknown character. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** Only escapes bring such characters into JSON, and only such numbers are kept by their text. */
const DOUBTFUL = /\\u(?:0000|[dD][89a-fA-F])|\d{18}|\d[eE][+-]?\d{3}/;

/** Whether everything in this JSON text can be stored as it is: a quick look that settles nearly all events. */
export const isSurelyStorable = (json: string): boolean => !DOUBTFUL.test(json);

function fits(number: string): boolean {
  const exponent = Number(/[eE](.+)$/.exec(number)?.[1] ?? 0);
  return number.length <= NUMBER_CHARACTERS_MAX && Math.abs(exponent) <= EXPONENT_MAX;
}
