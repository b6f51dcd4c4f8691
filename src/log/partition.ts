// Which partition a key belongs to: the same everywhere, for ever, because the order of a person's events hangs on it.

/**
 * The partition that Kafka's own default partitioner gives this key: murmur2 of its UTF-8 bytes, without the sign bit,
 * modulo the number of partitions. Every Kafka client can reproduce it, so records may be produced by other programs.
 */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions;
}

const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/** Austin Appleby's MurmurHash2, 32 bits, with the seed that Kafka uses; the result is signed as Kafka's is. */
export function murmur2(bytes: Uint8Array): number {
  const length = bytes.length;
  const whole = length & ~3;
  let hash = SEED ^ length;
  for (let at = 0; at < whole; at += 4) {
    let word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    word = Math.imul(word, M);
    word ^= word >>> 24;
    hash = Math.imul(hash, M) ^ Math.imul(word, M);
  }
  if (length - whole === 3) hash ^= bytes[whole + 2]! << 16;
  if (length - whole >= 2) hash ^= bytes[whole + 1]! << 8;
  if (length - whole >= 1) hash = Math.imul(hash ^ bytes[whole]!, M);
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}
