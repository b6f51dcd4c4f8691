// The person behind a request: reading and changing oneself, signing in and out, joining by invite.
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Caller } from '../../http/caller.ts';
import { invalid } from '../../http/errors.ts';
import { parseUuid } from '../../http/fields.ts';
import { callerRoute, empty, type OpenContext, openRoute, Reply, type Route } from '../../http/route.ts';
import type { AccountRow, Database, InviteRow } from '../../metadata/tables.ts';
import { hashPassword, passwordMatches, requireGoodPassword } from '../access/passwords.ts';
import { requireRecentSignIn, sensitiveUntil } from '../access/sensitive.ts';
import { closeOtherSessions, closeSession, openSession, SESSION_COOKIE } from '../access/sessions.ts';
import { findAccountByEmail, signIn } from '../access/sign-in.ts';
import { deleteInvite, findInvite, findOrganizationName, insertMembership } from '../organizations/sql.ts';
import { isExpired } from '../organizations/wire.ts';
import { listOrganizationsOf } from '../sql.ts';
import { toUserBasic, UserBasic } from '../wire.ts';
import { type AccountChange, findProject, insertAccount, isDuplicate, listProjectsOf, updateAccount } from './sql.ts';
import { InvitedSignUp, Me, MeChange, pickPreferences, SignIn, toMe } from './wire.ts';

const EMAIL_TAKEN = 'There is already an account with this email address.';

