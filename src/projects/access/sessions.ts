// Signed-in browsers: a random cookie, of which the database keeps the digest, and a CSRF token bound to it.
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { permissionDenied } from '../../http/errors.ts';
import type { Database } from '../../metadata/tables.ts';
import { randomText } from '../../platform/random.ts';
import { sameText, sign } from '../../platform/secret-key.ts';

export const SESSION_COOKIE = 'sessionid';
export const CSRF_COOKIE = 'posthog_csrftoken';
const SESSION_SECONDS = 14 * 24 * 60 * 60;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

export const digestToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** Signs a user in; returns the headers that tell the browser. */
export async function openSession(
  db: Kysely<Database>,
  user_id: number,
  secretKey: string,
  secure: boolean,
): Promise<Record<string, string[]>> {
  const token = randomText(32);
  await db
    .insertInto('session')
    .values({
      token_digest: digestToken(token),
      user_id,
      expires_at: sql`now() + make_interval(secs => ${SESSION_SECONDS})`,
    })
    .execute();
  await db.deleteFrom('session').where('expires_at', '<', sql<string>`now()`).execute();
  const attributes = `Path=/; Max-Age=${SESSION_SECONDS}; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    'set-cookie': [
      `${SESSION_COOKIE}=${token}; HttpOnly; ${attributes}`,
      `${CSRF_COOKIE}=${csrfTokenFor(token, secretKey)}; ${attributes}`,
    ],
  };
}

export async function closeSession(db: Kysely<Database>, token: string | undefined): Promise<Record<string, string[]>> {
  if (token) await db.deleteFrom('session').where('token_digest', '=', digestToken(token)).execute();
  const gone = 'Path=/; Max-Age=0; SameSite=Lax';
  return { 'set-cookie': [`${SESSION_COOKIE}=; HttpOnly; ${gone}`, `${CSRF_COOKIE}=; ${gone}`] };
}

/** Ends every session of a user but the one given: after a change of password. */
export async function closeOtherSessions(db: Kysely<Database>, user_id: number, keptDigest: string): Promise<void> {
  await db.deleteFrom('session').where('user_id', '=', user_id).where('token_digest', '!=', keptDigest).execute();
}

const csrfTokenFor = (token: string, secretKey: string) => sign(secretKey, 'csrf', token);

/** A page on another site can make the browser send the cookie, but not read it to send the header. */
export function requireCsrf(method: string, sessionToken: string, header: unknown, secretKey: string): void {
  if (SAFE_METHODS.has(method)) return;
  if (typeof header !== 'string' || header === '') throw permissionDenied('CSRF Failed: CSRF token missing.');
  if (!sameText(header, csrfTokenFor(sessionToken, secretKey))) {
    throw permissionDenied("CSRF Failed: CSRF token from the 'X-Csrftoken' HTTP header incorrect.");
  }
}
