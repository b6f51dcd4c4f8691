// Where somebody stands on the line from 0 to 1, the same on every server and in every SDK.
import { hash } from 'node:crypto';

/** The largest number of fifteen hexadecimal digits, as the double that every SDK divides by. */
const FIFTEEN_HEX_DIGITS_MAX = 2 ** 60;

/** An empty identifier stands at 0, inside every rollout. */
export function linePosition(prefix: string, identifier: string, salt = ''): number {
  if (identifier === '') return 0;
  return firstDigits(hash('sha1', prefix + identifier + salt, 'binary')) / FIFTEEN_HEX_DIGITS_MAX;
}

/** The first fifteen hexadecimal digits of a digest, whose characters are its bytes, as a number. */
function firstDigits(digest: string): number {
  const byte = (at: number) => digest.charCodeAt(at);
  const eight = byte(0) * 2 ** 24 + byte(1) * 2 ** 16 + byte(2) * 2 ** 8 + byte(3);
  const seven = byte(4) * 2 ** 20 + byte(5) * 2 ** 12 + byte(6) * 2 ** 4 + (byte(7) >> 4);
  return eight * 2 ** 28 + seven;
}

/** Null is everybody. Nothing is hashed unless it decides. */
export function isInRollout(percentage: number | null, prefix: string, identifier: string): boolean {
  if (percentage === null || percentage >= 100) return true;
  return linePosition(prefix, identifier) <= percentage / 100;
}

export interface Variant {
  readonly key: string;
  readonly rollout_percentage: number;
}

/** The variant whose slice of the line holds this position; null when the slices leave a gap there. */
export function pickVariant(variants: readonly Variant[], position: number): string | null {
  let upTo = 0;
  for (const variant of variants) {
    upTo += variant.rollout_percentage / 100;
    if (position < upTo) return variant.key;
  }
  return null;
}
