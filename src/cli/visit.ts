// Asking the running program over HTTP as one of a project's people. Whoever can reach the database could do anything
// in their name; a visit makes them no sign-in of their own, and ends a minute after it began if nobody ends it.
import { type Kysely, sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Database, ProjectRow } from '../metadata/tables.ts';
import { randomText } from '../platform/random.ts';
import { closeSession, digestToken, SESSION_COOKIE } from '../projects/access/sessions.ts';
import { CliError, missing } from './exit.ts';

/** Only to get in: a request that has begun is not asked again. */
const VISIT_SECONDS = 60;

export interface Visit extends AsyncDisposable {
  get(path: string, signal: AbortSignal): Promise<Response>;
}

export async function openVisit(
  db: Kysely<Database>,
  { HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>,
  project: ProjectRow,
): Promise<Visit> {
  const token = randomText(32);
  await db
    .insertInto('session')
    .values({
      token_digest: digestToken(token),
      user_id: await findMember(db, project),
      expires_at: sql`now() + make_interval(secs => ${VISIT_SECONDS})`,
    })
    .execute();
  const address = `http://${reachableHost(HOST)}:${PORT}`;
  return {
    async get(path, signal) {
      const headers = { cookie: `${SESSION_COOKIE}=${token}` };
      const response = await fetch(address + path, { headers, signal }).catch((error: unknown) => {
        if (signal.aborted) throw error;
        throw new CliError(4, `Nothing answers at ${address}. Is Tenrec running, and are HOST and PORT right?`);
      });
      if (response.ok) return response;
      throw new CliError(1, `${address} answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
    },
    async [Symbol.asyncDispose]() {
      await closeSession(db, token);
    },
  };
}

/** Someone who may see the project; the one with the highest level. */
async function findMember(db: Kysely<Database>, { id, organization_id }: ProjectRow): Promise<number> {
  const member = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.user_id')
    .select('account.id')
    .where('membership.organization_id', '=', organization_id)
    .where('account.is_active', '=', true)
    .orderBy('membership.level', 'desc')
    .orderBy('account.id')
    .executeTakeFirst();
  if (!member) throw missing(`Nobody belongs to the organization of project ${id}; see: tenrec user list`);
  return member.id;
}

/** "Every interface" can be listened on, but not asked. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
