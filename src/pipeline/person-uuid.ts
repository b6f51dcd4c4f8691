import { createHash } from 'node:crypto';

const NAMESPACE = Buffer.from('932979b465c3442484670b66ec27bc22', 'hex');

/** The id of the person that a distinct id begins with: a UUID of version 5, the same on every server. */
export function personUuid(team_id: number, distinct_id: string): string {
  const digest = createHash('sha1').update(NAMESPACE).update(`${team_id}:${distinct_id}`).digest();
  digest[6] = (digest[6]! & 0x0f) | 0x50;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
