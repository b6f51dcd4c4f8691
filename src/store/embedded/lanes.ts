// Lanes share a scarce thing: each is used by one at a time, and who finds them all taken waits, but not for ever.
import { type EngineError, refusal } from './engine-error.ts';

export interface LaneLimits {
  lanesMax: number;
  waitingMax: number;
  waitMs: number;
}

interface Waiter<T> {
  enter(lane: T): void;
  refuse(error: Error): void;
}

export class Lanes<T> {
  readonly #limits: LaneLimits;
  readonly #open: () => T;
  readonly #idle: T[] = [];
  readonly #waiting: Waiter<T>[] = [];
  #opened = 0;

  /** Lanes are opened when first needed, never more than `lanesMax`. */
  constructor(limits: LaneLimits, open: () => T) {
    this.#limits = limits;
    this.#open = open;
  }

  /** Runs the task with a lane of its own. Refuses with TOO_MANY_SIMULTANEOUS_QUERIES when the queue or the wait is too long. */
  async use<R>(signal: AbortSignal, task: (lane: T) => Promise<R>): Promise<R> {
    const lane = await this.#enter(signal);
    try {
      return await task(lane);
    } finally {
      this.#leave(lane);
    }
  }

  #enter(signal: AbortSignal): T | Promise<T> {
    signal.throwIfAborted();
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#opened < this.#limits.lanesMax) {
      const lane = this.#open();
      this.#opened += 1;
      return lane;
    }
    if (this.#waiting.length >= this.#limits.waitingMax) {
      throw tooMany(`${this.#opened} are running and ${this.#waiting.length} are waiting`);
    }
    return this.#wait(signal);
  }

  #wait(signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        const at = this.#waiting.indexOf(waiter);
        if (at !== -1) this.#waiting.splice(at, 1);
      };
      const waiter: Waiter<T> = {
        enter: (lane) => {
          settle();
          resolve(lane);
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      const abort = () => waiter.refuse(signal.reason as Error);
      const timer = setTimeout(
        () => waiter.refuse(tooMany(`${this.#opened} are running, and none ended within ${this.#limits.waitMs} ms`)),
        this.#limits.waitMs,
      );
      signal.addEventListener('abort', abort);
      this.#waiting.push(waiter);
    });
  }

  #leave(lane: T): void {
    const next = this.#waiting[0];
    if (next) next.enter(lane);
    else this.#idle.push(lane);
  }
}

function tooMany(detail: string): EngineError {
  return refusal(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', `Too many simultaneous queries: ${detail}.`);
}
