// The way past a share's password: a signed token that says which password was given, good for a day.
import { throttled } from '../../http/errors.ts';
import { isDict } from '../../http/fields.ts';
import type { OpenContext } from '../../http/route.ts';
import type { SharingConfigurationRow } from '../../metadata/tables.ts';
import { sameText, sign } from '../../platform/secret-key.ts';
import { passwordMatches } from '../../projects/access/passwords.ts';
import type { Db } from '../sql.ts';
import { countFailures, FAILURE_WINDOW_SECONDS, listPasswords, noteFailure } from './sql.ts';

const TOKEN_SECONDS = 24 * 60 * 60;
const FAILURES_MAX = 20;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const HEADER = encode({ alg: 'HS256', typ: 'JWT' });
const signed = (secretKey: string, content: string) => sign(secretKey, 'share', content);

interface Claims {
  share: number;
  password: number;
  /** Seconds since 1970. */
  exp: number;
}

export function makeShareToken(secretKey: string, claims: Claims): string {
  const content = `${HEADER}.${encode(claims)}`;
  return `${content}.${signed(secretKey, content)}`;
}

export function readShareToken(secretKey: string, token: string, nowMs: number): Claims | undefined {
  const [header, payload = '', signature = ''] = token.split('.');
  if (!sameText(signature, signed(secretKey, `${header}.${payload}`))) return undefined;
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const isCurrent = isDict(claims) && typeof claims.exp === 'number' && claims.exp * 1000 > nowMs;
  return isCurrent ? (claims as unknown as Claims) : undefined;
}

const cookieOf = ({ id }: SharingConfigurationRow) => `share_${id}`;

type Visit = Pick<OpenContext, 'headers' | 'cookies'>;

/** Whether this visitor may see it: no password is asked for, or theirs is still one of the share's. */
export async function isUnlocked(
  db: Db,
  secretKey: string,
  share: SharingConfigurationRow,
  { headers, cookies }: Visit,
  nowMs: number,
): Promise<boolean> {
  if (!share.password_required) return true;
  const bearer = /^Bearer\s+(\S+)$/.exec(String(headers.authorization ?? ''))?.[1];
  const claims = readShareToken(secretKey, bearer ?? cookies[cookieOf(share)] ?? '', nowMs);
  if (claims?.share !== share.id) return false;
  return (await listPasswords(db, share.id)).some(({ id }) => id === claims.password);
}

export interface Unlocked {
  shareToken: string;
  cookie: string;
}

/** Undefined: the password is wrong. Guessing is slowed down for each address and share. */
export async function unlock(
  db: Db,
  secretKey: string,
  share: SharingConfigurationRow,
  { password, ip, secure }: { password: string; ip: string; secure: boolean },
  nowMs: number,
): Promise<Unlocked | undefined> {
  const subject = `share:${share.id}:${ip}`;
  if ((await countFailures(db, subject)) >= FAILURES_MAX) throw throttled(FAILURE_WINDOW_SECONDS);
  for (const { id, password_hash } of await listPasswords(db, share.id)) {
    if (!(await passwordMatches(password_hash, password))) continue;
    const exp = Math.floor(nowMs / 1000) + TOKEN_SECONDS;
    const shareToken = makeShareToken(secretKey, { share: share.id, password: id, exp });
    const attributes = `Path=/; Max-Age=${TOKEN_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
    return { shareToken, cookie: `${cookieOf(share)}=${shareToken}; ${attributes}` };
  }
  await noteFailure(db, subject);
  return undefined;
}
