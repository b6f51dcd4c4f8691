// Public shapes of shares, and of what their public addresses answer.
import { z } from 'zod';
import { invalid } from '../../http/errors.ts';
import { anything, bool, isDict, nullable, optional, text, verbatim } from '../../http/fields.ts';
import type { SharingConfigurationRow } from '../../metadata/tables.ts';
import { Insight } from '../insights/wire.ts';
import { AnyObject, type Dict, timestamp } from '../shapes.ts';
import { Dashboard } from '../wire.ts';
import type { SharingPassword } from './sql.ts';

const PasswordShown = z.strictObject({
  id: z.int(),
  created_at: timestamp,
  note: z.string().nullable(),
  created_by_email: z.string().nullable(),
  is_active: z.boolean(),
});

export const SharingConfiguration = z.strictObject({
  created_at: timestamp,
  enabled: z.boolean(),
  access_token: z.string(),
  settings: AnyObject.nullable(),
  password_required: z.boolean(),
  share_passwords: z.array(PasswordShown),
});

export function toSharingConfiguration(
  { created_at, enabled, access_token, settings, password_required }: SharingConfigurationRow,
  passwords: readonly SharingPassword[],
): z.output<typeof SharingConfiguration> {
  const share_passwords = passwords.map(({ id, created_at, note, created_by_email }) => ({
    id,
    created_at,
    note,
    created_by_email,
    is_active: true,
  }));
  return { created_at, enabled, access_token, settings, password_required, share_passwords };
}

export const SharingDraft = z.object({
  enabled: optional(bool('Whether the public address answers.')),
  password_required: optional(bool('Whether it asks for one of the passwords.')),
  settings: optional(anything('How the public page looks.')),
});

const FLAGS = ['whitelabel', 'noHeader', 'legend', 'detailed', 'hideExtraDetails', 'showInspector'] as const;
const THEMES = ['light', 'dark', 'system'];

/** Known settings only; what is unknown is dropped, what is wrong refused. */
export function parseSettings(value: unknown): Dict | null | undefined {
  if (value === undefined || value === null) return value;
  const wrong = () => invalid('Invalid settings format', 'settings');
  if (!isDict(value)) throw wrong();
  const flags = FLAGS.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]] as const]));
  if (flags.some(([, on]) => typeof on !== 'boolean')) throw wrong();
  if (value.theme !== undefined && !THEMES.includes(String(value.theme))) throw wrong();
  return { ...Object.fromEntries(flags), ...(value.theme !== undefined && { theme: value.theme }) };
}

const PASSWORD_LENGTH_MIN = 8;
export const PASSWORDS_MAX = 20;

export const PasswordDraft = z.object({
  raw_password: optional(nullable(verbatim({ max: 100, about: 'Made up when it is left out.' }))),
  note: optional(nullable(text({ max: 100, blank: true }))),
});

export function requireLongPassword(password: string): void {
  if (password.length < PASSWORD_LENGTH_MIN) {
    throw invalid(`Ensure this field has at least ${PASSWORD_LENGTH_MIN} characters.`, 'raw_password', 'min_length');
  }
}

/** The only time that the password itself is shown. */
export const NewPassword = z.strictObject({
  id: z.int(),
  password: z.string(),
  note: z.string().nullable(),
  created_at: timestamp,
  created_by_email: z.string(),
});

// What the public addresses answer

const on = z.literal(true).optional();

export const SharedThing = z.strictObject({
  type: z.enum(['scene', 'embed', 'unlock']),
  accessToken: z.string(),
  dashboard: Dashboard.optional(),
  insight: Insight.optional(),
  themes: z.array(z.unknown()).optional(),
  whitelabel: on,
  noHeader: on,
  legend: on,
  detailed: on,
  hideExtraDetails: on,
  showInspector: on,
  theme: z.string().optional(),
});
export type SharedThing = z.output<typeof SharedThing>;

/** Settings show only when they are on. */
export function toFlags(settings: Dict | null): Dict {
  const on = FLAGS.filter((name) => settings?.[name] === true).map((name) => [name, true]);
  return { ...Object.fromEntries(on), ...(settings?.theme !== undefined && { theme: settings.theme }) };
}

export const UnlockDraft = z.object({ password: verbatim({ max: 100 }) });

export const UnlockAnswer = z.union([
  z.strictObject({ shareToken: z.string() }),
  z.strictObject({ error: z.string() }),
]);
