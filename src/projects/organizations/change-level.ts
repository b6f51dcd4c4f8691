// Who may give whom which level.
import { invalid, permissionDenied } from '../../http/errors.ts';
import type { MembershipLevel } from '../../metadata/tables.ts';

interface LevelChange {
  /** The level of whoever asks. */
  own: MembershipLevel;
  /** Whether they ask for themselves. */
  self: boolean;
  from: MembershipLevel;
  to: MembershipLevel;
}

/** Nobody raises themselves, nobody touches those above them, nobody gives more than they have. */
export function requireChangeAllowed({ own, self, from, to }: LevelChange): void {
  if (self) throw permissionDenied("You can't change your own access level.");
  if (from > own) throw permissionDenied('You can only edit others with level lower or equal to you.');
  if (to === 15 && own !== 15) {
    throw permissionDenied("You can only pass on organization ownership if you're its owner.");
  }
  if (to > own) {
    throw permissionDenied('You can only change access level of others to lower or equal to your current one.');
  }
  if (from === 15) throw invalid('Pass on the ownership of the organization instead.', 'level');
}
