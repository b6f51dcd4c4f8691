// Which events were seen in the last days, so that one that a client sends again is stored once.
//
// An event is known by its project, uuid, name, distinct id and time, each as the client sent it: the settled time
// would not do, for it depends on when the request arrived. 96 bits of a hash stand for them. Events of the same minute
// lie side by side, so a batch of live events touches few pages. The file takes some 120 bytes an event, with the pages
// that are free for the next batch.
import { type Database, open, type RootDatabase } from 'lmdb';
import type { EventRecord } from '../capture/record.ts';

const DAY_MS = 86_400_000;
/** Counted in whole days, so that every event is remembered for three at least. */
const DAYS_KEPT = 4;
/** How many entries are looked at for each one added, to find those that are too old. */
const LOOKED_AT_PER_ENTRY = 2;
const KEY_BYTES = 16;

export type SeenKey = Buffer;

export class SeenEvents {
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #entries: Database<Buffer, Buffer>;
  /** Where the search for old entries goes on. */
  #lookAt: Buffer | undefined;

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
    this.#entries = this.#root.openDB<Buffer, Buffer>('seen', { encoding: 'binary', keyEncoding: 'binary' });
  }

  has(key: SeenKey): boolean {
    return this.#entries.doesExist(key);
  }

  /** Resolves when they will be remembered after a crash. Adding one twice is adding it once. */
  async add(keys: readonly SeenKey[], nowMs: number): Promise<void> {
    if (keys.length === 0) return;
    const today = Math.floor(nowMs / DAY_MS);
    const value = Buffer.alloc(2);
    value.writeUInt16LE(today % 65_536);
    await this.#root.childTransaction(() => {
      for (const key of keys) this.#entries.putSync(key, value);
      this.#removeOld(keys.length * LOOKED_AT_PER_ENTRY, today);
    });
  }

  count(): number {
    return this.#entries.getCount();
  }

  async close(): Promise<void> {
    await this.#root.close();
  }

  #removeOld(limit: number, today: number): void {
    const old: Buffer[] = [];
    let last: Buffer | undefined;
    let looked = 0;
    const from = this.#lookAt === undefined ? {} : { start: this.#lookAt };
    for (const { key, value } of this.#entries.getRange({ ...from, limit })) {
      looked += 1;
      last = Buffer.from(key);
      if ((today - value.readUInt16LE() + 65_536) % 65_536 >= DAYS_KEPT) old.push(last);
    }
    this.#lookAt = looked < limit ? undefined : last;
    for (const key of old) this.#entries.removeSync(key);
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
