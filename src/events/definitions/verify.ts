// A definition is verified, hidden or neither, never both.
import { invalid } from '../../http/errors.ts';
import type { Timestamp } from '../../metadata/tables.ts';

export interface Standing {
  verified: boolean;
  verified_at: Timestamp | null;
  verified_by_id: number | null;
  hidden: boolean;
}

/** What changes about a definition's standing. Who verifies it first is remembered; verifying again changes nothing. */
export function changeStanding(
  current: Pick<Standing, 'verified'>,
  { verified, hidden }: { verified?: boolean | undefined; hidden?: boolean | undefined },
  by: { user_id: number; now: Timestamp },
): Partial<Standing> {
  if (verified && hidden) throw invalid('An event cannot be both hidden and verified');
  if (hidden) return { hidden: true, ...UNVERIFIED };
  const shown = hidden === false || verified ? { hidden: false } : {};
  if (verified === undefined) return shown;
  if (!verified) return { ...shown, ...UNVERIFIED };
  return current.verified ? shown : { ...shown, verified, verified_at: by.now, verified_by_id: by.user_id };
}

const UNVERIFIED = { verified: false, verified_at: null, verified_by_id: null };
