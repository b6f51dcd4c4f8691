// Finds where JSON values begin and end without building them.
//
// Capture cuts a body into events by these positions and parses each event on its own. Three promises rest on that:
// an event's properties are stored byte for byte as they were sent; a body of a hundred megabytes is worked through
// in slices, between which other requests are served; and memory follows the size of one event, not of the body
// (a hundred megabytes of `[[[[…` would become gigabytes of arrays).
//
// The scan is loose: it trusts brackets and quotes and looks at nothing else. Whoever uses a span parses it, and the
// commas and colons between spans are checked here, so that a body passes only if it is JSON.

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** A stretch of space is passed over in one go, so it must be short enough not to hold up others. */
const SPACE_BYTES_MAX = 1_000_000;

/** Half-open range of bytes. */
export interface Span {
  start: number;
  end: number;
}

/** A value's place, and how many brackets deep it goes: 0 for a scalar, 1 for `{}`. */
export interface ValueSpan extends Span {
  depth: number;
}

export interface Member {
  /** Where its key begins. */
  start: number;
  key: string;
  value: ValueSpan;
}

/** The bytes are not JSON; the message says where. */
export class JsonSyntaxError extends Error {
  constructor(what: string, at: number) {
    super(`${what} at byte ${at}`);
  }
}

/** A place in JSON bytes. Every method leaves it behind what it read and the space that follows. */
export class JsonCursor {
  readonly bytes: Buffer;
  readonly end: number;
  at: number;

  constructor(bytes: Buffer, { start, end }: Span = { start: 0, end: bytes.length }) {
    this.bytes = bytes;
    this.end = end;
    this.at = start;
    this.#skipSpace();
  }

  atArray(): boolean {
    return this.#here() === OPEN_BRACKET;
  }

  atObject(): boolean {
    return this.#here() === OPEN_BRACE;
  }

  /** The span of the value here, in one go: for values known to be small. */
  value(): ValueSpan {
    const scan = this.startValue();
    scan.advance(Number.POSITIVE_INFINITY);
    return this.endValue(scan);
  }

  /** The same in slices: call `advance` on the result until it is true, then `endValue`. */
  startValue(): ValueScan {
    return new ValueScan(this.bytes, this.at, this.end);
  }

  endValue({ start, at, deepest }: ValueScan): ValueSpan {
    if (at === start) throw new JsonSyntaxError('a value was expected', start);
    this.at = at;
    this.#skipSpace();
    return { start, end: at, depth: deepest };
  }

  /** Steps into the array or object here; false when it is empty, and then behind it already. */
  enter(): boolean {
    const close = this.#here() === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
    this.#step();
    if (this.#here() !== close) return true;
    this.#step();
    return false;
  }

  /** After an item or member: true when another follows, false when the array or object has ended. */
  another(close: ']' | '}'): boolean {
    const byte = this.#here();
    if (byte !== COMMA && byte !== close.charCodeAt(0))
      throw new JsonSyntaxError(`, or ${close} was expected`, this.at);
    this.#step();
    return byte === COMMA;
  }

  /** The key here, unescaped, and its colon. */
  key(): string {
    if (this.#here() !== QUOTE) throw new JsonSyntaxError('a key in double quotes was expected', this.at);
    const start = this.at;
    const end = endOfString(this.bytes, start + 1, this.end);
    const key = parseKey(this.bytes, start, end);
    this.at = end;
    this.#skipSpace();
    if (this.#here() !== COLON) throw new JsonSyntaxError(': was expected', this.at);
    this.#step();
    return key;
  }

  /** Nothing but space may be left. */
  finish(): void {
    if (this.at < this.end) throw new JsonSyntaxError('something follows the end of the JSON text', this.at);
  }

  #here(): number | undefined {
    return this.at < this.end ? this.bytes[this.at] : undefined;
  }

  #step(): void {
    this.at += 1;
    this.#skipSpace();
  }

  #skipSpace(): void {
    const stop = Math.min(this.end, this.at + SPACE_BYTES_MAX);
    while (this.at < stop && isSpace(this.bytes[this.at]!)) this.at += 1;
    if (this.at === stop && stop < this.end) throw new JsonSyntaxError('nothing but space', this.at);
  }
}

