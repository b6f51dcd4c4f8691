// Rules that say who may see and who may edit one dashboard.
import { fieldRequired, invalid, permissionDenied } from '../../http/errors.ts';
import { empty, projectRoute, type Route } from '../../http/route.ts';
import type { AccessLevel } from '../../metadata/tables.ts';
import { inTransaction } from '../../metadata/transaction.ts';
import { changesBetween } from '../activity/changes.ts';
import { recordActivity } from '../activity/sql.ts';
import { ACCESS_LEVELS, accessOf, canRestrict, type Viewer } from '../levels.ts';
import { loadDashboard, viewerOf } from '../load.ts';
import { type DashboardFacts, type Db, lockDashboard } from '../sql.ts';
import { deleteRule, findRule, isMembership, listRules, type RuleKey, upsertRule } from './sql.ts';
import { AccessControl, AccessControlDraft, AccessControls, toAccessControl, toAccessControls } from './wire.ts';

export const accessControlRoutes = (db: Db): Route[] => [
  projectRoute('GET', '/dashboards/:id/access_controls/', {
    summary: 'Who may see and edit a dashboard',
    scope: 'access_control:read',
    returns: AccessControls,
    load: (context) => loadDashboard(db, context, context.params.id, 'view'),
    async handle(context) {
      const viewer = viewerOf(context);
      const rules = await listRules(db, context.found.id);
      return toAccessControls(rules, accessOf(context.found, viewer), canRestrict(context.found, viewer));
    },
  }),

  projectRoute('PUT', '/dashboards/:id/access_controls/', {
    summary: 'Say who may see and edit a dashboard: everyone, or one member',
    scope: 'access_control:write',
    body: AccessControlDraft,
    returns: AccessControl,
    async load(context) {
      const found = await loadDashboard(db, context, context.params.id, 'view');
      requireMayRule(found, viewerOf(context));
      return found;
    },
    async handle({ organization, user, found, body }) {
      const { organization_member = null, role = null } = body;
      if (organization_member && role) {
        throw invalid('You can not scope an access control to both a member and a role.');
      }
      const access_level = parseLevel(body.access_level);
      // There are no roles here yet, so no id names one.
      if (role) throw unknown(role, 'role');
      if (organization_member && !(await isMembership(db, organization.id, organization_member))) {
        throw unknown(organization_member, 'organization_member');
      }
      return rule(found, { dashboard_id: found.id, membership_id: organization_member }, access_level);

      function rule(dashboard: DashboardFacts, key: RuleKey, level: AccessLevel | null) {
        return inTransaction(db, async (tx) => {
          await lockDashboard(tx, dashboard.id);
          const before = await findRule(tx, key);
          const after = level ? await upsertRule(tx, key, { access_level: level, created_by_id: user.id }) : undefined;
          if (!level) await deleteRule(tx, key);
          const { id: item_id, team_id, name } = dashboard;
          const stateOf = (row: typeof before) => ({ access_controls: row ? toAccessControl(row) : null });
          const changes = changesBetween('Dashboard', stateOf(before), stateOf(after), ['access_controls']);
          const about = { scope: 'Dashboard', item_id, activity: 'updated', name } as const;
          if (changes.length > 0) await recordActivity(tx, { team_id, user_id: user.id, ...about, changes });
          return after ? toAccessControl(after) : empty(204);
        });
      }
    },
  }),
];

function requireMayRule(dashboard: DashboardFacts, viewer: Viewer): void {
  if (!canRestrict(dashboard, viewer)) {
    throw permissionDenied(`Must be ${ACCESS_LEVELS.at(-1)} to modify dashboard permissions.`);
  }
}

function parseLevel(value: unknown): AccessLevel | null {
  if (value === undefined) throw fieldRequired('access_level');
  if (value === null) return null;
  const level = ACCESS_LEVELS.find((each) => each === value);
  if (!level) throw invalid(`Invalid access level. Must be one of: ${ACCESS_LEVELS.join(', ')}`, 'access_level');
  return level;
}

const unknown = (id: string, attr: string) =>
  invalid(`Invalid pk "${id}" - object does not exist.`, attr, 'does_not_exist');
