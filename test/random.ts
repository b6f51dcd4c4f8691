// Seeded randomness: a failing test names its seed, and the same seed fails the same way again.

export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 up to, not including, `below`. */
  int(below: number): number;
  pick<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
  bytes(length: number): Buffer;
}

/** Mulberry32: small, quick, good enough for tests. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    pick: (items) => items[int(items.length)] as never,
    chance: (probability) => next() < probability,
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(256))),
  };
}

/** The seed of this run: given, or a new one; always printed with a failure. */
export const seedOfRun = Number(process.env.TENREC_TEST_SEED ?? Date.now() % 1_000_000_000);

/** Long forms run when asked for by `npm run test:long`. */
export const isLong = process.env.TENREC_TEST_LONG === '1';
