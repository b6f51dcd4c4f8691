// Personal API keys. People manage them in a browser session; a key cannot make or change keys.
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { invalid, keysNotSupported, notFound } from '../../http/errors.ts';
import { parseUuid } from '../../http/fields.ts';
import { type CallerContext, callerRoute, created, empty, type Route } from '../../http/route.ts';
import type { Database } from '../../metadata/tables.ts';
import { requireRecentSignIn } from '../access/sensitive.ts';
import {
  countAccessible,
  deleteKey,
  findKey,
  insertKey,
  KEYS_PER_USER_MAX,
  type KeyDraft,
  listKeys,
  rollKey,
  updateKey,
} from './sql.ts';
import { PersonalApiKey, PersonalApiKeyDraft, requireGoodKey, toPersonalApiKey } from './wire.ts';

export const apiKeyRoutes = (db: Kysely<Database>): Route[] => {
  type Asking = Omit<CallerContext, 'body' | 'found'>;

  const findOwn = async ({ user, params }: Asking) => {
    const key = await findKey(db, user.id, params.id ?? '');
    if (!key) throw notFound();
    return key;
  };
  const findOwnToChange = (context: Asking) => {
    requireRecentSignIn(context.caller, Date.now());
    return findOwn(context);
  };

  return [
    callerRoute('GET', '/personal_api_keys/', {
      summary: 'List your keys',
      scope: null,
      returns: z.array(PersonalApiKey),
      handle: async ({ user }) => (await listKeys(db, user.id)).map((key) => toPersonalApiKey(key)),
    }),

    callerRoute('POST', '/personal_api_keys/', {
      summary: 'Make a key; its value is shown in this answer only',
      scope: null,
      body: PersonalApiKeyDraft,
      returns: PersonalApiKey,
      status: 201,
      load: ({ caller }) => requireRecentSignIn(caller, Date.now()),
      async handle({ user, body }) {
        const { label, scopes } = body;
        const made = await insertKey(db, user.id, { label, scopes, ...(await readLimits(user.id, body)) });
        if (made === 'too many') {
          throw invalid(
            `You can only have ${KEYS_PER_USER_MAX} personal API keys. Remove an existing key before creating a new one.`,
          );
        }
        return created(toPersonalApiKey(made.key, made.value));
      },
    }),

    callerRoute('GET', '/personal_api_keys/@current/', {
      summary: 'The key used for this request',
      scope: 'any',
      returns: PersonalApiKey,
      async handle({ caller, user }) {
        const key = caller.credential.kind === 'key' ? await findKey(db, user.id, caller.credential.id) : undefined;
        if (!key) throw notFound();
        return toPersonalApiKey(key);
      },
    }),

    callerRoute('GET', '/personal_api_keys/:id/', {
      summary: 'Read one of your keys',
      scope: 'any',
      returns: PersonalApiKey,
      async load(context) {
        const { credential } = context.caller;
        if (credential.kind === 'key' && credential.id !== context.params.id) throw keysNotSupported();
        return findOwn(context);
      },
      handle: ({ found }) => toPersonalApiKey(found),
    }),

    ...(['PATCH', 'PUT'] as const).map((method) =>
      callerRoute(method, '/personal_api_keys/:id/', {
        summary: "Change a key's label, scopes or restrictions",
        scope: null,
        body: method === 'PATCH' ? PersonalApiKeyDraft.partial() : PersonalApiKeyDraft,
        returns: PersonalApiKey,
        load: findOwnToChange,
        async handle({ user, body, found }) {
          const { label, scopes } = body;
          const changes = { ...(label && { label }), ...(scopes && { scopes }), ...(await readLimits(user.id, body)) };
          return toPersonalApiKey(await updateKey(db, found.id, changes));
        },
      }),
    ),

    callerRoute('DELETE', '/personal_api_keys/:id/', {
      summary: 'Delete a key; it stops working at once',
      scope: null,
      status: 204,
      load: findOwnToChange,
      async handle({ found }) {
        await deleteKey(db, found.id);
        return empty(204);
      },
    }),

    callerRoute('POST', '/personal_api_keys/:id/roll/', {
      summary: 'Give a key a new value; the old one stops working at once',
      scope: null,
      returns: PersonalApiKey,
      load: findOwnToChange,
      async handle({ found }) {
        const { key, value } = await rollKey(db, found.id);
        return toPersonalApiKey(key, value);
      },
    }),
  ];

  /** The projects and organizations a key is limited to, all of them the user's own. */
  async function readLimits(
    user_id: number,
    body: Partial<z.output<typeof PersonalApiKeyDraft>>,
  ): Promise<Pick<KeyDraft, 'scoped_teams' | 'scoped_organizations'>> {
    requireGoodKey(body);
    const teams = [...new Set(body.scoped_teams ?? [])];
    const organizations = [...new Set((body.scoped_organizations ?? []).map((id) => parseUuid(id) ?? ''))];
    const accessible = await countAccessible(db, user_id, teams, organizations);
    if (accessible.teams < teams.length) {
      throw invalid('You must be a member of all teams that you are scoping the key to.', 'scoped_teams');
    }
    if (accessible.organizations < organizations.length) {
      throw invalid(
        'You must be a member of all organizations that you are scoping the key to.',
        'scoped_organizations',
      );
    }
    return {
      ...(body.scoped_teams !== undefined && { scoped_teams: teams }),
      ...(body.scoped_organizations !== undefined && { scoped_organizations: organizations }),
    };
  }
};
