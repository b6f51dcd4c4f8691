// Finds the dashboard that a path names, for someone who may do with it what they want to.
import { notFound, permissionDenied } from '../http/errors.ts';
import type { ProjectContext } from '../http/route.ts';
import { parseId } from '../projects/access/gate.ts';
import { accessOf, canEdit, type Viewer } from './levels.ts';
import { type DashboardFacts, type Db, findDashboard } from './sql.ts';

export const viewerOf = ({ user, level }: Pick<ProjectContext, 'user' | 'level'>): Viewer => ({
  user_id: user.id,
  level,
});

export type Intent = 'view' | 'edit';

export function requireAccess(dashboard: DashboardFacts, viewer: Viewer, intent: Intent): void {
  const access = accessOf(dashboard, viewer);
  if (access === 'none') throw permissionDenied('You do not have viewer access to this resource.');
  if (intent === 'view') return;
  if (access !== 'editor') throw permissionDenied('You do not have editor access to this resource.');
  if (!canEdit(dashboard, viewer)) throw permissionDenied("You don't have edit permissions for this dashboard.");
}

type Asking = Pick<ProjectContext, 'project' | 'user' | 'level'>;

export interface LoadOptions {
  /** Also finds one that was deleted; the rights to bring it back are left to the caller to judge. */
  evenDeleted?: boolean;
  /** What to answer when there is none. */
  missing?: () => Error;
}

export async function loadDashboard(
  db: Db,
  asking: Asking,
  id: string | undefined,
  intent: Intent,
  { evenDeleted = false, missing = notFound }: LoadOptions = {},
): Promise<DashboardFacts> {
  const number = parseId(id ?? '');
  const found = number === null ? undefined : await findDashboard(db, asking.project.id, number, asking.user.id);
  if (!found || (found.deleted && !evenDeleted)) throw missing();
  // Whoever does not ask for its return is told of no deleted dashboard, so rights come after that question.
  if (!found.deleted) requireAccess(found, viewerOf(asking), intent);
  return found;
}

/** What hangs below a dashboard names it when it is missing. */
export const dashboardNotFound = () => notFound('Dashboard not found.');
