import { z } from 'zod';
import { anything, nullable, optional, uuid } from '../../http/fields.ts';
import { ACCESS_LEVELS, DEFAULT_ACCESS } from '../levels.ts';
import { Access, timestamp } from '../shapes.ts';
import type { AccessControlRow } from './sql.ts';

export const AccessControl = z.strictObject({
  access_level: Access,
  resource: z.literal('dashboard'),
  resource_id: z.string(),
  organization_member: z.uuid().nullable(),
  role: z.null(),
  created_by: z.int().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const AccessControls = z.strictObject({
  access_controls: z.array(AccessControl),
  available_access_levels: z.array(Access),
  default_access_level: Access,
  user_access_level: Access,
  user_can_edit_access_levels: z.boolean(),
});

export const toAccessControl = (rule: AccessControlRow): z.output<typeof AccessControl> => ({
  access_level: rule.access_level,
  resource: 'dashboard',
  resource_id: String(rule.dashboard_id),
  organization_member: rule.membership_id,
  role: null,
  created_by: rule.created_by_id,
  created_at: rule.created_at,
  updated_at: rule.updated_at,
});

export const toAccessControls = (
  rules: readonly AccessControlRow[],
  user_access_level: z.output<typeof Access>,
  user_can_edit_access_levels: boolean,
): z.output<typeof AccessControls> => ({
  access_controls: rules.map(toAccessControl),
  available_access_levels: [...ACCESS_LEVELS],
  default_access_level: DEFAULT_ACCESS,
  user_access_level,
  user_can_edit_access_levels,
});

export const AccessControlDraft = z.object({
  access_level: optional(anything('none, viewer or editor; null removes the rule.')),
  organization_member: optional(nullable(uuid('The id of a membership. Without it the rule is for everyone.'))),
  role: optional(nullable(uuid())),
});
