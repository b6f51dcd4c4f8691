import { type Kysely, sql } from 'kysely';
import type { Page } from '../../http/paging.ts';
import type {
  AccountRow,
  Database,
  InviteRow,
  MembershipLevel,
  MembershipRow,
  OrganizationRow,
  ProjectRow,
} from '../../metadata/tables.ts';
import { inTransaction } from '../../metadata/transaction.ts';
import { randomText } from '../../platform/random.ts';
import { ADMIN, OWNER } from '../access/levels.ts';

type Db = Kysely<Database>;

/** The projects and the number of members of an organization. */
export async function findOrganizationParts(
  db: Db,
  id: string,
): Promise<{ projects: ProjectRow[]; member_count: number }> {
  const projects = await db.selectFrom('project').selectAll().where('organization_id', '=', id).orderBy('id').execute();
  const { member_count } = await db
    .selectFrom('membership')
    .select(sql<number>`count(*)::int`.as('member_count'))
    .where('organization_id', '=', id)
    .executeTakeFirstOrThrow();
  return { projects, member_count };
}

/** Makes an organization with its owner, who works in it from now on. */
export function insertOrganization(db: Db, name: string, owner_id: number): Promise<OrganizationRow> {
  return inTransaction(db, async (tx) => {
    const slug = `${
      name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 40) || 'organization'
    }`;
    const taken = await tx.selectFrom('organization').select('id').where('slug', '=', slug).executeTakeFirst();
    const organization = await tx
      .insertInto('organization')
      .values({ name, slug: taken ? `${slug}-${randomText(4).toLowerCase()}` : slug })
      .returningAll()
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('membership')
      .values({ organization_id: organization.id, user_id: owner_id, level: OWNER })
      .execute();
    await tx
      .updateTable('account')
      .set({ current_organization_id: organization.id, current_project_id: null })
      .where('id', '=', owner_id)
      .execute();
    return organization;
  });
}

