// The very first start: an owner, an organization, a project and a key, given by the environment or made up.
import { type Kysely, sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from '../metadata/tables.ts';
import { inTransaction } from '../metadata/transaction.ts';
import { randomText } from '../platform/random.ts';
import { newPersonalApiKey, newProjectToken } from './access/credentials.ts';
import { hashPassword } from './access/passwords.ts';
import { insertKey } from './api-keys/sql.ts';
import { insertOrganization } from './organizations/sql.ts';
import { insertProject } from './sql.ts';
import { insertAccount, updateAccount } from './users/sql.ts';

export type BootstrapConfig = Pick<
  Config,
  | 'TENREC_BOOTSTRAP_EMAIL'
  | 'TENREC_BOOTSTRAP_PASSWORD'
  | 'TENREC_BOOTSTRAP_PROJECT_TOKEN'
  | 'TENREC_BOOTSTRAP_PERSONAL_API_KEY'
>;

/** What the first start prints, once. */
export interface FirstStart {
  email: string;
  password: string;
  projectToken: string;
  personalApiKey: string;
}

/** Fills an empty database, in one transaction; undefined when there are accounts already. */
export async function bootstrap(db: Kysely<Database>, config: BootstrapConfig): Promise<FirstStart | undefined> {
  if (await hasAccounts(db)) return undefined;
  const first: FirstStart = {
    email: config.TENREC_BOOTSTRAP_EMAIL || 'owner@localhost',
    password: config.TENREC_BOOTSTRAP_PASSWORD || randomText(12),
    projectToken: config.TENREC_BOOTSTRAP_PROJECT_TOKEN || newProjectToken(),
    personalApiKey: config.TENREC_BOOTSTRAP_PERSONAL_API_KEY || newPersonalApiKey(),
  };
  const password_hash = await hashPassword(first.password);
  return inTransaction(db, async (tx) => {
    // Several processes may start at once on one empty database; the first one through fills it.
    await sql`lock table account in exclusive mode`.execute(tx);
    if (await hasAccounts(tx)) return undefined;
    const owner = await insertAccount(tx, { email: first.email, password_hash, first_name: 'Owner' });
    const organization = await insertOrganization(tx, 'My organization', owner.id);
    const project = await insertProject(tx, {
      organization_id: organization.id,
      name: 'Default project',
      api_token: first.projectToken,
    });
    await updateAccount(tx, owner.id, { current_project_id: project.id });
    await insertKey(tx, owner.id, { label: 'First start', scopes: ['*'] }, first.personalApiKey);
    return first;
  });
}

async function hasAccounts(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined;
}
