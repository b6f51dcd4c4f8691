// Configurations of destinations at rest: encrypted whole, since they hold credentials to other people's systems.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Stands before every text, so that another way of encrypting could be told apart one day. */
const VERSION = 'v1:';

export interface Vault {
  /** `place` is bound into the text: it opens for the same export only. */
  seal(value: Readonly<Record<string, unknown>>, place: string): string;
  open(sealed: string, place: string): Record<string, unknown>;
}

export function openVault(secretKey: string): Vault {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'batch export configurations', KEY_BYTES));
  return {
    seal(value, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(place));
      const hidden = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
      return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64');
    },
    open(sealed, place) {
      try {
        const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64');
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(place))
          .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const shown = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
        return JSON.parse(shown.toString());
      } catch (error) {
        throw new Error(
          'The stored configuration cannot be decrypted: TENREC_SECRET_KEY is not the one it was encrypted with. Bring the key back, or give the export its credentials again.',
          { cause: error },
        );
      }
    },
  };
}
