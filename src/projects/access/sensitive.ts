import type { Caller, SessionCredential } from '../../http/caller.ts';
import { permissionDenied } from '../../http/errors.ts';

const RECENT_MS = 2 * 60 * 60 * 1000;

/** Keys and passwords are only changed by someone who has shown their password lately. */
export function requireRecentSignIn({ credential }: Caller, now: number): void {
  const recent = credential.kind === 'session' && now - Date.parse(credential.authenticated_at) < RECENT_MS;
  if (!recent) {
    throw permissionDenied(
      'This action requires you to be recently authenticated.',
      'sensitive_action_required_reauth',
    );
  }
}

export const sensitiveUntil = ({ authenticated_at }: SessionCredential) =>
  new Date(Date.parse(authenticated_at) + RECENT_MS).toISOString();