/** One value being passed over. */
export class ValueScan {
  readonly start: number;
  at: number;
  deepest = 0;
  readonly #bytes: Buffer;
  readonly #end: number;
  #depth = 0;
  #inString = false;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#end = end;
    this.start = start;
    this.at = start;
  }

  /** Goes on for about this many bytes; true once the value has ended. Every byte of a request passes by here. */
  advance(bytesMax: number): boolean {
    const bytes = this.#bytes;
    const stop = this.#end - this.at < bytesMax ? this.#end : this.at + bytesMax;
    let depth = this.#depth;
    let ended = false;
    let at = this.#inString ? this.#passString(this.at, stop) : this.at;
    if (depth === 0 && at > this.at && !this.#inString) ended = true;
    for (; at < stop && !ended; at += 1) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        at = this.#passString(at + 1, stop) - 1;
        ended = depth === 0 && !this.#inString;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth += 1;
        if (depth > this.deepest) this.deepest = depth;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (depth === 0) break;
        depth -= 1;
        ended = depth === 0;
      } else if (depth === 0 && (byte === COMMA || byte === COLON || isSpace(byte))) {
        break;
      }
    }
    const isScalar = !ended && at < stop;
    this.at = Math.min(at, this.#end);
    this.#depth = depth;
    if (this.at === this.#end && (this.#inString || depth > 0)) {
      throw new JsonSyntaxError('the JSON text ends too early', this.#end);
    }
    return ended || isScalar || this.at === this.#end;
  }

  /** From inside a string to behind its quote, or to the stop; an escape may lead one further. */
  #passString(from: number, stop: number): number {
    const bytes = this.#bytes;
    let at = from;
    while (at < stop) {
      const byte = bytes[at]!;
      at += 1;
      if (byte === QUOTE) {
        this.#inString = false;
        return at;
      }
      if (byte === BACKSLASH) at += 1;
    }
    this.#inString = true;
    return at;
  }
}

/** The members of the object in this span, in order, also those whose key comes twice. */
export function readMembers(bytes: Buffer, span: Span): Member[] {
  const cursor = new JsonCursor(bytes, span);
  const members: Member[] = [];
  let more = cursor.enter();
  while (more) {
    const start = cursor.at;
    members.push({ start, key: cursor.key(), value: cursor.value() });
    more = cursor.another('}');
  }
  cursor.finish();
  return members;
}

/** Behind the quote that ends a string; for keys, which are short. */
function endOfString(bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at += 1;
  }
  throw new JsonSyntaxError('the JSON text ends too early', end);
}

/** Keys that most events have. To know one again by its bytes takes a tenth of what it takes to make a text of them. */
const USUAL_KEYS = ['event', 'distinct_id', 'properties', 'timestamp', 'uuid', 'api_key', 'token', 'type', 'library'];
const usualKeys = Map.groupBy(USUAL_KEYS, ({ length }) => length);

function findUsualKey(bytes: Buffer, start: number, end: number): string | undefined {
  return usualKeys.get(end - start)?.find((key) => {
    for (let at = 0; at < key.length; at += 1) if (bytes[start + at] !== key.charCodeAt(at)) return false;
    return true;
  });
}

function parseKey(bytes: Buffer, start: number, end: number): string {
  const usual = findUsualKey(bytes, start + 1, end - 1);
  if (usual !== undefined) return usual;
  const key = bytes.toString('utf8', start + 1, end - 1);
  if (!key.includes('\\')) return key;
  try {
    return JSON.parse(`"${key}"`);
  } catch {
    throw new JsonSyntaxError('a key is not a JSON string', start);
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
