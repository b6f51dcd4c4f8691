// Sharing a dashboard or an insight: one object each, with a token that opens its public page.
import { randomBytes } from 'node:crypto';
import { invalid, notFound } from '../../http/errors.ts';
import { created, empty, type ProjectContext, projectRoute, type Route } from '../../http/route.ts';
import type { SharingConfigurationRow } from '../../metadata/tables.ts';
import { inTransaction } from '../../metadata/transaction.ts';
import { parseId } from '../../projects/access/gate.ts';
import { hashPassword } from '../../projects/access/passwords.ts';
import { changesBetween } from '../activity/changes.ts';
import { type ActivityScope, recordActivity } from '../activity/sql.ts';
import { loadInsight } from '../insights/load.ts';
import { dashboardNotFound, type Intent, loadDashboard } from '../load.ts';
import type { Db } from '../sql.ts';
import {
  deletePassword,
  getShare,
  insertPassword,
  listPasswords,
  rotateToken,
  type ShareChange,
  type Shared,
  updateShare,
} from './sql.ts';
import {
  NewPassword,
  PASSWORDS_MAX,
  PasswordDraft,
  parseSettings,
  requireLongPassword,
  SharingConfiguration,
  SharingDraft,
  toSharingConfiguration,
} from './wire.ts';

/** A thing that can be shared, and its share. */
interface Loaded {
  share: SharingConfigurationRow;
  about: { scope: ActivityScope; item_id: number; name: string | null };
}

type Load = (context: Omit<ProjectContext, 'body' | 'found'>, intent: Intent) => Promise<Loaded>;

export function sharingRoutes(db: Db): Route[] {
  const load = async (team_id: number, shared: Shared, about: Loaded['about']) => ({
    share: await getShare(db, team_id, shared),
    about,
  });
  return [
    ...routesFor(db, '/dashboards/:dashboard_id/sharing/', async (context, intent) => {
      const missing = { missing: dashboardNotFound };
      const { id, team_id, name } = await loadDashboard(db, context, context.params.dashboard_id, intent, missing);
      return load(team_id, { dashboard_id: id }, { scope: 'Dashboard', item_id: id, name });
    }),
    ...routesFor(db, '/insights/:id/sharing/', async (context, intent) => {
      const { id, team_id, name } = await loadInsight(db, context, context.params.id, intent);
      return load(team_id, { insight_id: id }, { scope: 'Insight', item_id: id, name });
    }),
  ];
}

const LOGGED_FIELDS = ['enabled', 'password_required', 'settings'] as const;

function routesFor(db: Db, path: string, load: Load): Route[] {
  const show = async (share: SharingConfigurationRow) =>
    toSharingConfiguration(share, await listPasswords(db, share.id));
  const write = 'sharing_configuration:write';

  return [
    projectRoute('GET', path, {
      summary: 'Read how it is shared',
      scope: 'sharing_configuration:read',
      returns: SharingConfiguration,
      load: (context) => load(context, 'view'),
      handle: ({ found }) => show(found.share),
    }),

    projectRoute('PATCH', path, {
      summary: 'Share it, or stop sharing it',
      scope: write,
      body: SharingDraft,
      returns: SharingConfiguration,
      load: (context) => load(context, 'edit'),
      async handle({ found: { share, about }, user, body }) {
        const change = toChange(body);
        if (Object.keys(change).length === 0) return show(share);
        const changed = await inTransaction(db, async (tx) => {
          const after = await updateShare(tx, share.id, change);
          await record(tx, share, after, about, user.id);
          return after;
        });
        return show(changed);
      },
    }),

    projectRoute('POST', `${path}refresh/`, {
      summary: 'Give it a new token; the old one works a few minutes longer',
      scope: write,
      returns: SharingConfiguration,
      load: (context) => load(context, 'edit'),
      handle: async ({ found }) => show(await rotateToken(db, found.share.id)),
    }),

    projectRoute('POST', `${path}passwords/`, {
      summary: 'Add a password that opens it',
      scope: write,
      body: PasswordDraft,
      returns: NewPassword,
      status: 201,
      load: (context) => load(context, 'edit'),
      async handle({ found: { share }, user, body }) {
        const password = body.raw_password ?? randomBytes(12).toString('base64url');
        requireLongPassword(password);
        if ((await listPasswords(db, share.id)).length >= PASSWORDS_MAX) {
          throw invalid(`A share has at most ${PASSWORDS_MAX} passwords. Remove one before adding another.`);
        }
        const { id, note, created_at } = await insertPassword(db, {
          sharing_configuration_id: share.id,
          password_hash: await hashPassword(password),
          note: body.note || null,
          created_by_id: user.id,
        });
        return created({ id, password, note, created_at, created_by_email: user.email });
      },
    }),

    projectRoute('DELETE', `${path}passwords/:password_id/`, {
      summary: 'Remove a password; whoever came in with it is out',
      scope: write,
      status: 204,
      load: (context) => load(context, 'edit'),
      async handle({ found: { share }, params }) {
        const id = parseId(params.password_id ?? '');
        if (id === null || !(await deletePassword(db, share.id, id))) throw notFound();
        return empty(204);
      },
    }),
  ];
}

function toChange(body: { enabled?: boolean; password_required?: boolean; settings?: unknown }): ShareChange {
  const { enabled, password_required } = body;
  const settings = parseSettings(body.settings);
  return {
    ...(enabled !== undefined && { enabled }),
    ...(password_required !== undefined && { password_required }),
    ...(settings !== undefined && { settings }),
  };
}

async function record(
  db: Db,
  before: SharingConfigurationRow,
  after: SharingConfigurationRow,
  about: Loaded['about'],
  user_id: number,
): Promise<void> {
  const changes = changesBetween(about.scope, before, after, LOGGED_FIELDS).map((change) => ({
    ...change,
    field: `sharing.${change.field}`,
  }));
  if (changes.length === 0) return;
  await recordActivity(db, { team_id: after.team_id, user_id, ...about, activity: 'updated', changes });
}
