// The JSON text of a request → its project key and its events, in whichever of the known shapes they came:
// one event, an array of events, or an envelope `{api_key, batch: […], sent_at, historical_migration}`.
// Every path takes every shape.
import { setImmediate } from 'node:timers/promises';
import { tooLarge, unparsable, unusable } from './capture-error.ts';
import { type CaptureDrop, captureDrops } from './drops.ts';
import type { JsonObject } from './exact-json.ts';
import { setOwnValue } from './exact-json.ts';
import { type CapturedEvent, EVENT_BYTES_MAX, type EventContext, parseJson, readEvent } from './read-event.ts';
import { JsonCursor, JsonSyntaxError, type Member, type ValueSpan } from './scan-json.ts';
import { FoundTokens } from './token.ts';

export interface ReadOptions {
  /** True for `/engage`, whose objects need no event name. */
  engage: boolean;
  /** Refuse the whole request for one bad event, instead of leaving that one out. */
  strict: boolean;
  nowMs: number;
  /** Query parameter `sent_at` or `_`: when the client sent the request, by its own clock. */
  sent_at_ms?: string | undefined;
  /** Where old clients put the key: a form field or the query. Asked only when the JSON has none. */
  fallback_token?: string | undefined;
}

export interface CapturedRequest {
  token: string;
  historical_migration: boolean;
  /** ISO 8601 with a zone, by the client's clock. */
  sent_at: string | undefined;
  events: CapturedEvent[];
  /** One for each reason that occurred. */
  drops: CaptureDrop[];
}

/** More than an unpacked request of 20 MB can hold of events; it bounds the work that a packed one can ask for. */
const VALUES_MAX = 1_000_000;
/** Work between two rests, counted in bytes read: some milliseconds. */
const EFFORT_MAX = 512 * 1024;
/** What a value costs beside its bytes. */
const EFFORT_PER_VALUE = 512;
/** Members looked at beside a batch, and remembered of an event. No client sends a dozen. */
const MEMBERS_MAX = 1_000;
/** Values of `_` before this year are seconds, or made up. */
const SENT_AT_YEAR_MIN = 2021;

/** Throws only `CaptureError`. Rests between slices of a large request, so that others are served meanwhile. */
export async function readEvents(bytes: Buffer, options: ReadOptions): Promise<CapturedRequest> {
  const reader = new RequestReader(bytes, options);
  try {
    await reader.read();
  } catch (error) {
    throw error instanceof JsonSyntaxError ? unparsable(error.message) : error;
  }
  return reader.finish();
}

class RequestReader {
  readonly #bytes: Buffer;
  readonly #options: ReadOptions;
  readonly #cursor: JsonCursor;
  readonly #context: EventContext;
  readonly #events: CapturedEvent[] = [];
  readonly #drops = new Map<string, CaptureDrop>();
  #envelope: JsonObject = {};
  #count = 0;
  #values = 0;
  #effort = 0;

  constructor(bytes: Buffer, options: ReadOptions) {
    this.#bytes = bytes;
    this.#options = options;
    this.#cursor = new JsonCursor(bytes);
    this.#context = { engage: options.engage, nowMs: options.nowMs, tokens: new FoundTokens() };
  }

