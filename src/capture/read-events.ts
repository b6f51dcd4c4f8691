// The JSON text of a request → its project key and its events, in whichever of the known shapes they came:
// one event, an array of events, or an envelope `{api_key, batch: […], sent_at, historical_migration}`.
// Every path takes every shape.
import { setImmediate } from 'node:timers/promises';
import { tooLarge, unparsable, unusable } from './capture-error.ts';
import { type CaptureDrop, captureDrops } from './drops.ts';
import type { JsonObject } from './exact-json.ts';
import { setOwnValue } from './exact-json.ts';
import { type CapturedEvent, EVENT_BYTES_MAX, type EventContext, parseJson, readEvent } from './read-event.ts';
import { JsonCursor, JsonSyntaxError, type Member, type ValueScan, type ValueSpan } from './scan-json.ts';
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

/** More than an unpacked request of 20 MB can hold; it bounds the work that a packed one can ask for. */
const EVENTS_MAX = 1_000_000;
/** An event with more members than this is too large, however short they are. */
const EVENT_MEMBERS_MAX = EVENT_BYTES_MAX / '"":0,'.length;
/** Work between two rests, counted in bytes read: some milliseconds. */
const EFFORT_MAX = 512 * 1024;
/** What a value costs beside its bytes. */
const EFFORT_PER_VALUE = 200;
/** Members looked at beside a batch, and remembered of an event. No client sends a dozen. */
const MEMBERS_MAX = 1_000;
/** Values of `_` before this year are seconds, or made up. */
const SENT_AT_YEAR_MIN = 2021;

/**
 * Throws only `CaptureError`. Small requests are read at once; between slices of a large one others are served, and it
 * comes as a promise.
 */
export function readEvents(bytes: Buffer, options: ReadOptions): CapturedRequest | Promise<CapturedRequest> {
  const reader = new RequestReader(bytes, options);
  const work = reader.read();
  return advance(work) ? reader.finish() : readSlices(reader, work);
}

async function readSlices(reader: RequestReader, work: Work): Promise<CapturedRequest> {
  do await setImmediate();
  while (!advance(work));
  return reader.finish();
}

/** Reading, in slices: it yields wherever others should have their turn. */
type Work<Result = void> = Generator<void, Result, void>;

/** Reads one slice; true when it was the last. */
function advance(work: Work): boolean {
  try {
    return work.next().done === true;
  } catch (error) {
    throw error instanceof JsonSyntaxError ? unparsable(error.message) : error;
  }
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
  #effort = 0;

  constructor(bytes: Buffer, options: ReadOptions) {
    this.#bytes = bytes;
    this.#options = options;
    this.#cursor = new JsonCursor(bytes);
    this.#context = { engage: options.engage, nowMs: options.nowMs, tokens: new FoundTokens() };
  }

  *read(): Work {
    if (this.#cursor.atArray()) yield* this.#readItems();
    else if (this.#cursor.atObject()) yield* this.#readObject();
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

  *#readItems(): Work {
    const cursor = this.#cursor;
    for (let more = cursor.enter(); more; more = cursor.another(']')) {
      if (cursor.atObject()) {
        const { span, members } = yield* this.#readMembers();
        this.#take(span, members);
      } else {
        this.#take(this.#readValue() ?? (yield* this.#readLargeValue()));
      }
      if (this.#effort > EFFORT_MAX) yield* this.#rest();
    }
  }

  /** An object is an envelope when it holds an array named `batch`, and one event otherwise. */
  *#readObject(): Work {
    let enveloped = false;
    const { span, members } = yield* this.#readMembers(() => {
      if (enveloped) throw unparsable('`batch` is given twice');
      enveloped = true;
      return this.#readItems();
    });
    if (enveloped) {
      this.#envelope = this.#readEnvelope(members);
      return;
    }
    const has = (name: string) => members.some(({ key }) => key === name);
    if (has('batch') && !has('event')) throw unusable('`batch` must be an array of events');
    this.#take(span, members);
  }

  /** Passes over the object here and finds its members, the first thousand of them. A batch may be read on the way. */
  *#readMembers(readBatch?: () => Work): Work<{ span: ValueSpan; members: Member[] }> {
    const cursor = this.#cursor;
    const span: ValueSpan = { start: cursor.at, end: cursor.at, depth: 1 };
    const members: Member[] = [];
    let count = 0;
    for (let more = cursor.enter(); more; more = cursor.another('}')) {
      const start = cursor.at;
      const key = cursor.key();
      if (readBatch && key === 'batch' && cursor.atArray()) {
        yield* readBatch();
        continue;
      }
      const value = this.#readValue() ?? (yield* this.#readLargeValue());
      if (this.#effort > EFFORT_MAX) yield* this.#rest();
      span.depth = Math.max(span.depth, value.depth + 1);
      count += 1;
      if (count > EVENT_MEMBERS_MAX) throw tooLarge(`more than ${EVENT_MEMBERS_MAX} members in one event`);
      if (members.length <= MEMBERS_MAX) members.push({ start, key, value });
    }
    span.end = cursor.at;
    this.#effort += EFFORT_PER_VALUE;
    return { span, members };
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
    const known = members && members.length <= MEMBERS_MAX ? members : undefined;
    const read = readEvent(this.#bytes, span, this.#context, known);
    const index = this.#count;
    this.#count += 1;
    if (this.#count > EVENTS_MAX) throw tooLarge(`more than ${EVENTS_MAX} events in one request`);
    if (!('dropped' in read)) {
      this.#events.push(read);
      return;
    }
    const { dropped: reason, details } = read;
    const drop = this.#drops.get(reason);
    if (drop) drop.count += 1;
    else this.#drops.set(reason, { reason, count: 1, details: { index, ...details } });
  }

  /** Passes over the value here, unless it is large. Nothing waits on this way: most requests are small. */
  #readValue(): ValueSpan | undefined {
    const scan = this.#cursor.startValue();
    return scan.advance(EFFORT_MAX) ? this.#endValue(scan) : undefined;
  }

  *#readLargeValue(): Work<ValueSpan> {
    const scan = this.#cursor.startValue();
    while (!scan.advance(EFFORT_MAX)) yield* this.#rest();
    return this.#endValue(scan);
  }

  #endValue(scan: ValueScan): ValueSpan {
    const span = this.#cursor.endValue(scan);
    this.#effort += span.end - span.start + EFFORT_PER_VALUE;
    return span;
  }

  /** Lets others be served. */
  *#rest(): Work {
    this.#effort = 0;
    yield;
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
