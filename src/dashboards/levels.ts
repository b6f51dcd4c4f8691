// Who may see and who may edit. Two systems meet here: restriction levels with collaborators, and access controls.
// Plain rules without I/O; `sql.ts` reads the facts they need together with the dashboard.
import type { AccessLevel, MembershipLevel, RestrictionLevel } from '../metadata/tables.ts';
import { ADMIN } from '../projects/access/levels.ts';

/** Everyone in the project may edit. As a privilege: may view. */
export const EVERYONE_EDITS = 21;
/** Only those invited may edit, besides the creator and the admins. As a privilege: may edit. */
export const INVITED_EDIT = 37;
export const RESTRICTION_LEVELS = [EVERYONE_EDITS, INVITED_EDIT] as const;

export const ACCESS_LEVELS = ['none', 'viewer', 'editor'] as const satisfies readonly AccessLevel[];
export const DEFAULT_ACCESS = 'editor' satisfies AccessLevel;

/** The person who asks. */
export interface Viewer {
  user_id: number;
  level: MembershipLevel;
}

/** What must be known of a dashboard to judge a person's rights on it. */
export interface Guarded {
  created_by_id: number | null;
  restriction_level: RestrictionLevel;
  /** The person's own level as a collaborator. */
  collaborator_level: RestrictionLevel | null;
}

export interface AccessGuarded extends Guarded {
  /** The highest level among the rules that apply to the person; null when none does. */
  ruled_access: AccessLevel | null;
}

/** May change who may edit: the creator, and the admins of the project. */
export const canRestrict = ({ created_by_id }: Pick<Guarded, 'created_by_id'>, { user_id, level }: Viewer) =>
  level >= ADMIN || created_by_id === user_id;

export function privilegeOf(dashboard: Guarded, viewer: Viewer): RestrictionLevel {
  if (dashboard.restriction_level < INVITED_EDIT || canRestrict(dashboard, viewer)) return INVITED_EDIT;
  return dashboard.collaborator_level ?? EVERYONE_EDITS;
}

export const canEdit = (dashboard: Guarded, viewer: Viewer) => privilegeOf(dashboard, viewer) >= INVITED_EDIT;

export function accessOf(
  { created_by_id, ruled_access }: Pick<AccessGuarded, 'created_by_id' | 'ruled_access'>,
  viewer: Viewer,
): AccessLevel {
  return canRestrict({ created_by_id }, viewer) ? 'editor' : (ruled_access ?? DEFAULT_ACCESS);
}

/** An insight is as restricted as the most restricted dashboard it is on. */
export const restrictionOfInsight = (placements: readonly Guarded[]): RestrictionLevel =>
  placements.some(({ restriction_level }) => restriction_level === INVITED_EDIT) ? INVITED_EDIT : EVERYONE_EDITS;

/** An insight may be edited by whoever may edit one of the dashboards it is on; by everyone while it is on none. */
export const privilegeOnInsight = (placements: readonly Guarded[], viewer: Viewer): RestrictionLevel =>
  placements.length === 0 || placements.some((dashboard) => canEdit(dashboard, viewer)) ? INVITED_EDIT : EVERYONE_EDITS;
