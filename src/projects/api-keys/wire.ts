import { z } from 'zod';
import { invalid } from '../../http/errors.ts';
import { integer, list, nullable, optional, parseUuid, text } from '../../http/fields.ts';
import type { PersonalApiKeyRow } from '../../metadata/tables.ts';
import { isScope } from '../access/scopes.ts';

export const PersonalApiKey = z.strictObject({
  id: z.string(),
  label: z.string(),
  value: z.string().nullable(),
  mask_value: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  last_rolled_at: z.iso.datetime().nullable(),
  user_id: z.int(),
  scopes: z.array(z.string()),
  scoped_teams: z.array(z.int()),
  scoped_organizations: z.array(z.string()),
});

/** `value` is known only right after the key was made. */
export function toPersonalApiKey(row: PersonalApiKeyRow, value: string | null = null): z.output<typeof PersonalApiKey> {
  const { id, label, mask_value, created_at, last_used_at, last_rolled_at, user_id } = row;
  const { scopes, scoped_teams, scoped_organizations } = row;
  return {
    id,
    label,
    value,
    mask_value,
    created_at,
    last_used_at,
    last_rolled_at,
    user_id,
    scopes,
    scoped_teams,
    scoped_organizations,
  };
}

export const PersonalApiKeyDraft = z.object({
  label: text({ max: 40 }),
  scopes: list(text({ blank: true }), '`<object>:read`, `<object>:write` or `*`; write implies read.'),
  scoped_teams: optional(nullable(list(integer()))),
  scoped_organizations: optional(nullable(list(text({ blank: true })))),
});

/** What the fields alone cannot say: the scopes exist, the organizations are uuids. */
export function requireGoodKey({ scopes, scoped_organizations }: Partial<z.output<typeof PersonalApiKeyDraft>>): void {
  if (scopes?.length === 0) throw invalid('Select at least one scope.', 'scopes');
  const bad = scopes?.find((scope) => !isScope(scope));
  if (bad !== undefined) throw invalid(`Invalid scope: ${bad}`, 'scopes');
  if (scoped_organizations?.some((id) => !parseUuid(id))) {
    throw invalid('Invalid organization UUID', 'scoped_organizations');
  }
}
