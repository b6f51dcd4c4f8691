// Who may edit a restricted dashboard besides its creator and the admins.
import { z } from 'zod';
import { invalid, notFound } from '../../http/errors.ts';
import { parseUuid } from '../../http/fields.ts';
import { created, empty, projectRoute, type Route } from '../../http/route.ts';
import { inTransaction } from '../../metadata/transaction.ts';
import { recordActivity } from '../activity/sql.ts';
import { canRestrict, EVERYONE_EDITS, INVITED_EDIT } from '../levels.ts';
import { dashboardNotFound, loadDashboard } from '../load.ts';
import type { DashboardFacts, Db } from '../sql.ts';
import { type Candidate, deleteCollaborator, findCandidate, insertCollaborator, listCollaborators } from './sql.ts';
import { Collaborator, CollaboratorDraft, toCollaborator } from './wire.ts';

const missing = { missing: dashboardNotFound };

export const collaboratorRoutes = (db: Db): Route[] => [
  projectRoute('GET', '/dashboards/:dashboard_id/collaborators/', {
    summary: 'List those who were invited to edit a dashboard',
    scope: 'dashboard:read',
    returns: z.array(Collaborator),
    load: (context) => loadDashboard(db, context, context.params.dashboard_id, 'view', missing),
    handle: async ({ found }) => (await listCollaborators(db, found.id)).map(toCollaborator),
  }),

  projectRoute('POST', '/dashboards/:dashboard_id/collaborators/', {
    summary: 'Invite someone to edit a restricted dashboard',
    scope: 'dashboard:write',
    body: CollaboratorDraft,
    returns: Collaborator,
    status: 201,
    load: (context) => loadDashboard(db, context, context.params.dashboard_id, 'edit', missing),
    async handle({ organization, user, found, body: { level, user_uuid } }) {
      requireRestricted(found, 'Cannot add collaborators to a dashboard on the lowest restriction level.');
      if (level !== INVITED_EDIT) throw invalid('Only edit access can be explicitly specified currently.');
      const candidate = await findCandidate(db, organization.id, user_uuid);
      requireCandidate(candidate, found);
      const added = await inTransaction(db, async (tx) => {
        const row = await insertCollaborator(tx, { dashboard_id: found.id, user_id: candidate.user.id, level });
        if (!row) throw invalid('User already is a collaborator.');
        await recordCollaborator(tx, found, user.id, null, { user_id: candidate.user.id, level });
        return row;
      });
      return created(toCollaborator({ ...added, user: candidate.user }));
    },
  }),

  projectRoute('DELETE', '/dashboards/:dashboard_id/collaborators/:user__uuid/', {
    summary: 'Take back an invitation to edit a dashboard',
    scope: 'dashboard:write',
    status: 204,
    load: (context) => loadDashboard(db, context, context.params.dashboard_id, 'edit', missing),
    async handle({ user, found, params }) {
      requireRestricted(found, 'Cannot remove collaborators from a dashboard on the lowest restriction level.');
      const uuid = parseUuid(params.user__uuid ?? '');
      await inTransaction(db, async (tx) => {
        const removed = uuid ? await deleteCollaborator(tx, found.id, uuid) : undefined;
        if (!removed) throw notFound();
        await recordCollaborator(tx, found, user.id, removed, null);
      });
      return empty(204);
    },
  }),
];

function requireRestricted({ restriction_level }: DashboardFacts, detail: string): void {
  if (restriction_level === EVERYONE_EDITS) throw invalid(detail);
}

function requireCandidate(candidate: Candidate | undefined, dashboard: DashboardFacts): asserts candidate is Candidate {
  if (!candidate) throw invalid('User does not exist.');
  const { user, membership_level } = candidate;
  if (membership_level === null) throw invalid('Cannot add collaborators that have no access to the project.');
  if (canRestrict(dashboard, { user_id: user.id, level: membership_level })) {
    throw invalid(
      'Cannot add collaborators that already have inherent access (the dashboard owner or a project admins).',
    );
  }
}

type Invited = { user_id: number; level: number } | null;

function recordCollaborator(
  db: Db,
  { id: item_id, team_id, name }: DashboardFacts,
  user_id: number,
  before: Invited,
  after: Invited,
): Promise<void> {
  const action = before === null ? 'created' : 'deleted';
  const changes = [{ type: 'Dashboard', action, field: 'collaborators', before, after } as const];
  return recordActivity(db, { team_id, user_id, scope: 'Dashboard', item_id, activity: 'updated', name, changes });
}
