import { z } from 'zod';
import { email, optional, parseBody, text } from '../http/fields.ts';
import type { AccountRow, MembershipLevel } from '../metadata/tables.ts';
import { inTransaction } from '../metadata/transaction.ts';
import { randomText } from '../platform/random.ts';
import { hashPassword, requireGoodPassword } from '../projects/access/passwords.ts';
import { insertMembership } from '../projects/organizations/sql.ts';
import { insertAccount, isDuplicate, updateAccount } from '../projects/users/sql.ts';
import { type Call, type Command, command } from './command.ts';
import { CliError, usageError } from './exit.ts';
import { getAccount, getOrganization } from './find.ts';
import { readPassword } from './password.ts';
import { withMetadata } from './reach.ts';
import { type AccountWithPlaces, endSessions, listAccounts, setActive } from './sql.ts';
import { printTable } from './table.ts';

const levelNames: Readonly<Record<MembershipLevel, string>> = { 1: 'member', 8: 'admin', 15: 'owner' };

const emailArgument = { name: 'email', about: 'E-mail address that the user signs in with.' };
const generate = { type: 'flag', about: 'Make up a password and print it, once.' } as const;

export const commands: Command[] = [
  command({
    name: 'user list',
    summary: 'List the users of all organizations.',
    run: (call) =>
      withMetadata(call, async ({ db }) => {
        const users = (await listAccounts(db)).map(toUser);
        const rows = users.map(({ id, email, first_name, active, organizations }) => [
          String(id),
          email,
          first_name,
          active ? 'yes' : 'no',
          organizations.map(({ name, level }) => `${name} (${level})`).join(', '),
        ]);
        return { data: users, text: printTable(['ID', 'E-MAIL', 'NAME', 'ACTIVE', 'ORGANIZATIONS'], rows) };
      }),
  }),

  command({
    name: 'user create',
    summary: 'Add a user to an organization.',
    about: 'The password is asked for at a terminal, or read from stdin; it is never taken from the arguments.',
    takes: [emailArgument],
    options: {
      'first-name': { type: 'text', value: 'name', about: 'First name.' },
      organization: { type: 'text', value: 'id', about: 'Id, slug or name; needed when there are several.' },
      level: { type: 'text', value: 'level', about: 'member or admin. Default: member.' },
      generate,
    },
    async run(call) {
      const { options } = call;
      const draft = parseBody(NewUser, { email: call.given[0], first_name: options['first-name'] });
      const level = parseLevel(options.level ?? 'member');
      const { password, generated } = await choosePassword(call);
      const password_hash = await hashPassword(password);
      return withMetadata(call, async ({ db }) => {
        const organization = await getOrganization(db, options.organization);
        const account = await inTransaction(db, async (tx) => {
          const made = await insertAccount(tx, { ...draft, password_hash });
          await insertMembership(tx, organization.id, made.id, level);
          return made;
        }).catch((error: unknown) => {
          throw isDuplicate(error) ? new CliError(1, `There is already a user ${draft.email}.`) : error;
        });
        const user = toUser({
          ...account,
          organizations: [{ id: organization.id, name: organization.name, level }],
        });
        return {
          data: { ...user, password: generated ? password : null },
          text: `Added ${user.email} to ${organization.name} as ${levelNames[level]}.${generated ? shown(password) : ''}`,
        };
      });
    },
  }),

  command({
    name: 'user password',
    summary: 'Give a user a new password.',
    about:
      'The password is asked for at a terminal, or read from stdin; it is never taken from the arguments. ' +
      'The user is signed out everywhere; personal API keys keep working.',
    takes: [emailArgument],
    options: { generate },
    async run(call) {
      const { password, generated } = await choosePassword(call);
      const password_hash = await hashPassword(password);
      return withMetadata(call, async ({ db }) => {
        const account = await getAccount(db, call.given[0]!);
        await inTransaction(db, async (tx) => {
          await updateAccount(tx, account.id, { password_hash });
          await endSessions(tx, account.id);
        });
        return {
          data: { email: account.email, password: generated ? password : null },
          text: `${account.email} has a new password and is signed out everywhere.${generated ? shown(password) : ''}`,
        };
      });
    },
  }),

  ...[
    { verb: 'deactivate', active: false, summary: 'Keep a user out: sign-in, sessions and keys stop working.' },
    { verb: 'activate', active: true, summary: 'Let a deactivated user in again.' },
  ].map(({ verb, active, summary }) =>
    command({
      name: `user ${verb}`,
      summary,
      takes: [emailArgument],
      run: (call) =>
        withMetadata(call, async ({ db }) => {
          const account = await getAccount(db, call.given[0]!);
          await setActive(db, account.id, active);
          return { data: { email: account.email, active }, text: `${account.email} is ${verb}d.` };
        }),
    }),
  ),
];

const NewUser = z.object({ email: email(), first_name: optional(text({ max: 150 })) });

/** An organization has one owner, who is not made here: that place is handed on by the owner. */
function parseLevel(name: string): MembershipLevel {
  if (name === 'member') return 1;
  if (name === 'admin') return 8;
  throw usageError(`--level: ${JSON.stringify(name)} is not one of member, admin.`);
}

async function choosePassword({
  options,
  given,
  terminal,
}: Pick<Call<{ generate: typeof generate }>, 'options' | 'given' | 'terminal'>): Promise<{
  password: string;
  generated: boolean;
}> {
  if (options.generate) return { password: randomText(12), generated: true };
  const password = await readPassword(`New password of ${given[0]}`, terminal);
  requireGoodPassword(password);
  return { password, generated: false };
}

const shown = (password: string) => `\nPassword, shown only now: ${password}`;

function toUser(account: AccountRow & Pick<AccountWithPlaces, 'organizations'>) {
  const { id, email, first_name, is_active, date_joined, organizations } = account;
  return {
    id,
    email,
    first_name,
    active: is_active,
    date_joined,
    organizations: organizations.map(({ level, ...place }) => ({ ...place, level: levelNames[level] })),
  };
}
