// JSON that survives the way through JavaScript. `JSON.parse` rounds 12345678901234567890 and turns 1.0 into 1; here a
// number that JavaScript would write differently stays a raw piece of JSON, which `JSON.stringify` writes as it was.

export type Json = string | number | boolean | null | RawNumber | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}
/** A number kept by its text, because a JavaScript number would change it. */
export interface RawNumber {
  readonly rawJSON: string;
}

// The standard library's types do not know these two yet; Node 24 has them.
interface JsonWithRaw {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
  parse(text: string, reviver: (key: string, value: Json, context: { source: string }) => Json): Json;
}
const { rawJSON, isRawJSON, parse } = JSON as unknown as JsonWithRaw;

/**
 * Numbers that may not come back as written: many digits, an exponent, a zero at the end of a fraction, a minus zero.
 * It also finds some that would, and text inside strings; those only take the slower way to the same result.
 */
const RISKY_NUMBER = /[:[,]\s*-?(?:\d[\d.]{15}|\d+\.\d*0(?!\d)|0\.0{5}|\d[\d.]*[eE]|(?<=-)0)|^\s*-?\d/;

/**
 * JSON text in which nothing needs care: every number is what JavaScript makes of it, and no character is written as a
 * `\\u` escape, which is the only way that NUL and halves of surrogate pairs come in. True of nearly all events.
 */
export function isPlainJson(text: string): boolean {
  // With escapes, a quote is not always the end of a string.
  if (text.includes('\\')) return !text.includes('\\u') && !RISKY_NUMBER.test(text);
  return !hasRiskyNumber(text);
}

const QUOTE = 0x22;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_E = 0x65;
const UPPER_E = 0x45;
/** So many characters of digits are as exact in JavaScript as on paper. */
const SAFE_CHARACTERS_MAX = 15;

/** As `RISKY_NUMBER` finds them, in a third of its time: strings are passed over by the search for their end. */
function hasRiskyNumber(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = text.indexOf('"', at + 1);
      if (at === -1) return true;
    } else if (code === MINUS) {
      if (text.charCodeAt(at + 1) === ZERO) return true;
    } else if (code >= ZERO && code <= NINE) {
      const end = endOfNumber(text, at);
      if (end === -1 || end - at > SAFE_CHARACTERS_MAX) return true;
      at = end - 1;
    }
  }
  return false;
}

/** Where the digits that begin here end; -1 when JavaScript might write the number differently. */
function endOfNumber(text: string, start: number): number {
  let hasFraction = false;
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LOWER_E || code === UPPER_E) return -1;
    if (code === DOT) hasFraction = true;
    else if (code < ZERO || code > NINE) break;
  }
  if (!hasFraction) return at;
  return text.charCodeAt(at - 1) === ZERO || text.startsWith('0.00000', start) ? -1 : at;
}

/** Parses JSON; every number is either exact or raw. Deep nesting must have been refused before. */
export function parseExact(text: string): Json {
  return RISKY_NUMBER.test(text) ? parse(text, keepNumber) : JSON.parse(text);
}

function keepNumber(_key: string, value: Json, { source }: { source: string }): Json {
  return typeof value === 'number' && String(value) !== source ? rawJSON(source) : value;
}

export const isRawNumber = (value: unknown): value is RawNumber => isRawJSON(value);

/** A JSON object: not an array, not null, not a raw number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value);
}

/** The object's own value. A plain read would find `constructor` and `__proto__` on every object. */
export function ownValue(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets the object's own value. A plain assignment to `__proto__` would change what the object inherits. */
export function setOwnValue(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
