import { z } from 'zod';
import { bool, choice, email, nullable, optional, text } from '../../http/fields.ts';
import type {
  AccountRow,
  InviteRow,
  MembershipLevel,
  MembershipRow,
  OrganizationRow,
  ProjectRow,
} from '../../metadata/tables.ts';
import {
  OrganizationBasic,
  ProjectBasic,
  toOrganizationBasic,
  toProjectBasic,
  toUserBasic,
  UserBasic,
} from '../wire.ts';

export const Organization = z.strictObject({
  ...OrganizationBasic.shape,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  members_can_invite: z.boolean(),
  member_count: z.int(),
  teams: z.array(ProjectBasic),
  projects: z.array(ProjectBasic),
  available_product_features: z.array(z.unknown()),
  enforce_2fa: z.boolean().nullable(),
  allow_publicly_shared_resources: z.boolean(),
  metadata: z.record(z.string(), z.unknown()),
});

export function toOrganization(
  organization: OrganizationRow,
  level: MembershipLevel | null,
  projects: readonly ProjectRow[],
  member_count: number,
): z.output<typeof Organization> {
  const basics = projects.map(toProjectBasic);
  return {
    ...toOrganizationBasic(organization, level),
    created_at: organization.created_at,
    updated_at: organization.updated_at,
    members_can_invite: organization.members_can_invite,
    member_count,
    teams: basics,
    projects: basics,
    available_product_features: [],
    enforce_2fa: null,
    allow_publicly_shared_resources: true,
    metadata: {},
  };
}

export const OrganizationDraft = z.object({
  name: text({ max: 64 }),
  members_can_invite: optional(bool()),
  members_can_use_personal_api_keys: optional(bool('Whether members below admin may use personal API keys.')),
});

export const Member = z.strictObject({
  id: z.uuid(),
  user: UserBasic,
  level: z.literal([1, 8, 15]),
  joined_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  is_2fa_enabled: z.boolean(),
  has_social_auth: z.boolean(),
});

export function toMember(membership: MembershipRow, user: AccountRow): z.output<typeof Member> {
  const { id, level, joined_at, updated_at } = membership;
  return { id, user: toUserBasic(user), level, joined_at, updated_at, is_2fa_enabled: false, has_social_auth: false };
}

const levelField = choice([1, 8, 15], '1 member, 8 admin, 15 owner.');

export const MemberChange = z.object({ level: optional(levelField) });

export const Invite = z.strictObject({
  id: z.uuid(),
  target_email: z.string(),
  first_name: z.string(),
  emailing_attempt_made: z.boolean(),
  level: z.literal([1, 8, 15]),
  is_expired: z.boolean(),
  created_by: UserBasic.nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  message: z.string().nullable(),
});

const INVITE_DAYS = 3;

export const isExpired = (invite: InviteRow, now: number) =>
  now - Date.parse(invite.created_at) > INVITE_DAYS * 24 * 60 * 60 * 1000;

export function toInvite(invite: InviteRow, createdBy: AccountRow | null, now: number): z.output<typeof Invite> {
  const { id, target_email, first_name, level, created_at, updated_at, message } = invite;
  return {
    id,
    target_email,
    first_name,
    emailing_attempt_made: false,
    level,
    is_expired: isExpired(invite, now),
    created_by: createdBy && toUserBasic(createdBy),
    created_at,
    updated_at,
    message,
  };
}

export const InviteDraft = z.object({
  target_email: email(),
  first_name: optional(text({ max: 30, blank: true })),
  level: optional(levelField),
  message: optional(nullable(text({ blank: true }))),
});
