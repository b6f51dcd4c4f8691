// Rate limits as sliding logs: a request is let through while fewer than the limit remain inside the window.
import { throttled } from './errors.ts';

export interface Limit {
  requests: number;
  windowMs: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const limits = {
  default: [
    { requests: 480, windowMs: MINUTE },
    { requests: 4800, windowMs: HOUR },
  ],
  analytics: [
    { requests: 240, windowMs: MINUTE },
    { requests: 1200, windowMs: HOUR },
  ],
  query: [
    { requests: 240, windowMs: MINUTE },
    { requests: 2400, windowMs: HOUR },
  ],
  local_evaluation: [{ requests: 600, windowMs: MINUTE }],
  event_values: [
    { requests: 60, windowMs: MINUTE },
    { requests: 300, windowMs: HOUR },
  ],
} satisfies Record<string, Limit[]>;

export type LimitClass = keyof typeof limits;

/** More callers than this and the one not seen for longest is forgotten, so that memory stays bounded. */
const CALLERS_MAX = 10_000;

/** Counts requests per caller and class, in this process. */
export class Throttle {
  readonly #logs = new Map<string, number[]>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Lets the request through and remembers it, or refuses with the seconds to wait. */
  pass(caller: string, limitClass: LimitClass): void {
    const now = this.#now();
    const log = this.#take(`${limitClass}:${caller}`);
    const longest = Math.max(...limits[limitClass].map(({ windowMs }) => windowMs));
    while (log.length > 0 && now - (log[0] as number) >= longest) log.shift();
    const waitMs = Math.max(...limits[limitClass].map((limit) => waitFor(log, limit, now)));
    if (waitMs > 0) throw throttled(Math.ceil(waitMs / 1000));
    log.push(now);
  }

  #take(key: string): number[] {
    const log = this.#logs.get(key) ?? [];
    this.#logs.delete(key);
    this.#logs.set(key, log);
    if (this.#logs.size > CALLERS_MAX) this.#logs.delete(this.#logs.keys().next().value as string);
    return log;
  }
}

/** Milliseconds until the limit has room again: zero when it has room now. */
export function waitFor(log: readonly number[], { requests, windowMs }: Limit, now: number): number {
  if (log.length < requests) return 0;
  const oldestInTheWay = log[log.length - requests] as number;
  return Math.max(0, windowMs - (now - oldestInTheWay));
}
