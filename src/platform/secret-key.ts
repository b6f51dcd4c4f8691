// The secret that signs cookies and encrypts stored credentials.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The given key, or the one kept in the data folder; made on first use. */
export function openSecretKey(given: string, dataFolder: string): string {
  if (given) return given;
  const path = join(dataFolder, 'secret-key');
  try {
    writeFileSync(path, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = readFileSync(path, 'utf8').trim();
  if (key.length < 32) throw new Error(`${path} is damaged: restore it from a backup, or set TENREC_SECRET_KEY.`);
  return key;
}

/** A text that only the holder of the key can make for this purpose and value. */
export function sign(secretKey: string, purpose: string, value: string): string {
  return createHmac('sha256', secretKey).update(`${purpose}\0${value}`).digest('base64url');
}

/** Compares without telling by its time where the two differ. */
export function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
