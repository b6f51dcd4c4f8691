import { z } from 'zod';
import {
  anything,
  bool,
  choice,
  dict,
  email,
  integer,
  nullable,
  optional,
  text,
  uuid,
  verbatim,
} from '../../http/fields.ts';
import type { AccountRow, ProjectRow } from '../../metadata/tables.ts';
import type { MemberOf } from '../sql.ts';
import { OrganizationBasic, ProjectBasic, toOrganizationBasic, toProjectBasic } from '../wire.ts';

/** What people set for themselves, kept in one JSON column: its value until they do. */
const preferences = {
  notification_settings: {},
  anonymize_data: false,
  toolbar_mode: 'toolbar',
  events_column_config: { active: 'DEFAULT' },
  has_seen_product_intro_for: null,
  theme_mode: null,
};

export const Me = z.strictObject({
  date_joined: z.iso.datetime(),
  uuid: z.uuid(),
  distinct_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  pending_email: z.null(),
  is_email_verified: z.boolean().nullable(),
  notification_settings: z.record(z.string(), z.unknown()),
  anonymize_data: z.boolean(),
  toolbar_mode: z.string().nullable(),
  has_password: z.boolean(),
  id: z.int(),
  is_staff: z.boolean(),
  is_impersonated: z.boolean(),
  is_impersonated_until: z.null(),
  sensitive_session_expires_at: z.iso.datetime().nullable(),
  team: ProjectBasic.nullable(),
  organization: z.strictObject({ ...OrganizationBasic.shape, teams: z.array(ProjectBasic) }).nullable(),
  organizations: z.array(OrganizationBasic),
  events_column_config: z.unknown(),
  is_2fa_enabled: z.boolean(),
  has_social_auth: z.boolean(),
  has_sso_enforcement: z.boolean(),
  has_seen_product_intro_for: z.unknown(),
  scene_personalisation: z.array(z.unknown()),
  theme_mode: z.string().nullable(),
  hedgehog_config: z.record(z.string(), z.unknown()).nullable(),
  role_at_organization: z.string().nullable(),
});

export interface MeParts {
  user: AccountRow;
  memberships: readonly MemberOf[];
  /** Projects of the current organization. */
  projects: readonly ProjectRow[];
  /** Until when keys and passwords may be changed without signing in again. */
  sensitive_session_expires_at: string | null;
}

export function toMe({ user, memberships, projects, sensitive_session_expires_at }: MeParts): z.output<typeof Me> {
  const current = memberships.find(({ organization }) => organization.id === user.current_organization_id);
  const project = projects.find(({ id }) => id === user.current_project_id);
  return {
    ...preferences,
    ...(user.preferences as typeof preferences),
    date_joined: user.date_joined,
    uuid: user.uuid,
    distinct_id: user.distinct_id,
    first_name: user.first_name,
    last_name: user.last_name,
    email: user.email,
    pending_email: null,
    is_email_verified: user.is_email_verified,
    has_password: user.password_hash !== null,
    id: user.id,
    is_staff: user.is_staff,
    is_impersonated: false,
    is_impersonated_until: null,
    sensitive_session_expires_at,
    team: project ? toProjectBasic(project) : null,
    organization: current
      ? { ...toOrganizationBasic(current.organization, current.level), teams: projects.map(toProjectBasic) }
      : null,
    organizations: memberships.map(({ organization, level }) => toOrganizationBasic(organization, level)),
    is_2fa_enabled: false,
    has_social_auth: false,
    has_sso_enforcement: false,
    scene_personalisation: [],
    hedgehog_config: user.hedgehog_config,
    role_at_organization: user.role_at_organization,
  };
}

const roles = ['engineering', 'data', 'product', 'founder', 'leadership', 'marketing', 'sales', 'other'] as const;

export const MeChange = z.object({
  first_name: optional(text({ max: 150 })),
  last_name: optional(text({ max: 150, blank: true })),
  email: optional(email()),
  role_at_organization: optional(nullable(choice(roles))),
  hedgehog_config: optional(nullable(dict())),
  notification_settings: optional(dict()),
  anonymize_data: optional(bool()),
  toolbar_mode: optional(nullable(choice(['disabled', 'toolbar']))),
  events_column_config: optional(anything()),
  has_seen_product_intro_for: optional(nullable(dict())),
  theme_mode: optional(nullable(choice(['light', 'dark', 'system']))),
  password: optional(verbatim()),
  current_password: optional(verbatim()),
  set_current_organization: optional(uuid()),
  set_current_team: optional(integer({ min: 1 })),
});

/** What of a change belongs into the JSON column. */
export function pickPreferences(change: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(change).filter(([name, value]) => name in preferences && value !== undefined),
  );
}

export const SignIn = z.object({ email: text({ max: 254 }), password: verbatim() });

export const InvitedSignUp = z.object({
  first_name: optional(text({ max: 150 })),
  password: optional(verbatim()),
  role_at_organization: optional(nullable(choice(roles))),
});
