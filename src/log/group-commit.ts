// Many changes, one durable transaction: whatever is asked for while a commit is on its way shares the next one.

interface Change<Transaction> {
  readonly bytes: number;
  make(transaction: Transaction): void;
  resolve(): void;
  reject(error: unknown): void;
}

/** More bytes than this in one transaction would make small changes wait long for large ones. */
const GROUP_BYTES_MAX = 4 * 1024 * 1024;

export class GroupCommit<Transaction> {
  readonly #commit: (fill: (transaction: Transaction) => void) => Promise<void>;
  #queue: Change<Transaction>[] = [];
  #bytes = 0;
  #running: Promise<void> | undefined;

  /** `commit` opens a transaction, calls `fill` with it, and resolves when the transaction is durable. */
  constructor(commit: (fill: (transaction: Transaction) => void) => Promise<void>) {
    this.#commit = commit;
  }

  /** Bytes of changes that are not durable yet. */
  get bytesWaiting(): number {
    return this.#bytes;
  }

  /**
   * Makes the change in the next transaction, after all changes asked for before it, and resolves with its result once
   * that is durable. A change that throws, which it must do before it changes anything, fails alone; a transaction
   * that fails, fails all its changes.
   */
  run<Result>(bytes: number, change: (transaction: Transaction) => Result): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let settle: () => void;
    this.#queue.push({
      bytes,
      make(transaction) {
        try {
          const result = change(transaction);
          settle = () => resolve(result);
        } catch (error) {
          settle = () => reject(error);
        }
      },
      resolve: () => settle(),
      reject,
    });
    this.#bytes += bytes;
    this.#running ??= this.#drain();
    return promise;
  }

  /** Resolves when nothing is waiting. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      let group: Change<Transaction>[] = [];
      let failed = false;
      let failure: unknown;
      try {
        await this.#commit((transaction) => {
          // Taken only now, inside the transaction, so that all that came while it was opening goes along.
          group = this.#take();
          for (const change of group) change.make(transaction);
        });
      } catch (error) {
        failed = true;
        failure = error;
        // A transaction that could not even be opened took nothing: its changes would be tried for ever.
        if (group.length === 0) group = this.#take();
      }
      for (const change of group) {
        this.#bytes -= change.bytes;
        if (failed) change.reject(failure);
        else change.resolve();
      }
    }
    this.#running = undefined;
  }

  #take(): Change<Transaction>[] {
    let bytes = 0;
    let count = 0;
    for (const change of this.#queue) {
      if (count > 0 && bytes + change.bytes > GROUP_BYTES_MAX) break;
      bytes += change.bytes;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }
}
