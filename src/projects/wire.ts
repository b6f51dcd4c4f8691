// Public shapes of users, organizations and projects. The only file that knows them; other features embed `toUserBasic`.
import { z } from 'zod';
import { invalid } from '../http/errors.ts';
import { nullable, optional, text } from '../http/fields.ts';
import type { AccountRow, MembershipLevel, OrganizationRow, ProjectRow } from '../metadata/tables.ts';
import { settingFields, settings, withDefaults } from './settings.ts';

// Users

export const UserBasic = z.strictObject({
  id: z.int(),
  uuid: z.uuid(),
  distinct_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  is_email_verified: z.boolean().nullable(),
  hedgehog_config: z.record(z.string(), z.unknown()).nullable(),
  role_at_organization: z.string().nullable(),
});

export function toUserBasic(user: AccountRow): z.output<typeof UserBasic> {
  const { id, uuid, distinct_id, first_name, last_name, email, is_email_verified, role_at_organization } = user;
  const hedgehog_config = toHedgehogConfig(user.hedgehog_config);
  return {
    id,
    uuid,
    distinct_id,
    first_name,
    last_name,
    email,
    is_email_verified,
    hedgehog_config,
    role_at_organization,
  };
}

/** What of a profile picture others see. */
function toHedgehogConfig(config: Record<string, unknown> | null): Record<string, unknown> | null {
  if (!config) return null;
  const { use_as_profile = null, color = null, accessories = [], skin = null } = config;
  return { use_as_profile, color, accessories, skin };
}

// Organizations

const level = z.literal([1, 8, 15]);

export const OrganizationBasic = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  logo_media_id: z.uuid().nullable(),
  membership_level: level.nullable(),
  members_can_use_personal_api_keys: z.boolean(),
});

export function toOrganizationBasic(
  { id, name, slug, logo_media_id, members_can_use_personal_api_keys }: OrganizationRow,
  membership_level: MembershipLevel | null,
): z.output<typeof OrganizationBasic> {
  return { id, name, slug, logo_media_id, membership_level, members_can_use_personal_api_keys };
}

// Projects

export const ProjectBasic = z.strictObject({
  id: z.int(),
  uuid: z.uuid(),
  organization: z.uuid(),
  project_id: z.int(),
  api_token: z.string(),
  name: z.string(),
  completed_snippet_onboarding: z.boolean(),
  has_completed_onboarding_for: z.record(z.string(), z.unknown()).nullable(),
  ingested_event: z.boolean(),
  is_demo: z.boolean(),
  timezone: z.string(),
  access_control: z.boolean(),
});

export function toProjectBasic(project: ProjectRow): z.output<typeof ProjectBasic> {
  const stored = withDefaults(project.settings);
  return {
    id: project.id,
    uuid: project.uuid,
    organization: project.organization_id,
    project_id: project.id,
    api_token: project.api_token,
    name: project.name,
    completed_snippet_onboarding: Boolean(stored.completed_snippet_onboarding),
    has_completed_onboarding_for: stored.has_completed_onboarding_for as Record<string, unknown> | null,
    ingested_event: project.ingested_event,
    is_demo: Boolean(stored.is_demo),
    timezone: project.timezone,
    access_control: false,
  };
}

export const Project = z.strictObject({
  ...ProjectBasic.shape,
  ...Object.fromEntries(Object.keys(settings).map((name) => [name, z.unknown()])),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  effective_membership_level: level,
  has_group_types: z.boolean(),
  group_types: z.array(z.unknown()),
  live_events_token: z.string().nullable(),
  person_on_events_querying_enabled: z.boolean(),
  default_modifiers: z.record(z.string(), z.unknown()),
  product_intents: z.array(z.unknown()),
  user_access_level: z.string(),
});

export function toProject(project: ProjectRow, effective_membership_level: MembershipLevel) {
  return {
    ...withDefaults(project.settings),
    ...toProjectBasic(project),
    created_at: project.created_at,
    updated_at: project.updated_at,
    effective_membership_level,
    has_group_types: false,
    group_types: [],
    live_events_token: null,
    person_on_events_querying_enabled: true,
    default_modifiers: {},
    product_intents: [],
    user_access_level: effective_membership_level >= 8 ? 'admin' : 'member',
  };
}

const projectName = text({ max: 200 });
const timezone = text({ max: 240, about: 'A name of the IANA time zone database.' });

export const ProjectDraft = z.object({
  name: optional(projectName),
  timezone: optional(timezone),
  ...settingFields,
});

export function requireTimezone(name: string | undefined): void {
  if (name === undefined) return;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    throw invalid(`"${name}" is not a valid choice.`, 'timezone', 'invalid_choice');
  }
}

/** The paged envelope around a shape. */
export const pagedOf = <T extends z.ZodType>(shape: T) =>
  z.strictObject({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(shape),
  });

export const nullableText = (max: number) => nullable(text({ max, blank: true }));
