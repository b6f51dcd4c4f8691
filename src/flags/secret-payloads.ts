// Payloads that only servers with a key may read: encrypted at rest, and stars to everybody else.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { isObject } from './evaluation/values.ts';

/** What such a payload looks like to the public: JSON in a text, as any other. */
export const HIDDEN_PAYLOAD = '"********* (encrypted)"';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Stands before every encrypted text, so that it is known for one. */
const MARK = 'sealed:v1:';

type Filters = Record<string, unknown>;

export interface PayloadVault {
  /** Filters whose payloads are encrypted. One that came back as stars is what it was before. */
  seal(team_id: number, filters: Filters, before: Filters): Filters;
  /** A payload as it was written; those that were never encrypted stay as they are. */
  open(team_id: number, payload: unknown): unknown;
}

export function openPayloadVault(secretKey: string): PayloadVault {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'payloads of feature flags', 32));

  // The project is part of it, so that a text does not open anywhere else.
  const encrypt = (team_id: number, text: string) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(String(team_id)));
    const hidden = Buffer.concat([cipher.update(text), cipher.final()]);
    return MARK + Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64');
  };

  return {
    seal(team_id, filters, before) {
      const known = payloadsOf(before);
      return mapPayloads(filters, (payload, name) => {
        if (payload === HIDDEN_PAYLOAD) return known[name] ?? null;
        return isSealed(payload) ? payload : encrypt(team_id, String(payload));
      });
    },
    open(team_id, payload) {
      if (!isSealed(payload)) return payload;
      const bytes = Buffer.from(payload.slice(MARK.length), 'base64');
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(String(team_id)))
          .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const shown = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
        return shown.toString();
      } catch (error) {
        throw new Error(
          'A payload cannot be decrypted: TENREC_SECRET_KEY is not the one it was encrypted with. Bring the key back, or give the flag its payload again.',
          { cause: error },
        );
      }
    },
  };
}

const isSealed = (payload: unknown): payload is string => typeof payload === 'string' && payload.startsWith(MARK);

const payloadsOf = ({ payloads }: Filters): Record<string, unknown> => (isObject(payloads) ? payloads : {});

function mapPayloads(filters: Filters, change: (payload: unknown, name: string) => unknown): Filters {
  if (!isObject(filters.payloads)) return filters;
  const changed = Object.entries(filters.payloads).map(([name, payload]) => [name, change(payload, name)]);
  return { ...filters, payloads: Object.fromEntries(changed) };
}

/** The filters of a flag as everybody may see them. */
export const withoutSecrets = (flag: { filters: Filters; has_encrypted_payloads: boolean }): Filters =>
  flag.has_encrypted_payloads ? mapPayloads(flag.filters, () => HIDDEN_PAYLOAD) : flag.filters;
