// What only the operator of the machine may ask: accounts, projects and keys of every organization.
import type { Kysely } from 'kysely';
import type {
  AccountRow,
  Database,
  MembershipLevel,
  OrganizationRow,
  PersonalApiKeyRow,
  ProjectRow,
} from '../metadata/tables.ts';

type Db = Kysely<Database>;

export interface AccountWithPlaces extends AccountRow {
  organizations: { id: string; name: string; level: MembershipLevel }[];
}

/** Every account, oldest first, with the organizations it belongs to. */
export async function listAccounts(db: Db): Promise<AccountWithPlaces[]> {
  const accounts = await db.selectFrom('account').selectAll().orderBy('id').execute();
  const memberships = await db
    .selectFrom('membership')
    .innerJoin('organization', 'organization.id', 'membership.organization_id')
    .select(['membership.user_id', 'membership.level', 'organization.id', 'organization.name'])
    .orderBy('membership.joined_at')
    .execute();
  const placesOf = Map.groupBy(memberships, ({ user_id }) => user_id);
  return accounts.map((account) => ({
    ...account,
    organizations: (placesOf.get(account.id) ?? []).map(({ id, name, level }) => ({ id, name, level })),
  }));
}

/** Lets an account in, or keeps it out. Its keys stop working with it; open sessions end for good. */
export async function setActive(db: Db, id: number, is_active: boolean): Promise<void> {
  await db.updateTable('account').set({ is_active }).where('id', '=', id).execute();
  if (!is_active) await endSessions(db, id);
}

export async function endSessions(db: Db, user_id: number): Promise<void> {
  await db.deleteFrom('session').where('user_id', '=', user_id).execute();
}

export function listOrganizations(db: Db): Promise<OrganizationRow[]> {
  return db.selectFrom('organization').selectAll().orderBy('created_at').orderBy('id').execute();
}

export interface ProjectWithPlace extends ProjectRow {
  organization_name: string;
}

export function listAllProjects(db: Db): Promise<ProjectWithPlace[]> {
  return db
    .selectFrom('project')
    .innerJoin('organization', 'organization.id', 'project.organization_id')
    .selectAll('project')
    .select('organization.name as organization_name')
    .orderBy('project.id')
    .execute();
}

export interface KeyWithOwner extends PersonalApiKeyRow {
  email: string;
}

/** Keys of everyone, or of one user, oldest first. */
export function listAllKeys(db: Db, user_id?: number): Promise<KeyWithOwner[]> {
  return db
    .selectFrom('personal_api_key')
    .innerJoin('account', 'account.id', 'personal_api_key.user_id')
    .selectAll('personal_api_key')
    .select('account.email')
    .$if(user_id !== undefined, (query) => query.where('personal_api_key.user_id', '=', user_id ?? 0))
    .orderBy('personal_api_key.created_at')
    .orderBy('personal_api_key.id')
    .execute();
}

export function findKeyById(db: Db, id: string): Promise<PersonalApiKeyRow | undefined> {
  return db.selectFrom('personal_api_key').selectAll().where('id', '=', id).executeTakeFirst();
}
