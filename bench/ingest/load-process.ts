// The load generator: a process of its own, so that it takes nothing from the event loop that it measures. Plain sockets
// that are kept open, one request at a time on each, and no more parsing than telling one answer from the next.
import { connect, type Socket } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import type { LoadOrder, LoadResult } from './load.ts';
import { makeRequests, type NumberedRequest } from './requests.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
const RETRY_MS = 1_000;
const LENGTH = /\r\ncontent-length: (\d+)/i;

class Load {
  readonly #order: LoadOrder;
  readonly #requests: NumberedRequest[];
  readonly #latency = createHistogram();
  readonly #statuses: Record<string, number> = {};
  readonly #answered: [firstEvent: number, at: number][] = [];
  readonly #startedAt = performance.now();
  readonly #sockets: Socket[] = [];
  readonly #done = Promise.withResolvers<void>();
  #sent = 0;
  #answers = 0;
  #events: number;

  constructor(order: LoadOrder, requests: NumberedRequest[]) {
    this.#order = order;
    this.#requests = requests;
    this.#events = order.firstEvent;
  }

  async run(): Promise<LoadResult> {
    for (let n = 0; n < this.#order.connections; n += 1) this.#open();
    await this.#done.promise;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    for (const socket of this.#sockets) socket.destroy();
    return {
      requests: this.#answers,
      events: this.#events - this.#order.firstEvent,
      bodyBytes: this.#requests.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0) / this.#requests.length,
      seconds,
      statuses: this.#statuses,
      p50Ms: this.#latency.percentile(50) / 1e6,
      p99Ms: this.#latency.percentile(99) / 1e6,
      maxMs: this.#latency.max / 1e6,
      answered: this.#answered,
    };
  }

  #open(): void {
    const socket = connect(this.#order.port, '127.0.0.1').setNoDelay(true);
    this.#sockets.push(socket);
    let sentAt = 0;
    let firstEvent = 0;
    let rest: Buffer | undefined;
    let sent = Buffer.alloc(0);
    const send = () => {
      const request = this.#requests[this.#sent % this.#requests.length]!;
      firstEvent = this.#events;
      request.number(firstEvent);
      this.#sent += 1;
      this.#events += request.events;
      sentAt = performance.now();
      // A copy, because the same request may be numbered anew before the kernel has taken this one.
      sent = Buffer.from(request.bytes);
      socket.write(sent);
    };
    socket.on('data', (chunk) => {
      const answer = rest ? Buffer.concat([rest, chunk]) : chunk;
      const status = readStatus(answer);
      rest = status === undefined ? answer : undefined;
      if (status === undefined) return;
      if (status === 503) {
        // As SDKs do: the same once more, a little later.
        this.#count503();
        setTimeout(() => socket.write(sent), RETRY_MS);
        return;
      }
      this.#count(status, performance.now() - sentAt, firstEvent);
      if (this.#mayGoOn()) this.#next(send);
    });
    socket.on('error', (error) => this.#done.reject(error));
    socket.on('close', () => this.#done.reject(new Error('the server closed a connection')));
    socket.on('connect', () => this.#mayGoOn() && this.#next(send));
  }

  /** At once, or when it is its turn. */
  #next(send: () => void): void {
    const { eventsPerSecond } = this.#order;
    const dueAt = eventsPerSecond
      ? this.#startedAt + ((this.#events - this.#order.firstEvent) / eventsPerSecond) * 1000
      : 0;
    const waitMs = dueAt - performance.now();
    if (waitMs <= 0) send();
    // Woken only to look again: another connection may have taken the turn.
    else setTimeout(() => this.#mayGoOn() && this.#next(send), waitMs);
  }

  #mayGoOn(): boolean {
    const { seconds = Number.POSITIVE_INFINITY, events = Number.POSITIVE_INFINITY } = this.#order;
    const over =
      this.#events - this.#order.firstEvent >= events || performance.now() - this.#startedAt >= seconds * 1000;
    if (over && this.#answers === this.#sent) this.#done.resolve();
    return !over;
  }

  #count503(): void {
    this.#statuses['503'] = (this.#statuses['503'] ?? 0) + 1;
  }

  #count(status: number, ms: number, firstEvent: number): void {
    this.#answers += 1;
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    this.#latency.record(Math.max(1, Math.round(ms * 1e6)));
    if (this.#order.keepAnswers) this.#answered.push([firstEvent, Date.now()]);
  }
}

/** The status of an answer that is there as a whole; undefined when more has to come. */
function readStatus(answer: Buffer): number | undefined {
  const headEnd = answer.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const head = answer.toString('latin1', 0, headEnd);
  const bodyBytes = Number(LENGTH.exec(head)?.[1] ?? 0);
  return answer.length < headEnd + HEAD_END.length + bodyBytes ? undefined : Number(head.slice(9, 12));
}

/** Making requests takes a while, so those of the last order are kept for the next. */
let made: { kind: string; requests: NumberedRequest[] } = { kind: '', requests: [] };

process.on('message', async (order: LoadOrder) => {
  const kind = JSON.stringify(order.kind);
  if (made.kind !== kind) made = { kind, requests: makeRequests(order.kind) };
  const result = await new Load(order, made.requests).run().catch((error: Error) => ({ error: error.message }));
  process.send!(result);
});
process.on('disconnect', () => process.exit(0));
process.send!('ready');
