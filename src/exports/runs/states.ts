// The life of a run as a complete table: every status answers everything that can happen to a run.
import type { RunStatus } from '../../metadata/tables-exports.ts';

export type RunEvent =
  /** A worker took it up, for the first time or after an attempt that failed or was cut off. */
  | 'taken'
  | 'completed'
  /** The attempt failed in a way that may pass; there will be another. */
  | 'stumbled'
  /** The attempt failed in a way that may pass, and there is no time for another. */
  | 'gaveUp'
  /** Only a person can mend what went wrong. */
  | 'failed'
  /** It worked for longer than a run of its interval may. */
  | 'timedOut'
  /** Somebody asked for it, or its export was deleted before it began. */
  | 'cancelled';

/** Null: this cannot happen there, and changes nothing if it seems to. */
export const transitions: Readonly<Record<RunStatus, Readonly<Record<RunEvent, RunStatus | null>>>> = {
  Starting: {
    taken: 'Running',
    completed: null,
    stumbled: null,
    gaveUp: null,
    failed: null,
    timedOut: 'TimedOut',
    cancelled: 'Cancelled',
  },
  Running: {
    taken: 'Running',
    completed: 'Completed',
    stumbled: 'Running',
    gaveUp: 'FailedRetryable',
    failed: 'Failed',
    timedOut: 'TimedOut',
    cancelled: 'Cancelled',
  },
  Completed: over(),
  Failed: over(),
  FailedRetryable: over(),
  Cancelled: over(),
  TimedOut: over(),
  // Words of the wire that nothing here says.
  Terminated: over(),
  ContinuedAsNew: over(),
};

/** A run that is over stays as it is: a retry is a new run of the same interval. */
function over(): Record<RunEvent, null> {
  return { taken: null, completed: null, stumbled: null, gaveUp: null, failed: null, timedOut: null, cancelled: null };
}

export const statuses = Object.keys(transitions) as RunStatus[];

/** The statuses in which this may happen. */
export const before = (event: RunEvent): RunStatus[] =>
  statuses.filter((status) => transitions[status][event] !== null);

/** What such a run becomes; the same from wherever it happens. */
export function after(event: RunEvent): RunStatus {
  const [first] = before(event);
  return transitions[first as RunStatus][event] as RunStatus;
}

/** Neither over nor done. */
export const ACTIVE = before('cancelled');
