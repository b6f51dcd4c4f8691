// How the values of properties and filters are read as texts, numbers and booleans. Every operator reads them this way.

/** Text as it is; numbers in their shortest form; everything else as compact JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITY = /^([+-]?)inf(?:inity)?$/i;

/** A number, or a text that is one without anything around it; undefined otherwise. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  if (NUMBER.test(value)) return Number(value);
  const infinite = INFINITY.exec(value);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  return undefined;
}

/** A boolean, its name in any case, or a list of nothing else. */
export function isBooleanLike(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isBooleanLike);
  return typeof value === 'boolean' || (typeof value === 'string' && /^(?:true|false)$/i.test(value));
}

/** True, its name in any case, or a list of nothing else. Whatever is not true is false, also what is no boolean. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isTrue);
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
}

/** Only the letters A to Z: the operators that search inside a text leave all others as they are. */
export function toLowerAscii(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
