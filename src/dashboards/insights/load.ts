// Finds the insight that a path names, for someone who may do with it what they want to.
import { notFound, permissionDenied } from '../../http/errors.ts';
import type { ProjectContext } from '../../http/route.ts';
import { parseId } from '../../projects/access/gate.ts';
import { INVITED_EDIT, privilegeOnInsight } from '../levels.ts';
import { type Intent, type LoadOptions, viewerOf } from '../load.ts';
import type { Db } from '../sql.ts';
import { findInsight, type InsightFacts } from './sql.ts';

const SHORT_ID = /^\w{1,12}$/;

/** A path may give the number or the short id. */
export function parseInsightId(text: string): { id: number } | { short_id: string } | undefined {
  const id = parseId(text);
  if (id !== null) return { id };
  return SHORT_ID.test(text) && /\D/.test(text) ? { short_id: text } : undefined;
}

export async function loadInsight(
  db: Db,
  asking: Pick<ProjectContext, 'project' | 'user' | 'level'>,
  id: string | undefined,
  intent: Intent,
  { evenDeleted = false, missing = notFound }: LoadOptions = {},
): Promise<InsightFacts> {
  const which = parseInsightId(id ?? '');
  const found = which && (await findInsight(db, asking.project.id, which, asking.user.id));
  if (!found || (found.deleted && !evenDeleted)) throw missing();
  if (intent === 'edit' && privilegeOnInsight(found.placements, viewerOf(asking)) < INVITED_EDIT) {
    throw permissionDenied(
      'This insight is on a dashboard that can only be edited by its owner, team members invited to editing the dashboard, and project admins.',
    );
  }
  return found;
}
