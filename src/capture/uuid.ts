// Event ids: recognising those that clients send, making those they leave out.
import { randomFillSync } from 'node:crypto';

const USUAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ANY_UUID = /^(?:urn:uuid:|\{)?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i;

/** The usual form of any UUID, whatever its version; undefined when the text is none. */
export function parseUuid(text: string): string | undefined {
  if (USUAL_UUID.test(text)) return text;
  const match = ANY_UUID.exec(text);
  return match ? match.slice(1).join('-').toLowerCase() : undefined;
}

const RANDOM_BYTES = 10;
const pool = Buffer.alloc(RANDOM_BYTES * 256);
let poolAt = pool.length;

/** A new UUID of version 7: it sorts by the given time, to the millisecond. */
export function makeUuidV7(nowMs: number): string {
  if (poolAt === pool.length) {
    randomFillSync(pool);
    poolAt = 0;
  }
  const random = pool.toString('hex', poolAt, poolAt + RANDOM_BYTES);
  const variant = (8 + (pool[poolAt]! & 3)).toString(16);
  poolAt += RANDOM_BYTES;
  const time = Math.max(0, Math.floor(nowMs)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(2, 5)}-${variant}${random.slice(5, 8)}-${random.slice(8)}`;
}
