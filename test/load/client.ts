// A client as SDKs are: it sends its events in order, and again, unchanged, until it has a clear answer.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { TOKEN } from '../program.ts';
import type { Random } from '../random.ts';
import { type Sending, send } from './send.ts';

export interface SentEvent {
  uuid: string;
  event: string;
  distinct_id: string;
  timestamp: string;
  properties: Record<string, unknown>;
}

const RESEND_MS_MAX = 150;

export class Client {
  /** Everything that was acknowledged, in order. */
  readonly acknowledged: SentEvent[] = [];
  /** Events of requests that were sent again, once for each time. */
  resent = 0;
  readonly #port: () => number;
  readonly #random: Random;

  /** The port is asked for each time: a program that was started again may have another. */
  constructor(port: () => number, random: Random) {
    this.#port = port;
    this.#random = random;
  }

  /** Resolves when the events are acknowledged. */
  async deliver(events: readonly SentEvent[]): Promise<void> {
    const sending = this.#wrap(events);
    while (!(await this.#isTaken(sending))) {
      this.resent += events.length;
      await delay(this.#random.int(RESEND_MS_MAX));
    }
    this.acknowledged.push(...events);
    // Clients also repeat what was answered well, when the answer did not reach them.
    if (this.#random.chance(0.03) && (await this.#isTaken(sending))) this.resent += events.length;
  }

  #wrap(events: readonly SentEvent[]): Sending {
    const [first] = events;
    const single = events.length === 1 && this.#random.chance(0.8);
    const json = JSON.stringify(single ? { api_key: TOKEN, ...first } : { api_key: TOKEN, batch: events });
    const headers = { 'content-type': 'application/json' };
    const path = single ? '/capture/' : '/batch/';
    return this.#random.chance(0.5)
      ? { path, headers, body: Buffer.from(json) }
      : { path, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(json) };
  }

  /** True for a yes; a connection that ended and "come again later" are no answers; anything else is a fault. */
  async #isTaken(sending: Sending): Promise<boolean> {
    const { status, text, retryAfter } = await send(this.#port(), sending);
    if (status === 200) return true;
    if (status === 503) assert.ok(retryAfter, 'a 503 says when to come again');
    else assert.equal(status, 0, `an event was refused: ${text}`);
    return false;
  }
}

export function makeUuid({ bytes }: Random): string {
  const hex = bytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
