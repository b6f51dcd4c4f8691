// Who goes first when the processors are busy: the doors, where somebody waits, before what goes on behind them.
import { getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** When there is not enough for both, a tenth of what those get who go first. Five steps were measured to change nothing. */
const STEPS_BACK = 10;
const LAST = 19;

/** From now on the calling thread, and every thread that it starts, gives way to the rest of the program. */
export function giveWay(): void {
  // Elsewhere a priority belongs to a whole process, and the doors are in the same one.
  if (!isMainThread && process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(getPriority() + STEPS_BACK, LAST));
  } catch {
    // A sandbox that forbids it: then all are equal, as before.
  }
}