  async read(): Promise<void> {
    if (this.#cursor.atArray()) await this.#readItems();
    else if (this.#cursor.atObject()) await this.#readObject();
    else throw unparsable('a JSON object or array was expected');
    this.#cursor.finish();
  }

  finish(): CapturedRequest {
    if (this.#count === 0) throw unusable('request holds no event');
    const drops = [...this.#drops.values()];
    // A request of nothing but giants is refused, so that its sender learns of it. Their keys have not been looked for.
    if (this.#events.length === 0 && drops.every(({ reason }) => reason === 'event_too_large')) refuseFirst(drops);
    const token = this.#findToken();
    if (this.#options.strict) refuseFirst(drops);
    return {
      token,
      historical_migration: this.#envelope.historical_migration === true,
      sent_at: readSentAt(this.#envelope.sent_at ?? this.#envelope.sentAt, this.#options.sent_at_ms),
      events: this.#events,
      drops,
    };
  }

  async #readItems(): Promise<void> {
    let more = this.#cursor.enter();
    while (more) {
      this.#take(await this.#readValue());
      more = this.#cursor.another(']');
    }
  }

  /** An object is an envelope when it holds an array named `batch`, and one event otherwise. */
  async #readObject(): Promise<void> {
    const cursor = this.#cursor;
    const whole: ValueSpan = { start: cursor.at, end: cursor.at, depth: 1 };
    const members: Member[] = [];
    let enveloped = false;
    let more = cursor.enter();
    while (more) {
      const key = cursor.key();
      if (key === 'batch' && cursor.atArray()) {
        if (enveloped) throw unparsable('`batch` is given twice');
        enveloped = true;
        await this.#readItems();
      } else {
        const value = await this.#readValue();
        whole.depth = Math.max(whole.depth, value.depth + 1);
        if (members.length <= MEMBERS_MAX) members.push({ key, value });
      }
      more = cursor.another('}');
    }
    whole.end = cursor.at;
    if (enveloped) this.#envelope = this.#readEnvelope(members);
    else this.#takeWhole(whole, members);
  }

  #takeWhole(span: ValueSpan, members: Member[]): void {
    const has = (name: string) => members.some(({ key }) => key === name);
    if (has('batch') && !has('event')) throw unusable('`batch` must be an array of events');
    this.#take(span, members.length <= MEMBERS_MAX ? members : undefined);
  }

  /** Members that mean nothing here are parsed all the same: what is not JSON is refused. */
  #readEnvelope(members: Member[]): JsonObject {
    if (members.length > MEMBERS_MAX) throw unparsable('the envelope has too many members');
    const envelope: JsonObject = {};
    for (const { key, value } of members) {
      if (value.end - value.start > EVENT_BYTES_MAX) throw tooLarge(`${JSON.stringify(key)} beside the batch`);
      setOwnValue(envelope, key, parseJson(this.#bytes.toString('utf8', value.start, value.end)));
    }
    return envelope;
  }

  #take(span: ValueSpan, members?: Member[]): void {
    const read = readEvent(this.#bytes, span, this.#context, members);
    const index = this.#count;
    this.#count += 1;
    if (!('dropped' in read)) {
      this.#events.push(read);
      return;
    }
    const { dropped: reason, details } = read;
    const drop = this.#drops.get(reason);
    if (drop) drop.count += 1;
    else this.#drops.set(reason, { reason, count: 1, details: { index, ...details } });
  }

  async #readValue(): Promise<ValueSpan> {
    const scan = this.#cursor.startValue();
    while (!scan.advance(EFFORT_MAX)) await setImmediate();
    const span = this.#cursor.endValue(scan);
    this.#values += 1;
    if (this.#values > VALUES_MAX) throw tooLarge(`more than ${VALUES_MAX} events in one request`);
    this.#effort += span.end - span.start + EFFORT_PER_VALUE;
    if (this.#effort > EFFORT_MAX) {
      this.#effort = 0;
      await setImmediate();
    }
    return span;
  }

  /** The envelope's key stands for the whole request; otherwise the events must agree on one. */
  #findToken(): string {
    const tokens = new FoundTokens();
    tokens.look(this.#envelope);
    if (!tokens.empty) return tokens.get();
    if (this.#context.tokens.empty) this.#context.tokens.look({ token: this.#options.fallback_token ?? null });
    return this.#context.tokens.get();
  }
}

function refuseFirst(drops: readonly CaptureDrop[]): void {
  for (const { reason } of drops) {
    const error = captureDrops[reason].refusal?.();
    if (error) throw error;
  }
}

const WITH_ZONE = /^\d{4}-\d{2}-\d{2}[T ].*(?:Z|[+-]\d{2}:?\d{2})$/i;

/** The envelope's time if it can be understood, else the query's, else none: a bad clock never costs an event. */
export function readSentAt(fromBody: unknown, fromQuery: string | undefined): string | undefined {
  if (typeof fromBody === 'string' && WITH_ZONE.test(fromBody) && !Number.isNaN(Date.parse(fromBody))) return fromBody;
  if (fromQuery === undefined || !/^\d{1,15}$/.test(fromQuery)) return undefined;
  const sentAt = new Date(Number(fromQuery));
  return sentAt.getUTCFullYear() >= SENT_AT_YEAR_MIN ? sentAt.toISOString() : undefined;
}
