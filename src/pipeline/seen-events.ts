// Which events were seen in the last days, so that one that a client sends again is stored once.
//
// An event is known by its project, uuid, name, distinct id and time, each as the client sent it: the settled time
// would not do, for it depends on when the request arrived. 96 bits of a hash stand for them. Events of the same minute
// lie side by side, so a batch of live events touches few pages.
//
// There are two generations, of three days each. New events are added to the younger; when its days are over, the older
// is emptied as a whole and becomes the younger. So nothing is ever removed one by one, which would cost as much as
// adding it did.
import { type Database, open, type RootDatabase } from 'lmdb';
import type { EventRecord } from '../capture/record.ts';

const DAY_MS = 86_400_000;
/** Of a generation. An event of its last moment is kept for all of the next one's days: for three at least. */
const DAYS = 3;
const KEY_BYTES = 16;
const NOTHING = Buffer.from([1]);
const STATE = Buffer.from('state');

export type SeenKey = Buffer;

type Entries = Database<Buffer, Buffer>;

export class SeenEvents {
  readonly #root: RootDatabase<Buffer, Buffer>;
  /** Where the current generation is noted: its number, 0 or 1, and its first day. */
  readonly #state: Entries;
  readonly #generations: readonly [Entries, Entries];
  #current: 0 | 1 = 0;
  #firstDay: number | undefined;

  constructor(path: string) {
    this.#root = open<Buffer, Buffer>({
      path,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      // As in the log: a commit is durable when its promise resolves.
      overlappingSync: false,
      eventTurnBatching: false,
    });
    const openEntries = (name: string): Entries =>
      this.#root.openDB<Buffer, Buffer>(name, { encoding: 'binary', keyEncoding: 'binary' });
    this.#state = openEntries('state');
    this.#generations = [openEntries('seen'), openEntries('seen-too')];
    const state = this.#state.get(STATE);
    if (!state) return;
    this.#current = state[0] === 1 ? 1 : 0;
    this.#firstDay = state.readUInt32LE(1);
  }

  has(key: SeenKey): boolean {
    return this.#generations[this.#current].doesExist(key) || this.#generations[this.#other].doesExist(key);
  }

  /** Resolves when they will be remembered after a crash. Adding one twice is adding it once. */
  async add(keys: readonly SeenKey[], nowMs: number): Promise<void> {
    if (keys.length === 0) return;
    const today = Math.floor(nowMs / DAY_MS);
    if (this.#firstDay === undefined || today - this.#firstDay >= DAYS) await this.#begin(today);
    const entries = this.#generations[this.#current];
    await this.#root.childTransaction(() => {
      for (const key of keys) entries.putSync(key, NOTHING);
    });
  }

  count(): number {
    return this.#generations[0].getCount() + this.#generations[1].getCount();
  }

  async close(): Promise<void> {
    await this.#root.close();
  }

  get #other(): 0 | 1 {
    return this.#current === 0 ? 1 : 0;
  }

  /** A new generation takes the place of the older one. */
  async #begin(today: number): Promise<void> {
    const next = this.#other;
    const state = Buffer.alloc(5);
    state[0] = next;
    state.writeUInt32LE(today, 1);
    await this.#root.childTransaction(() => {
      this.#generations[next].clearSync();
      this.#state.putSync(STATE, state);
    });
    this.#current = next;
    this.#firstDay = today;
  }
}

/** What tells this event from all others. */
export function seenKey({ team_id, uuid, event, distinct_id, timestamp = '' }: EventRecord): SeenKey {
  const key = Buffer.allocUnsafe(KEY_BYTES);
  const minute = timestamp.charCodeAt(4) === 0x2d ? 16 : 7;
  hash.begin(0);
  hash.add(timestamp, minute);
  key.writeInt32LE(hash.first(), 0);
  hash.begin(team_id);
  // No text can be taken for the end of the one before it: each begins with its length.
  for (const text of [uuid, timestamp, distinct_id, event]) hash.add(text);
  key.writeInt32LE(hash.first(), 4);
  key.writeInt32LE(hash.second(), 8);
  key.writeInt32LE(hash.third(), 12);
  return key;
}

/** Three hashes of the kind of MurmurHash3 at once, over UTF-16 code units. */
class TripleHash {
  #one = 0;
  #two = 0;
  #three = 0;

  begin(seed: number): void {
    this.#one = seed ^ 0x2f0b4c47;
    this.#two = seed ^ 0x1b873593;
    this.#three = seed ^ 0x5bd1e995;
  }

  add(text: string, lengthMax = text.length): void {
    const length = Math.min(text.length, lengthMax);
    let one = this.#one ^ length;
    let two = this.#two ^ length;
    let three = this.#three ^ length;
    for (let index = 0; index < length; index += 1) {
      const unit = text.charCodeAt(index) + 1;
      one = Math.imul(rotate(one ^ Math.imul(unit, 0xcc9e2d51), 13), 5) + 0xe6546b64;
      two = Math.imul(rotate(two ^ Math.imul(unit, 0x85ebca6b), 17), 9) + 0x38b34ae5;
      three = Math.imul(rotate(three ^ Math.imul(unit, 0xc2b2ae35), 19), 3) + 0x561ccd1b;
    }
    this.#one = one;
    this.#two = two;
    this.#three = three;
  }

  first = (): number => finish(this.#one);
  second = (): number => finish(this.#two);
  third = (): number => finish(this.#three);
}

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

function finish(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const again = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return again ^ (again >>> 16);
}

const hash = new TripleHash();