export const userRoutes = (db: Kysely<Database>, secretKey: string): Route[] => {
  const showMe = async (user: AccountRow, { credential }: Caller) => {
    const [memberships, projects] = await Promise.all([
      listOrganizationsOf(db, user.id),
      listProjectsOf(db, user.current_organization_id),
    ]);
    const sensitive_session_expires_at = credential.kind === 'session' ? sensitiveUntil(credential) : null;
    return toMe({ user, memberships, projects, sensitive_session_expires_at });
  };

  const signedIn = (user: AccountRow, { url }: OpenContext) =>
    openSession(db, user.id, secretKey, url.protocol === 'https:');

  return [
    callerRoute('GET', '/users/@me/', {
      summary: 'Who you are, and where you belong',
      scope: 'user:read',
      returns: Me,
      handle: ({ user, caller }) => showMe(user, caller),
    }),

    ...(['PATCH', 'PUT'] as const).map((method) =>
      callerRoute(method, '/users/@me/', {
        summary: 'Change your profile, your password, or the project you work in',
        scope: 'user:write',
        body: MeChange,
        returns: Me,
        async handle({ user, caller, body }) {
          const change = await readChange(user, caller, body);
          const changed = await updateAccount(db, user.id, change).catch((error: unknown) => {
            throw isDuplicate(error) ? invalid(EMAIL_TAKEN, 'email', 'unique') : error;
          });
          if (change.password_hash && caller.credential.kind === 'session') {
            await closeOtherSessions(db, user.id, caller.credential.token_digest);
          }
          return showMe(changed, caller);
        },
      }),
    ),

    openRoute('POST', '/api/login/', {
      summary: 'Sign in with e-mail and password',
      scope: null,
      body: SignIn,
      accepts: ['json'],
      returns: z.strictObject({ success: z.literal(true) }),
      async handle(context) {
        const user = await signIn(db, { ...context.body, ip: context.ip });
        return new Reply(200, { success: true }, await signedIn(user, context));
      },
    }),

    ...['/api/logout/', '/logout'].map((path) =>
      openRoute('POST', path, {
        summary: 'Sign out',
        scope: null,
        status: 204,
        async handle({ cookies }) {
          return empty(204, await closeSession(db, cookies[SESSION_COOKIE]));
        },
      }),
    ),

    openRoute('GET', '/api/signup/:invite_id/', {
      summary: 'What an invite is for',
      scope: null,
      returns: z.strictObject({
        id: z.uuid(),
        target_email: z.string(),
        first_name: z.string(),
        organization_name: z.string(),
      }),
      load: ({ params }) => loadInvite(params.invite_id),
      async handle({ found: invite }) {
        return {
          id: invite.id,
          target_email: maskEmail(invite.target_email),
          first_name: invite.first_name,
          organization_name: await findOrganizationName(db, invite.organization_id),
        };
      },
    }),

    openRoute('POST', '/api/signup/:invite_id/', {
      summary: 'Accept an invite: make an account, or show the password of the one you have',
      scope: null,
      body: InvitedSignUp,
      accepts: ['json'],
      returns: UserBasic,
      status: 201,
      load: ({ params }) => loadInvite(params.invite_id),
      async handle(context) {
        const { found: invite, body, ip } = context;
        if (!body.password) throw invalid('This field is required.', 'password', 'required');
        const known = await findAccountByEmail(db, invite.target_email);
        const user = known
          ? await signIn(db, { email: invite.target_email, password: body.password, ip })
          : await signUp(invite, { ...body, password: body.password });
        await insertMembership(db, invite.organization_id, user.id, invite.level);
        await deleteInvite(db, invite.id);
        return new Reply(201, toUserBasic(user), await signedIn(user, context));
      },
    }),
  ];

  async function readChange(user: AccountRow, caller: Caller, body: z.output<typeof MeChange>): Promise<AccountChange> {
    const { first_name, last_name, email, role_at_organization, hedgehog_config, password, current_password } = body;
    if (password !== undefined || (email !== undefined && email !== user.email)) {
      requireRecentSignIn(caller, Date.now());
    }
    return {
      ...definedOnly({ first_name, last_name, email, role_at_organization, hedgehog_config }),
      preferences: pickPreferences(body),
      ...(password !== undefined && { password_hash: await newPasswordHash(user, password, current_password) }),
      ...(await readPlace(user, body)),
    };
  }

  async function newPasswordHash(user: AccountRow, password: string, current: string | undefined): Promise<string> {
    if (user.password_hash !== null) {
      if (!current)
        throw invalid('This field is required when updating your password.', 'current_password', 'required');
      if (!(await passwordMatches(user.password_hash, current))) {
        throw invalid('Your current password is incorrect.', 'current_password', 'incorrect_password');
      }
    }
    requireGoodPassword(password);
    return hashPassword(password);
  }

  /** The project, or the organization, that the user wants to work in: one of their own. */
  async function readPlace(
    user: AccountRow,
    { set_current_team, set_current_organization }: z.output<typeof MeChange>,
  ): Promise<AccountChange> {
    const memberships = await listOrganizationsOf(db, user.id);
    const belongsTo = (id: string) => memberships.some(({ organization }) => organization.id === id);
    if (set_current_team !== undefined) {
      const project = await findProject(db, set_current_team);
      if (!project || !belongsTo(project.organization_id)) {
        throw invalid(
          `Invalid pk "${set_current_team}" - object does not exist.`,
          'set_current_team',
          'does_not_exist',
        );
      }
      return { current_organization_id: project.organization_id, current_project_id: project.id };
    }
    if (set_current_organization !== undefined) {
      if (!belongsTo(set_current_organization)) {
        throw invalid(
          `Invalid pk "${set_current_organization}" - object does not exist.`,
          'set_current_organization',
          'does_not_exist',
        );
      }
      const [first] = await listProjectsOf(db, set_current_organization);
      return { current_organization_id: set_current_organization, current_project_id: first?.id ?? null };
    }
    return {};
  }

  async function loadInvite(id: string | undefined): Promise<InviteRow> {
    const uuid = parseUuid(id ?? '');
    const invite = uuid ? await findInvite(db, uuid) : undefined;
    if (!invite) throw invalid('The provided invite ID is not valid.');
    if (isExpired(invite, Date.now())) {
      throw invalid('This invite has expired. Please ask your admin for a new one.', null, 'expired');
    }
    return invite;
  }

  async function signUp(invite: InviteRow, body: z.output<typeof InvitedSignUp> & { password: string }) {
    requireGoodPassword(body.password);
    const { first_name = invite.first_name, role_at_organization = null } = body;
    const password_hash = await hashPassword(body.password);
    return insertAccount(db, { email: invite.target_email, first_name, role_at_organization, password_hash }).catch(
      (error: unknown) => {
        throw isDuplicate(error) ? invalid(EMAIL_TAKEN, null, 'unique') : error;
      },
    );
  }
};

/** `t*****9@example.com`: enough to recognise one's own address by. */
export function maskEmail(email: string): string {
  const [name = '', domain = ''] = email.split('@');
  return `${name[0]}*****${name.at(-1)}@${domain}`;
}

function definedOnly<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
