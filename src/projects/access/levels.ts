// Levels of membership in an organization; each may do all that the lower ones may.
import { permissionDenied } from '../../http/errors.ts';
import type { MembershipLevel } from '../../metadata/tables.ts';

export const ADMIN = 8;
export const OWNER = 15;

export function requireAdmin(level: MembershipLevel): void {
  if (level < ADMIN) throw permissionDenied('Your organization access level is insufficient.');
}
