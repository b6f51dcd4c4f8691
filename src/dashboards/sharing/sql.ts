// Statements about shares: the public link of a dashboard or an insight, and the passwords before it.
import { randomBytes } from 'node:crypto';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { SharingConfigurationRow, SharingPasswordTable } from '../../metadata/tables.ts';
import type { Db } from '../sql.ts';

export type SharingPasswordRow = Selectable<SharingPasswordTable>;

/** What is shared. */
export type Shared = { dashboard_id: number } | { insight_id: number };

const TOKEN_BYTES = 22;
const newToken = () => randomBytes(TOKEN_BYTES).toString('base64url');

const matchShared = (shared: Shared) =>
  'dashboard_id' in shared
    ? sql<SqlBool>`dashboard_id = ${shared.dashboard_id}`
    : sql<SqlBool>`insight_id = ${shared.insight_id}`;

/** The share of a thing; made the first time anyone asks, so that its token is the same from then on. */
export async function getShare(db: Db, team_id: number, shared: Shared): Promise<SharingConfigurationRow> {
  const find = () => db.selectFrom('sharing_configuration').selectAll().where(matchShared(shared)).executeTakeFirst();
  const found = await find();
  if (found) return found;
  await db
    .insertInto('sharing_configuration')
    .values({ team_id, access_token: newToken(), ...shared })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Whoever came first made it.
  return (await find()) as SharingConfigurationRow;
}

export interface ShareChange {
  enabled?: boolean;
  password_required?: boolean;
  settings?: Record<string, unknown> | null;
}

export function updateShare(
  db: Db,
  id: number,
  { settings, ...columns }: ShareChange,
): Promise<SharingConfigurationRow> {
  return db
    .updateTable('sharing_configuration')
    .set({ ...columns, ...(settings !== undefined && { settings: JSON.stringify(settings) }) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const GRACE_SECONDS = 300;

/** A new token. The old one works a little longer, for pages that are open. */
export function rotateToken(db: Db, id: number): Promise<SharingConfigurationRow> {
  return db
    .updateTable('sharing_configuration')
    .set({
      access_token: newToken(),
      former_token: sql`access_token`,
      former_token_until: sql`now() + make_interval(secs => ${GRACE_SECONDS})`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The share that a token opens: enabled, and of something that was not deleted. */
export function findOpenShare(db: Db, token: string): Promise<SharingConfigurationRow | undefined> {
  return db
    .selectFrom('sharing_configuration as share')
    .leftJoin('dashboard', 'dashboard.id', 'share.dashboard_id')
    .leftJoin('insight', 'insight.id', 'share.insight_id')
    .selectAll('share')
    .where('share.enabled', '=', true)
    .where((eb) =>
      eb.or([
        eb('share.access_token', '=', token),
        eb.and([eb('share.former_token', '=', token), eb('share.former_token_until', '>', sql<string>`now()`)]),
      ]),
    )
    .where(sql<SqlBool>`coalesce(dashboard.deleted, insight.deleted) is false`)
    .executeTakeFirst();
}

// Passwords

export interface SharingPassword extends SharingPasswordRow {
  created_by_email: string | null;
}

export function listPasswords(db: Db, sharing_configuration_id: number): Promise<SharingPassword[]> {
  return db
    .selectFrom('sharing_password as password')
    .leftJoin('account', 'account.id', 'password.created_by_id')
    .selectAll('password')
    .select('account.email as created_by_email')
    .where('password.sharing_configuration_id', '=', sharing_configuration_id)
    .orderBy('password.id')
    .execute();
}

export function insertPassword(
  db: Db,
  password: { sharing_configuration_id: number; password_hash: string; note: string | null; created_by_id: number },
): Promise<SharingPasswordRow> {
  return db.insertInto('sharing_password').values(password).returningAll().executeTakeFirstOrThrow();
}

export async function deletePassword(db: Db, sharing_configuration_id: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sharing_password')
    .where('id', '=', id)
    .where('sharing_configuration_id', '=', sharing_configuration_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

// Wrong passwords, counted beside failed sign-ins; those of long ago are swept there.

const WINDOW_SECONDS = 15 * 60;

export async function countFailures(db: Db, subject: string): Promise<number> {
  const { count } = await db
    .selectFrom('sign_in_failure')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('subject', '=', subject)
    .where('failed_at', '>', sql<string>`clock_timestamp() - make_interval(secs => ${WINDOW_SECONDS})`)
    .executeTakeFirstOrThrow();
  return count;
}

export async function noteFailure(db: Db, subject: string): Promise<void> {
  await db.insertInto('sign_in_failure').values({ subject }).execute();
}

export { WINDOW_SECONDS as FAILURE_WINDOW_SECONDS };
