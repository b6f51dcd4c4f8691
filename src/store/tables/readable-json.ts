// JSON that the engine's parser takes. It refuses a whole text for one number beyond its range or one half of a
// surrogate pair, and would then find no property in it. Such texts are rare; they are kept beside as they were sent.

/** A quick look that also finds some harmless texts: a long or exponential number, a surrogate escape, an early depth. */
const SUSPICIOUS = /[:,[]\s*-?(?:\d{18}|\d[\d.]*[eE])|^\s*-?\d|\\u[dD][89a-fA-F]/;

/** Whole strings, and numbers outside of them. */
const TOKENS = /"(?:[^"\\]+|\\[\s\S])*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const SURROGATE = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\\\|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})/g;

const INTEGER_MIN = -(2n ** 63n);
const INTEGER_MAX = 2n ** 64n - 1n;

/** The same text when the engine can parse it; otherwise the nearest that it can. The text must be valid JSON. */
export function toReadableJson(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return text.replace(TOKENS, (token) => (token.startsWith('"') ? toReadableString(token) : toReadableNumber(token)));
}

/** A half of a surrogate pair becomes the sign for an unknown character. */
function toReadableString(token: string): string {
  return token.replace(SURROGATE, (whole, lone: string | undefined) => (lone === undefined ? whole : '\\ufffd'));
}

/** A number beyond the range becomes the nearest within. */
function toReadableNumber(token: string): string {
  const isInteger = /^-?\d+$/.test(token);
  if (isInteger && token.length < 19) return token;
  if (isInteger && fitsInteger(BigInt(token))) return token;
  const number = Number(token);
  if (!isInteger && Number.isFinite(number)) return token;
  if (Number.isFinite(number)) return number.toExponential();
  return String(Math.sign(number) * Number.MAX_VALUE);
}

const fitsInteger = (value: bigint): boolean => value >= INTEGER_MIN && value <= INTEGER_MAX;
