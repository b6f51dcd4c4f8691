// Requests as bytes, ready to be sent: made once, and numbered anew each time, because every event of a client has an
// id of its own and the server leaves out those it has seen.
import { sampleEvents } from '../measure/sample-events.ts';

export interface RequestKind {
  path: string;
  token: string;
  /** 1 for a single event, more for a batch. */
  eventsPerRequest: number;
  /** How many different requests are made; they are sent in turn. */
  requests: number;
  people: number;
}

/** What browsers and servers of one customer send, mixed to about half a kilobyte an event. */
const WEB_SHARE = 0.2;
const COUNTER_DIGITS = 12;

export class NumberedRequest {
  readonly bytes: Buffer;
  readonly bodyBytes: number;
  /** Where the last digits of each event's uuid stand. */
  readonly #counters: readonly number[];

  constructor(path: string, body: Buffer, uuids: readonly string[]) {
    const head = Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    this.bytes = Buffer.concat([head, body]);
    this.bodyBytes = body.length;
    let at = 0;
    this.#counters = uuids.map((uuid) => {
      at = this.bytes.indexOf(uuid, at) + uuid.length;
      return at - COUNTER_DIGITS;
    });
  }

  get events(): number {
    return this.#counters.length;
  }

  /** Gives its events the numbers from `from` on. */
  number(from: number): void {
    let next = from;
    for (const at of this.#counters) this.bytes.write(counterDigits(next++), at, 'latin1');
  }
}

/** The part of an event's uuid by which it is known again. */
export const counterDigits = (n: number): string => n.toString(16).padStart(COUNTER_DIGITS, '0');

export function makeRequests({ path, token, eventsPerRequest, requests, people }: RequestKind): NumberedRequest[] {
  const rows = sampleEvents({ rows: requests * eventsPerRequest, webShare: WEB_SHARE, people, days: 1 });
  const timestamp = new Date().toISOString();
  return Array.from({ length: requests }, () => {
    const uuids: string[] = [];
    const events = Array.from({ length: eventsPerRequest }, () => {
      const { uuid, event, distinct_id, properties } = rows.next().value!;
      uuids.push(uuid);
      const head = JSON.stringify({ uuid, event, distinct_id, timestamp }).slice(0, -1);
      return `${head},"properties":${properties}}`;
    });
    const body =
      eventsPerRequest === 1
        ? `{"api_key":"${token}",${events[0]!.slice(1)}`
        : `{"api_key":"${token}","batch":[${events.join(',')}]}`;
    return new NumberedRequest(path, Buffer.from(body), uuids);
  });
}
