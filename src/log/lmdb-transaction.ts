// One write transaction on the log. Changes are collected first and written at the end, so that appends that share a
// transaction share blocks too, and a change that is refused leaves nothing behind.
import { encodeBlock, readBlockHeader, recordBytes, splitIntoBlocks } from './block.ts';
import { getBlock, putStandings, readStandings, type Standing, type Stores, storedBytes } from './lmdb-stores.ts';
import { type Counts, PositionOutOfRange } from './log.ts';

/** Small enough that removed blocks leave room that fits the next ones, large enough to make their number small. */
const BLOCK_BYTES_MAX = 64 * 1024;

/** Makes of one LMDB transaction what the log needs; valid only inside its callback. */
export class LmdbTransaction {
  /** As stored; appended records count only once written. */
  readonly standings: readonly Standing[];
  readonly #stores: Stores;
  readonly #appended = new Map<number, Uint8Array[]>();
  readonly #counts = new Map<string, number>();
  readonly #forgotten: string[] = [];
  readonly #removed: { partition: number; block: number }[] = [];
  #appendedBytes = 0;
  #changed = false;

  constructor(stores: Stores) {
    this.#stores = stores;
    this.standings = readStandings(stores.standings);
  }

  /** What the log will take of its ceiling once this transaction is written. */
  get bytes(): number {
    return this.standings.reduce((sum, { bytes }) => sum + bytes, this.#appendedBytes);
  }

  append(partition: number, value: Uint8Array): void {
    const values = this.#appended.get(partition);
    if (values) values.push(value);
    else this.#appended.set(partition, [value]);
    this.#appendedBytes += recordBytes(value);
    this.#changed = true;
  }

  count(counts: Counts): void {
    for (const [name, amount] of Object.entries(counts)) {
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + amount);
    }
  }

  forgetCounts(names: readonly string[]): void {
    this.#forgotten.push(...names);
  }

  commit(partition: number, position: number): void {
    const standing = this.standings[partition]!;
    if (position < standing.committed || position > standing.next) {
      throw new PositionOutOfRange(partition, position, standing.committed, standing.next);
    }
    if (position === standing.committed) return;
    standing.committed = position;
    this.#changed = true;
  }

  /**
   * Removes the oldest blocks of the partition, at most `blocksMax`, that are wholly committed and were appended before
   * `appendedBefore`. Returns how many.
   */
  removeCommitted(partition: number, appendedBefore: number, blocksMax: number): number {
    const standing = this.standings[partition]!;
    if (standing.first >= standing.committed) return 0;
    const store = this.#stores.blocks[partition]!;
    let removed = 0;
    for (const start of store.getKeys({ start: standing.first, limit: blocksMax })) {
      const block = getBlock(store, start);
      const { appendedAt, count } = readBlockHeader(block);
      if (start + count > standing.committed || appendedAt >= appendedBefore) break;
      this.#removed.push({ partition, block: start });
      standing.first = start + count;
      standing.bytes -= storedBytes(block.length);
      removed += 1;
    }
    if (removed > 0) this.#changed = true;
    return removed;
  }

  write(now: number): void {
    const { blocks, standings } = this.#stores;
    for (const { partition, block } of this.#removed) blocks[partition]!.remove(block);
    for (const [partition, values] of this.#appended) this.#writeBlocks(partition, values, now);
    this.#writeCounts();
    if (this.#changed) putStandings(standings, this.standings);
  }

  #writeBlocks(partition: number, values: readonly Uint8Array[], now: number): void {
    const standing = this.standings[partition]!;
    for (const blockValues of splitIntoBlocks(values, BLOCK_BYTES_MAX)) {
      const block = encodeBlock(blockValues, now);
      // Appending fills pages instead of splitting them in halves. It writes nothing when a later position is there
      // already, which only a damaged log can have.
      const written: unknown = this.#stores.blocks[partition]!.putSync(standing.next, block, { append: true });
      if (written === false)
        throw new Error(`partition ${partition} of the event log has blocks after its end, ${standing.next}`);
      standing.next += blockValues.length;
      standing.bytes += storedBytes(block.length);
    }
  }

  #writeCounts(): void {
    const { counts } = this.#stores;
    for (const name of this.#forgotten) counts.remove(name);
    for (const [name, amount] of this.#counts) {
      const row = Buffer.alloc(8);
      row.writeDoubleLE((counts.get(name)?.readDoubleLE() ?? 0) + amount);
      counts.put(name, row);
    }
  }
}
