// Work that comes again and again in the background, one turn at a time.
import type { Logger } from './logger.ts';

export interface Repeated {
  /** Waits for the turn that is under way. */
  close(): Promise<void>;
}

/** A turn that fails is told to the log, and the next one tries again. `signal` is aborted when the work should end. */
export function periodically(
  everyMs: number,
  turn: (signal: AbortSignal) => Promise<void>,
  { log, what }: { log: Logger; what: string },
): Repeated {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= turn(stopping.signal)
      .catch((error) => log.warn({ err: error }, `${what}: failed, and will be tried again`))
      .finally(() => {
        running = undefined;
      });
  }, everyMs);
  timer.unref();
  return {
    async close() {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}
