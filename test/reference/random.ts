// Randomness that can be repeated: the same seed gives the same numbers on every machine (mulberry32).

export interface Random {
  /** From 0, included, to 1, not. */
  next(): number;
  /** A whole number from 0, included, to `below`, not. */
  below(below: number): number;
  pick<T>(choices: readonly T[]): T;
  chance(probability: number): boolean;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (choices) => choices[below(choices.length)]!,
    chance: (probability) => next() < probability,
  };
}
