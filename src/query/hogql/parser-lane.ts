// One parser in a thread of its own, which takes one text after the other. A text that keeps it for too long, or breaks
// it, is given up with the thread; the next one gets a new thread, and the others only wait a little longer.
import type { Worker } from 'node:worker_threads';
import { openThread } from '../../platform/thread.ts';
import type { ParseAnswer, ParseRequest } from './parser-thread.ts';

export interface LaneLimits {
  /** How much of a processor one text may take. */
  processorMs: number;
  /** How long it may take by the clock: on a busy machine, or one that is slow to wake, much longer than that. */
  clockMs: number;
  waitingMax: number;
}

/** How often a thread is looked at that has not answered yet; most have by the first time. */
const LOOK_MS = 500;

interface Task {
  text: string;
  kind: ParseRequest['kind'];
  settle(json: string | undefined): void;
}

export class ParserLane {
  readonly #limits: LaneLimits;
  readonly #waiting: Task[] = [];
  #worker: Worker | undefined;
  #isReady = false;
  #current: Task | undefined;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.#limits.waitingMax;
  }

  /** JSON of the tree, or of the parser's error; undefined when the text could not be parsed in time, or at all. */
  parse(text: string, kind: ParseRequest['kind']): Promise<string | undefined> {
    return new Promise((settle) => {
      this.#waiting.push({ text, kind, settle });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#waiting.length = 0;
    await this.#worker?.terminate();
  }

  #next(): void {
    if (this.#current) return;
    this.#current = this.#waiting.shift();
    if (!this.#current) return;
    if (!this.#worker) this.#worker = this.#start();
    else if (this.#isReady) this.#hand(this.#worker, this.#current);
  }

  /** Its time is counted from here: that a thread takes its time to start is not the text's fault. */
  #hand(worker: Worker, task: Task): void {
    const timer = setTimeout(() => this.#giveUp(worker), this.#limits.clockMs);
    const looking = setInterval(this.#makeLook(worker, task), LOOK_MS);
    const { settle } = task;
    task.settle = (json) => {
      clearTimeout(timer);
      clearInterval(looking);
      settle(json);
    };
    worker.postMessage({ text: task.text, kind: task.kind } satisfies ParseRequest);
  }

  /** Gives the text up when it has taken its share of a processor, counted from the first look. */
  #makeLook(worker: Worker, task: Task): () => Promise<void> {
    let before: NodeJS.CpuUsage | undefined;
    return async () => {
      // A thread that has ended meanwhile has nothing to tell.
      const used = await worker.cpuUsage(before).catch(() => undefined);
      if (!used || this.#current !== task) return;
      if (!before) before = used;
      else if (used.user + used.system > this.#limits.processorMs * 1_000) this.#giveUp(worker);
    };
  }

  #start(): Worker {
    this.#isReady = false;
    const worker = openThread(new URL('./parser-thread.ts', import.meta.url));
    worker.on('message', (answer: ParseAnswer) => {
      if (worker !== this.#worker) return;
      if ('json' in answer) this.#settle(answer.json);
      else {
        this.#isReady = true;
        if (this.#current) this.#hand(worker, this.#current);
      }
    });
    // Whatever ends the thread ends the text that it had.
    worker.on('error', () => this.#giveUp(worker));
    worker.on('exit', () => this.#giveUp(worker));
    // After the listeners, which would hold the process again.
    worker.unref();
    return worker;
  }

  #giveUp(worker: Worker): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    void worker.terminate();
    this.#settle(undefined);
  }

  #settle(json: string | undefined): void {
    const task = this.#current;
    this.#current = undefined;
    task?.settle(json);
    this.#next();
  }
}
