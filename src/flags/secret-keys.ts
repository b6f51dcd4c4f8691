// Project secret keys, `phs_…`: for servers that evaluate flags by themselves. They read definitions and remote
// configuration, and nothing else. Kept as digests; shown once.
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Approach, Gate } from '../http/caller.ts';
import { authenticationFailed, notAuthenticated } from '../http/errors.ts';
import { projectRoute, type Route } from '../http/route.ts';
import type { Database } from '../metadata/tables.ts';
import { inTransaction } from '../metadata/transaction.ts';
import { randomText } from '../platform/random.ts';
import { digestKey, maskKey } from '../projects/access/credentials.ts';
import { requireAdmin } from '../projects/access/levels.ts';

type Db = Kysely<Database>;

const PREFIX = 'phs_';

/** The project whose flags this caller may read: named by a secret key of its own, or by somebody's personal key. */
export type FindFlagReader = (approach: Approach) => Promise<number>;

export function openFlagReaders(db: Db, gate: Gate): FindFlagReader {
  return async (approach) => {
    const bearer = /^Bearer\s+(\S+)\s*$/.exec(String(approach.headers.authorization ?? ''))?.[1];
    const secret = bearer ?? approach.query.get('secret_api_key') ?? '';
    if (secret.startsWith(PREFIX)) return findBySecret(db, secret);
    const caller = await gate.authenticate(approach);
    if (!caller) throw notAuthenticated();
    const { project } = await gate.admit(caller, { under: 'project', scope: 'feature_flag:read' }, approach);
    return project!.id;
  };
}

async function findBySecret(db: Db, key: string): Promise<number> {
  const digest = digestKey(key);
  const found = await db
    .selectFrom('project_secret_key')
    .select('team_id')
    .where((eb) => eb.or([eb('digest', '=', digest), eb('digest_before', '=', digest)]))
    .executeTakeFirst();
  if (!found) throw authenticationFailed('Secret API token is invalid.');
  return found.team_id;
}

const SecretKey = z.strictObject({
  /** The key itself, when it has just been made; its beginning and end otherwise; null: there is none. */
  secret_api_token: z.string().nullable(),
  secret_api_token_backup: z.string().nullable(),
});

export const secretKeyRoutes = (db: Db): Route[] => [
  projectRoute('GET', '/secret_token/', {
    summary: 'Which secret key the project has, as far as it is shown',
    scope: 'project:read',
    returns: SecretKey,
    handle: ({ project }) => show(db, project.id),
  }),

  projectRoute('PATCH', '/rotate_secret_token/', {
    summary: 'Give the project a new secret key; the one before goes on working until it is ended',
    scope: 'project:write',
    returns: SecretKey,
    async handle({ project, level, user }) {
      requireAdmin(level);
      const key = PREFIX + randomText(35);
      await rotate(db, project.id, user.id, key);
      return { ...(await show(db, project.id)), secret_api_token: key };
    },
  }),

  projectRoute('PATCH', '/delete_secret_token_backup/', {
    summary: 'End the secret key before the present one',
    scope: 'project:write',
    returns: SecretKey,
    async handle({ project, level }) {
      requireAdmin(level);
      await db
        .updateTable('project_secret_key')
        .set({ digest_before: null, mask_before: null })
        .where('team_id', '=', project.id)
        .execute();
      return show(db, project.id);
    },
  }),
];

async function show(db: Db, team_id: number): Promise<z.output<typeof SecretKey>> {
  const found = await db
    .selectFrom('project_secret_key')
    .select(['mask', 'mask_before'])
    .where('team_id', '=', team_id)
    .executeTakeFirst();
  return { secret_api_token: found?.mask ?? null, secret_api_token_backup: found?.mask_before ?? null };
}

function rotate(db: Db, team_id: number, created_by_id: number, key: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const before = await tx
      .selectFrom('project_secret_key')
      .selectAll()
      .where('team_id', '=', team_id)
      .forUpdate()
      .executeTakeFirst();
    const row = {
      digest: digestKey(key),
      mask: maskKey(key),
      digest_before: before?.digest ?? null,
      mask_before: before?.mask ?? null,
      created_by_id,
    };
    await tx
      .insertInto('project_secret_key')
      .values({ team_id, ...row })
      .onConflict((conflict) => conflict.column('team_id').doUpdateSet(row))
      .execute();
  });
}
