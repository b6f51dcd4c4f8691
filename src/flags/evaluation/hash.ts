// Where somebody stands on the line from 0 to 1, the same on every server and in every SDK.
import { hash } from 'node:crypto';

/** The largest number of fifteen hexadecimal digits, as the double that every SDK divides by. */
const FIFTEEN_HEX_DIGITS_MAX = 2 ** 60;

/** An empty identifier stands at 0, inside every rollout. */
export function linePosition(prefix: string, identifier: string, salt = ''): number {
  if (identifier === '') return 0;
  const digest = hash('sha1', prefix + identifier + salt, 'hex');
  return Number.parseInt(digest.slice(0, 15), 16) / FIFTEEN_HEX_DIGITS_MAX;
}

/** Null is everybody. `position` is only asked for when it decides. */
export function isInRollout(percentage: number | null, position: () => number): boolean {
  if (percentage === null || percentage >= 100) return true;
  return position() <= percentage / 100;
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
