// Statements about the people who were invited to edit a restricted dashboard.
import { sql } from 'kysely';
import type { AccountRow, MembershipLevel, RestrictionLevel } from '../../metadata/tables.ts';
import type { Db } from '../sql.ts';

export interface Collaborator {
  id: string;
  dashboard_id: number;
  level: RestrictionLevel;
  added_at: string;
  updated_at: string;
  user: AccountRow;
}

/** Those whose accounts are active, in the order they were added. */
export async function listCollaborators(db: Db, dashboard_id: number): Promise<Collaborator[]> {
  const rows = await db
    .selectFrom('dashboard_collaborator as collaborator')
    .innerJoin('account', 'account.id', 'collaborator.user_id')
    .selectAll('account')
    .select(['collaborator.id as collaborator_id', 'collaborator.level', 'collaborator.added_at'])
    .select('collaborator.updated_at')
    .where('collaborator.dashboard_id', '=', dashboard_id)
    .where('account.is_active', '=', true)
    .orderBy('collaborator.added_at')
    .orderBy('collaborator.id')
    .execute();
  return rows.map(({ collaborator_id, level, added_at, updated_at, ...user }) => ({
    id: collaborator_id,
    dashboard_id,
    level,
    added_at,
    updated_at,
    user,
  }));
}

export interface Candidate {
  user: AccountRow;
  /** In the organization of the project; null: none. */
  membership_level: MembershipLevel | null;
}

/** The active account with this uuid. */
export async function findCandidate(db: Db, organization_id: string, uuid: string): Promise<Candidate | undefined> {
  const row = await db
    .selectFrom('account')
    .leftJoin('membership', (join) =>
      join.onRef('membership.user_id', '=', 'account.id').on('membership.organization_id', '=', organization_id),
    )
    .selectAll('account')
    .select('membership.level as membership_level')
    .where('account.uuid', '=', uuid)
    .where('account.is_active', '=', true)
    .executeTakeFirst();
  if (!row) return undefined;
  const { membership_level, ...user } = row;
  return { user, membership_level };
}

/** Undefined: the person is a collaborator already. */
export function insertCollaborator(
  db: Db,
  collaborator: { dashboard_id: number; user_id: number; level: RestrictionLevel },
): Promise<Omit<Collaborator, 'user'> | undefined> {
  return db
    .insertInto('dashboard_collaborator')
    .values(collaborator)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'dashboard_id', 'level', 'added_at', 'updated_at'])
    .executeTakeFirst();
}

/** The person who was removed; undefined when they were none. */
export async function deleteCollaborator(
  db: Db,
  dashboard_id: number,
  user_uuid: string,
): Promise<{ user_id: number; level: RestrictionLevel } | undefined> {
  const { rows } = await sql<{ user_id: number; level: RestrictionLevel }>`
    delete from dashboard_collaborator collaborator using account
     where collaborator.dashboard_id = ${dashboard_id}
       and account.id = collaborator.user_id and account.uuid = ${user_uuid}
    returning collaborator.user_id, collaborator.level`.execute(db);
  return rows[0];
}
