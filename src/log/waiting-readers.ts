// Readers that wait for records: woken at once by appends of this process, and soon by those of others.

/** How often to look for records that another process appended. Only done while somebody waits. */
const POLL_MS = 50;

interface Waiter {
  readonly partition: number;
  readonly from: number;
  wake(): void;
}

export class WaitingReaders {
  readonly #readNext: () => readonly number[];
  readonly #waiters = new Set<Waiter>();
  #poll: NodeJS.Timeout | undefined;
  #closed = false;

  /** `readNext` looks up the next position of each partition, as far as any process has appended. */
  constructor(readNext: () => readonly number[]) {
    this.#readNext = readNext;
  }

  /** Resolves when the partition has a record at `from`, when the time is up, when aborted, or on `close`. */
  async until(partition: number, from: number, waitMs: number, signal?: AbortSignal): Promise<void> {
    if (this.#closed || signal?.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const waiter = { partition, from, wake };
    const timer = setTimeout(wake, waitMs);
    signal?.addEventListener('abort', wake);
    this.#waiters.add(waiter);
    this.#poll ??= setInterval(() => this.wake(this.#readNext()), POLL_MS);
    await promise;
    clearTimeout(timer);
    signal?.removeEventListener('abort', wake);
    this.#waiters.delete(waiter);
    if (this.#waiters.size === 0) this.#stopPolling();
  }

  wake(next: readonly number[]): void {
    for (const { partition, from, wake } of this.#waiters) if (next[partition]! > from) wake();
  }

  close(): void {
    this.#closed = true;
    this.#stopPolling();
    for (const { wake } of this.#waiters) wake();
  }

  #stopPolling(): void {
    clearInterval(this.#poll);
    this.#poll = undefined;
  }
}
