// What was named at the terminal → the row, or one line that says what there is instead.
import type { Kysely } from 'kysely';
import type { AccountRow, Database, OrganizationRow, ProjectRow } from '../metadata/tables.ts';
import { findAccountByEmail } from '../projects/access/sign-in.ts';
import { findProject } from '../projects/users/sql.ts';
import { missing, usageError } from './exit.ts';
import { findNearest } from './nearest.ts';
import { listAccounts, listOrganizations } from './sql.ts';

type Db = Kysely<Database>;

export async function getAccount(db: Db, email: string): Promise<AccountRow> {
  const account = await findAccountByEmail(db, email);
  if (account) return account;
  const nearest = findNearest(
    email,
    (await listAccounts(db)).map((known) => known.email),
  );
  throw missing(`There is no user ${email}; ${nearest ? `did you mean ${nearest}?` : 'see: tenrec user list'}`);
}

/** The organization with this id, slug or name; when none is named, the only one there is. */
export async function getOrganization(db: Db, named: string | undefined): Promise<OrganizationRow> {
  const all = await listOrganizations(db);
  const [first] = all;
  if (!first) throw missing('There is no organization yet: the first start makes one. Run: tenrec start');
  const known = all.map(({ name, slug }) => `${slug} (${name})`).join(', ');
  if (named === undefined) {
    if (all.length === 1) return first;
    throw usageError(`There are several organizations; name one with --organization: ${known}`);
  }
  const found =
    all.find(({ id, slug }) => id === named || slug === named) ?? findOnly(all.filter(({ name }) => name === named));
  if (!found) throw missing(`There is no organization ${JSON.stringify(named)}; there are: ${known}`);
  return found;
}

const findOnly = <T>(rows: readonly T[]): T | undefined => (rows.length === 1 ? rows[0] : undefined);

export async function getProject(db: Db, id: string): Promise<ProjectRow> {
  const number = parseProjectId(id);
  const project = await findProject(db, number);
  if (!project) throw missing(`There is no project ${number}; see: tenrec project list`);
  return project;
}

const PROJECT_ID_MAX = 2_147_483_647;

export function parseProjectId(text: string): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 1 && number <= PROJECT_ID_MAX) return number;
  throw usageError(`${JSON.stringify(text)} is not a project id, which is a number; see: tenrec project list`);
}
