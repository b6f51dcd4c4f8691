// Who is calling, and may they do this here? The order of the checks is part of the wire (see docs of the API).
import { type Kysely, sql } from 'kysely';
import type { Approach, Caller, Demand, Gate, KeyCredential, Place } from '../../http/caller.ts';
import { authenticationFailed, keysNotSupported, notFound, permissionDenied, scopeMissing } from '../../http/errors.ts';
import { isDict, parseUuid } from '../../http/fields.ts';
import type { Database, MembershipLevel, OrganizationRow, ProjectRow } from '../../metadata/tables.ts';
import { digestKey } from './credentials.ts';
import { ADMIN } from './levels.ts';
import { grants } from './scopes.ts';
import { digestToken, requireCsrf, SESSION_COOKIE } from './sessions.ts';

const LAST_USED_EVERY = '1 hour';

export function openGate(db: Kysely<Database>, secretKey: string): Gate {
  return {
    async authenticate(approach) {
      const presented = findKey(approach);
      if (presented) return callerByKey(db, presented);
      return callerBySession(db, approach, secretKey);
    },
    async admit(caller, demand, approach) {
      requireScope(caller, demand);
      const place = await findPlace(db, caller, demand, approach);
      requireWithinKey(caller, demand, place);
      requireMembership(caller, demand, place);
      return place as Place;
    },
  };
}

// Credentials

interface PresentedKey {
  value: string;
  where: 'request Authorization header' | 'request body' | 'request query string';
}

/** Exactly one candidate is taken: the header, else the body, else the query. */
export function findKey({ headers, body, query }: Approach): PresentedKey | undefined {
  const bearer = /^Bearer\s+(\S.*)$/.exec(String(headers.authorization ?? ''));
  if (bearer?.[1]) return { value: bearer[1].trim(), where: 'request Authorization header' };
  if (isDict(body) && typeof body.personal_api_key === 'string' && body.personal_api_key !== '') {
    return { value: body.personal_api_key, where: 'request body' };
  }
  const inQuery = query.get('personal_api_key');
  return inQuery ? { value: inQuery, where: 'request query string' } : undefined;
}

async function callerByKey(db: Kysely<Database>, { value, where }: PresentedKey): Promise<Caller> {
  if (value.startsWith('pha_')) throw authenticationFailed('Invalid access token.');
  const secure_value = digestKey(value);
  const row = await db
    .selectFrom('personal_api_key as key')
    .innerJoin('account', 'account.id', 'key.user_id')
    .selectAll('account')
    .select([
      'key.id as key_id',
      'key.scopes',
      'key.scoped_teams',
      'key.scoped_organizations',
      sql<boolean>`key.last_used_at is null or key.last_used_at < now() - ${LAST_USED_EVERY}::interval`.as(
        'use_is_news',
      ),
    ])
    .where('key.secure_value', '=', secure_value)
    .where('account.is_active', '=', true)
    .executeTakeFirst();
  if (!row) throw authenticationFailed(`Personal API key found in ${where} is invalid.`);
  const { key_id, scopes, scoped_teams, scoped_organizations, use_is_news, ...user } = row;
  if (use_is_news) {
    await db.updateTable('personal_api_key').set({ last_used_at: sql`now()` }).where('id', '=', key_id).execute();
  }
  return { user, credential: { kind: 'key', id: key_id, scopes, scoped_teams, scoped_organizations } };
}

async function callerBySession(
  db: Kysely<Database>,
  { cookies, headers, method }: Approach,
  secretKey: string,
): Promise<Caller | undefined> {
  const token = cookies[SESSION_COOKIE];
  if (!token) return undefined;
  const row = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.user_id')
    .selectAll('account')
    .select(['session.token_digest', 'session.authenticated_at'])
    .where('session.token_digest', '=', digestToken(token))
    .where('session.expires_at', '>', sql<string>`now()`)
    .where('account.is_active', '=', true)
    .executeTakeFirst();
  if (!row) return undefined;
  requireCsrf(method, token, headers['x-csrftoken'], secretKey);
  const { token_digest, authenticated_at, ...user } = row;
  return { user, credential: { kind: 'session', token_digest, authenticated_at } };
}

