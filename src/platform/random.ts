import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Random bytes as base-62 text. */
export function randomText(bytes: number): string {
  return toBase62(randomBytes(bytes));
}

export function toBase62(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
  let text = '';
  do {
    text = ALPHABET[Number(rest % 62n)] + text;
    rest /= 62n;
  } while (rest > 0n);
  return text;
}
