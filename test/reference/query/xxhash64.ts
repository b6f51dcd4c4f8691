// XXH64 of a text, seed 0, from its public description: the order in which paths take places of one moment.

const MASK = (1n << 64n) - 1n;
const [P1, P2, P3, P4, P5] = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
] as const;

const times = (one: bigint, other: bigint) => (one * other) & MASK;
const turn = (value: bigint, by: bigint) => ((value << by) | (value >> (64n - by))) & MASK;
const round = (lane: bigint, input: bigint) => times(turn((lane + times(input, P2)) & MASK, 31n), P1);

export function xxHash64(text: string): bigint {
  const bytes = Buffer.from(text);
  let at = 0;
  let hash: bigint = P5;
  if (bytes.length >= 32) {
    const lanes = [(P1 + P2) & MASK, P2, 0n, (MASK + 1n - P1) & MASK];
    for (; at + 32 <= bytes.length; at += 32) {
      for (const lane of [0, 1, 2, 3]) lanes[lane] = round(lanes[lane]!, bytes.readBigUInt64LE(at + lane * 8));
    }
    const [one, two, three, four] = lanes as [bigint, bigint, bigint, bigint];
    hash = (turn(one, 1n) + turn(two, 7n) + turn(three, 12n) + turn(four, 18n)) & MASK;
    for (const lane of lanes) hash = (times(hash ^ round(0n, lane), P1) + P4) & MASK;
  }
  hash = (hash + BigInt(bytes.length)) & MASK;
  for (; at + 8 <= bytes.length; at += 8) {
    hash = (times(turn(hash ^ round(0n, bytes.readBigUInt64LE(at)), 27n), P1) + P4) & MASK;
  }
  for (; at + 4 <= bytes.length; at += 4) {
    hash = (times(turn(hash ^ times(BigInt(bytes.readUInt32LE(at)), P1), 23n), P2) + P3) & MASK;
  }
  for (; at < bytes.length; at += 1) hash = times(turn(hash ^ times(BigInt(bytes[at]!), P5), 11n), P1);
  hash = times(hash ^ (hash >> 33n), P2);
  hash = times(hash ^ (hash >> 29n), P3);
  return hash ^ (hash >> 32n);
}
