import type { Kysely } from 'kysely';
import { parseBody } from '../http/fields.ts';
import type { AccountRow, Database } from '../metadata/tables.ts';
import { countAccessible, deleteKey, insertKey, KEYS_PER_USER_MAX } from '../projects/api-keys/sql.ts';
import { PersonalApiKeyDraft, requireGoodKey, toPersonalApiKey } from '../projects/api-keys/wire.ts';
import { type Command, command } from './command.ts';
import { CliError, missing, usageError } from './exit.ts';
import { getAccount, getProject } from './find.ts';
import { withMetadata } from './reach.ts';
import { findKeyById, listAccounts, listAllKeys } from './sql.ts';
import { printTable } from './table.ts';

export const commands: Command[] = [
  command({
    name: 'key list',
    summary: 'List personal API keys, of all users or of one.',
    options: { user: { type: 'text', value: 'email', about: 'Only the keys of this user.' } },
    run: (call) =>
      withMetadata(call, async ({ db }) => {
        const { user } = call.options;
        const keys = await listAllKeys(db, user === undefined ? undefined : (await getAccount(db, user)).id);
        const rows = keys.map(({ id, email, label, mask_value, scopes, last_used_at }) => [
          id,
          email,
          label,
          mask_value,
          scopes.join(' '),
          last_used_at ?? 'never',
        ]);
        return {
          // A stored key's value is not known, so the field is not shown at all.
          data: keys.map(({ email, ...row }) => {
            const { value: _, ...key } = toPersonalApiKey(row);
            return { ...key, email };
          }),
          text: printTable(['ID', 'USER', 'LABEL', 'KEY', 'SCOPES', 'LAST USED'], rows),
        };
      }),
  }),

  command({
    name: 'key create',
    summary: 'Make a personal API key; it is printed once.',
    options: {
      scope: {
        type: 'text',
        many: true,
        required: true,
        value: 'scope',
        about: 'What the key may do: `<object>:read`, `<object>:write` or `*`; write implies read.',
      },
      user: { type: 'text', value: 'email', about: 'Whose key it is; needed when there are several users.' },
      label: { type: 'text', value: 'text', about: 'What the key is for. Default: Command line.' },
      project: { type: 'text', many: true, value: 'id', about: 'Only for this project.' },
    },
    run: (call) =>
      withMetadata(call, async ({ db }) => {
        const { scope, user, label = 'Command line', project } = call.options;
        const draft = parseBody(PersonalApiKeyDraft, { label, scopes: scope });
        requireGoodKey(draft);
        const owner = await getOwner(db, user);
        const scoped_teams = await listOwnProjects(db, owner, project);
        const made = await insertKey(db, owner.id, { label: draft.label, scopes: draft.scopes, scoped_teams });
        if (made === 'too many') {
          throw new CliError(1, `${owner.email} has ${KEYS_PER_USER_MAX} keys, the most a user may have; revoke one.`);
        }
        return {
          data: { ...toPersonalApiKey(made.key, made.value), email: owner.email },
          text: `Made key ${made.key.id} of ${owner.email}.\nPersonal API key, shown only now: ${made.value}`,
        };
      }),
  }),

  command({
    name: 'key revoke',
    summary: 'Delete a personal API key; it stops working at once.',
    takes: [{ name: 'id', about: 'Id of the key, as `tenrec key list` shows it.' }],
    run: (call) =>
      withMetadata(call, async ({ db }) => {
        const key = await findKeyById(db, call.given[0]!);
        if (!key) throw missing(`There is no key with id ${call.given[0]}; see: tenrec key list`);
        await deleteKey(db, key.id);
        return { data: { id: key.id }, text: `Revoked key ${key.id}, ${key.label} (${key.mask_value}).` };
      }),
  }),
];

/** The user who was named, or the only active one there is. */
async function getOwner(db: Kysely<Database>, email: string | undefined): Promise<AccountRow> {
  if (email !== undefined) return getAccount(db, email);
  const active = (await listAccounts(db)).filter(({ is_active }) => is_active);
  const [only, another] = active;
  if (only && !another) return only;
  throw usageError(`Whose key? Name one with --user: ${active.map((account) => account.email).join(', ')}`);
}

async function listOwnProjects(db: Kysely<Database>, owner: AccountRow, given: readonly string[]): Promise<number[]> {
  const projects = await Promise.all(given.map((id) => getProject(db, id)));
  const ids = [...new Set(projects.map(({ id }) => id))];
  const { teams } = await countAccessible(db, owner.id, ids, []);
  if (teams < ids.length)
    throw usageError(`${owner.email} does not belong to all of these projects: ${ids.join(', ')}`);
  return ids;
}
