// Signing in with e-mail and password, throttled per account and per address, across all processes.
import { type Kysely, sql } from 'kysely';
import { invalid, throttled } from '../../http/errors.ts';
import type { AccountRow, Database } from '../../metadata/tables.ts';
import { hashPassword, passwordMatches } from './passwords.ts';

const WINDOW_SECONDS = 15 * 60;
const FAILURES_PER_ACCOUNT_MAX = 10;
/** Many people may share one address. */
const FAILURES_PER_ADDRESS_MAX = 100;

/** The account behind the credentials, or a refusal that does not tell which of the two was wrong. */
export async function signIn(
  db: Kysely<Database>,
  { email, password, ip }: { email: string; password: string; ip: string },
): Promise<AccountRow> {
  const subjects = [
    { subject: `account:${email.toLowerCase()}`, max: FAILURES_PER_ACCOUNT_MAX },
    { subject: `address:${ip}`, max: FAILURES_PER_ADDRESS_MAX },
  ];
  for (const { subject, max } of subjects) await requireRoom(db, subject, max);

  // Noted before the slow comparison, so that many attempts at once are counted too; taken back on success.
  const noted = subjects.map(({ subject }) => ({ subject }));
  const attempts = await db.insertInto('sign_in_failure').values(noted).returningAll().execute();
  const account = await findAccountByEmail(db, email);
  const matches = await passwordMatches(account?.password_hash, password);
  if (!account || !matches || !account.is_active) {
    throw invalid('Invalid email or password.', null, 'invalid_credentials');
  }
  await forgetFailures(db, attempts);
  return account;
}

async function requireRoom(db: Kysely<Database>, subject: string, max: number): Promise<void> {
  const { rows } = await sql<{ count: number; wait: number }>`
    select count(*)::int as count,
           ceil(${WINDOW_SECONDS} - extract(epoch from clock_timestamp() - min(failed_at)))::int as wait
      from (select failed_at from sign_in_failure
             where subject = ${subject} and failed_at > clock_timestamp() - make_interval(secs => ${WINDOW_SECONDS})
             order by failed_at desc limit ${max}) recent`.execute(db);
  const [recent] = rows;
  if (recent && recent.count >= max) throw throttled(Math.max(1, recent.wait));
}

async function forgetFailures(
  db: Kysely<Database>,
  attempts: readonly { subject: string; failed_at: string }[],
): Promise<void> {
  const account = attempts[0]?.subject ?? '';
  const address = attempts[1];
  await sql`
    delete from sign_in_failure
     where subject = ${account}
        or (subject = ${address?.subject ?? ''} and failed_at = ${address?.failed_at ?? null}::timestamptz)
        or failed_at < clock_timestamp() - make_interval(secs => ${WINDOW_SECONDS})`.execute(db);
}

export function findAccountByEmail(db: Kysely<Database>, email: string): Promise<AccountRow | undefined> {
  return db
    .selectFrom('account')
    .selectAll()
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
}

export async function setPassword(db: Kysely<Database>, user_id: number, password: string): Promise<void> {
  const password_hash = await hashPassword(password);
  await db.updateTable('account').set({ password_hash }).where('id', '=', user_id).execute();
}