// Permissions

function requireScope({ credential }: Caller, demand: Demand): void {
  if (credential.kind !== 'key' || demand.scope === 'any') return;
  if (demand.scope === null) throw keysNotSupported();
  if (!grants(credential.scopes, demand.scope)) throw scopeMissing(demand.scope);
}

interface FoundPlace {
  project?: ProjectRow;
  organization?: OrganizationRow;
  level?: MembershipLevel | undefined;
}

async function findPlace(
  db: Kysely<Database>,
  { user }: Caller,
  demand: Demand,
  { params, query }: Approach,
): Promise<FoundPlace> {
  if (demand.under === 'project') {
    const token = query.get('token');
    const project = token
      ? await projectByToken(db, token)
      : await projectById(db, params.project_id ?? '', user.current_project_id);
    return { project, ...(await organizationFor(db, project.organization_id, user.id)) };
  }
  if (demand.under === 'organization') {
    const named = params.organization_id === '@current' ? user.current_organization_id : params.organization_id;
    return organizationFor(db, parseUuid(named ?? '') ?? '', user.id);
  }
  return {};
}

async function projectById(db: Kysely<Database>, named: string, current: number | null): Promise<ProjectRow> {
  const id = named === '@current' ? current : parseId(named);
  const project =
    id === null ? undefined : await db.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirst();
  if (!project) throw notFound('Project not found.');
  return project;
}

async function projectByToken(db: Kysely<Database>, token: string): Promise<ProjectRow> {
  const project = await db.selectFrom('project').selectAll().where('api_token', '=', token).executeTakeFirst();
  if (!project) throw authenticationFailed();
  return project;
}

async function organizationFor(db: Kysely<Database>, id: string, user_id: number) {
  if (id === '') throw notFound('Organization not found.');
  const row = await db
    .selectFrom('organization')
    .leftJoin('membership', (join) =>
      join.onRef('membership.organization_id', '=', 'organization.id').on('membership.user_id', '=', user_id),
    )
    .selectAll('organization')
    .select('membership.level')
    .where('organization.id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('Organization not found.');
  const { level, ...organization } = row;
  return { organization, level: level ?? undefined };
}

/** A positive number that fits a database id; null for anything else. */
export function parseId(text: string): number | null {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return id > 0 && id <= 2_147_483_647 ? id : null;
}

function requireWithinKey({ credential }: Caller, demand: Demand, { project, organization }: FoundPlace): void {
  if (credential.kind !== 'key' || demand.scope === 'any' || demand.scope === 'user:read') return;
  requireScopedProject(credential, project);
  requireScopedOrganization(credential, organization);
}

function requireScopedProject({ scoped_teams }: KeyCredential, project: ProjectRow | undefined): void {
  if (scoped_teams.length === 0) return;
  if (!project) {
    throw permissionDenied('API keys with scoped projects are only supported on project-based endpoints.');
  }
  if (!scoped_teams.includes(project.id)) {
    throw permissionDenied(`API key does not have access to the requested project: ID ${project.id}.`);
  }
}

function requireScopedOrganization({ scoped_organizations }: KeyCredential, organization: OrganizationRow | undefined) {
  if (scoped_organizations.length === 0) return;
  if (!organization) {
    throw permissionDenied('API keys with scoped organizations are only supported on organization-based endpoints.');
  }
  if (!scoped_organizations.includes(organization.id)) {
    throw permissionDenied(`API key does not have access to the requested organization: ID ${organization.id}.`);
  }
}

function requireMembership({ credential }: Caller, demand: Demand, { organization, level }: FoundPlace): void {
  if (!organization) return;
  if (level === undefined) {
    // An organization's existence is not told to those outside it; a project's id is no secret.
    throw demand.under === 'project'
      ? permissionDenied("You don't have access to the project.")
      : notFound('Organization not found.');
  }
  if (credential.kind === 'key' && !organization.members_can_use_personal_api_keys && level < ADMIN) {
    throw permissionDenied(
      `Organization '${organization.name}' does not allow using personal API keys. Contact an admin to enable personal API keys for this organization.`,
    );
  }
}