export function updateOrganization(
  db: Db,
  id: string,
  changes: Partial<Pick<OrganizationRow, 'name' | 'members_can_invite' | 'members_can_use_personal_api_keys'>>,
): Promise<OrganizationRow> {
  return db
    .updateTable('organization')
    .set({ ...changes, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findOrganizationName(db: Db, id: string): Promise<string> {
  const { name } = await db.selectFrom('organization').select('name').where('id', '=', id).executeTakeFirstOrThrow();
  return name;
}

export async function deleteOrganization(db: Db, id: string): Promise<void> {
  await db.deleteFrom('organization').where('id', '=', id).execute();
}

// Members

export interface MemberRows {
  membership: MembershipRow;
  user: AccountRow;
}

function membersOf(db: Db, organization_id: string) {
  return db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.user_id')
    .selectAll('account')
    .select(['membership.id as membership_id', 'membership.level', 'membership.joined_at', 'membership.updated_at'])
    .where('membership.organization_id', '=', organization_id);
}

type JoinedMember = AccountRow & {
  membership_id: string;
  level: MembershipLevel;
  joined_at: string;
  updated_at: string;
};

function split(
  organization_id: string,
  { membership_id, level, joined_at, updated_at, ...user }: JoinedMember,
): MemberRows {
  return { user, membership: { id: membership_id, organization_id, user_id: user.id, level, joined_at, updated_at } };
}

export async function listMembers(
  db: Db,
  organization_id: string,
  { limit, offset }: Page,
): Promise<{ count: number; members: MemberRows[] }> {
  const { member_count } = await findOrganizationParts(db, organization_id);
  const rows = await membersOf(db, organization_id)
    .orderBy('membership.joined_at', 'desc')
    .orderBy('membership.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { count: member_count, members: rows.map((row) => split(organization_id, row)) };
}

export async function findMember(db: Db, organization_id: string, user_uuid: string): Promise<MemberRows | undefined> {
  const row = await membersOf(db, organization_id).where('account.uuid', '=', user_uuid).executeTakeFirst();
  return row && split(organization_id, row);
}

/** Sets a member's level. A new owner takes the place of the old one, who becomes an admin. */
export function updateLevel(
  db: Db,
  organization_id: string,
  user_id: number,
  level: MembershipLevel,
): Promise<MembershipRow> {
  return inTransaction(db, async (tx) => {
    if (level === OWNER) {
      await tx
        .updateTable('membership')
        .set({ level: ADMIN, updated_at: sql`clock_timestamp()` })
        .where('organization_id', '=', organization_id)
        .where('level', '=', OWNER)
        .execute();
    }
    return tx
      .updateTable('membership')
      .set({ level, updated_at: sql`clock_timestamp()` })
      .where('organization_id', '=', organization_id)
      .where('user_id', '=', user_id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Ends a membership. Whoever was working in that organization works in another of theirs, or in none. */
export async function deleteMembership(db: Db, organization_id: string, user_id: number): Promise<void> {
  await db
    .deleteFrom('membership')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .execute();
  await sql`
    update account
       set current_organization_id = next.organization_id,
           current_project_id = (select min(id) from project where organization_id = next.organization_id)
      from (select (select organization_id from membership where user_id = ${user_id} order by joined_at limit 1)) next
     where id = ${user_id} and current_organization_id = ${organization_id}`.execute(db);
}

/** Adds a member once; a second time changes nothing. The new member works in this organization from now on. */
export async function insertMembership(
  db: Db,
  organization_id: string,
  user_id: number,
  level: MembershipLevel,
): Promise<void> {
  await db
    .insertInto('membership')
    .values({ organization_id, user_id, level })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await sql`
    update account
       set current_organization_id = ${organization_id},
           current_project_id = (select min(id) from project where organization_id = ${organization_id})
     where id = ${user_id}`.execute(db);
}

// Invites

export interface InviteRows {
  invite: InviteRow;
  createdBy: AccountRow | null;
}

async function withCreators(db: Db, invites: InviteRow[]): Promise<InviteRows[]> {
  const ids = invites.flatMap(({ created_by_id }) => created_by_id ?? []);
  const creators = ids.length ? await db.selectFrom('account').selectAll().where('id', 'in', ids).execute() : [];
  return invites.map((invite) => ({
    invite,
    createdBy: creators.find(({ id }) => id === invite.created_by_id) ?? null,
  }));
}

export async function listInvites(
  db: Db,
  organization_id: string,
  { limit, offset }: Page,
): Promise<{ count: number; invites: InviteRows[] }> {
  const base = db.selectFrom('invite').where('organization_id', '=', organization_id);
  const { count } = await base.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  const rows = await base.selectAll().orderBy('created_at', 'desc').orderBy('id').limit(limit).offset(offset).execute();
  return { count, invites: await withCreators(db, rows) };
}

/** An earlier invite of the same person is replaced. */
export function insertInvite(
  db: Db,
  invite: Pick<InviteRow, 'organization_id' | 'target_email' | 'first_name' | 'level' | 'message' | 'created_by_id'>,
): Promise<InviteRow> {
  return inTransaction(db, async (tx) => {
    await tx
      .deleteFrom('invite')
      .where('organization_id', '=', invite.organization_id)
      .where(sql<string>`lower(target_email)`, '=', invite.target_email.toLowerCase())
      .execute();
    return tx.insertInto('invite').values(invite).returningAll().executeTakeFirstOrThrow();
  });
}

export function findInvite(db: Db, id: string): Promise<InviteRow | undefined> {
  return db.selectFrom('invite').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function deleteInvite(db: Db, id: string): Promise<void> {
  await db.deleteFrom('invite').where('id', '=', id).execute();
}

export async function isMemberByEmail(db: Db, organization_id: string, email: string): Promise<boolean> {
  const row = await membersOf(db, organization_id)
    .where(sql<string>`lower(account.email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  return row !== undefined;
}
