// The LMDB environment of the log and the databases in it: one per partition for its blocks, one for where each
// partition stands, one for the counters.
import { type Database, open, type RootDatabase } from 'lmdb';
import { readBlockHeader } from './block.ts';

/** Where one partition stands. `bytes` is what its blocks take of the file. */
export interface Standing {
  first: number;
  next: number;
  committed: number;
  bytes: number;
}

export interface Stores {
  readonly root: RootDatabase<Buffer, string>;
  /** The blocks of each partition, by the position of their first record. */
  readonly blocks: readonly Database<Buffer, number>[];
  readonly standings: Database<Buffer, string>;
  readonly counts: Database<Buffer, string>;
}

const PAGE_BYTES = 4096;
const STANDINGS_KEY = 'standings';
const STANDINGS_FORM = 1;
const FIELDS = ['first', 'next', 'committed', 'bytes'] as const;

/** Opens the environment, or makes it. Throws when it was made with another number of partitions. */
export async function openStores(path: string, partitions: number, bytesMax: number): Promise<Stores> {
  const root = open<Buffer, string>({
    path,
    // A path with a dot would otherwise be taken for a file.
    noSubdir: false,
    maxDbs: partitions + 3,
    encoding: 'binary',
    pageSize: PAGE_BYTES,
    // Address space, not disk. LMDB grows the map when it must; reserving enough at once spares readers the remapping.
    mapSize: Math.ceil((bytesMax * 2 + 64 * 1024 * 1024) / PAGE_BYTES) * PAGE_BYTES,
    // A commit is durable when its promise resolves. The overlapping kind was measured to gain nothing for one writer,
    // and leaves a window between visible and durable.
    overlappingSync: false,
    // Batching is ours (`GroupCommit`). LMDB's own leaves a promise unhandled when a commit fails, which ends the process.
    eventTurnBatching: false,
    // Skips clearing pages that are overwritten anyway.
    noMemInit: true,
  });
  try {
    const binary = { encoding: 'binary' } as const;
    const standings = root.openDB<Buffer, string>('standings', binary);
    const counts = root.openDB<Buffer, string>('counts', binary);
    await root.childTransaction(() => {
      if (!standings.doesExist(STANDINGS_KEY)) putStandings(standings, newStandings(partitions));
    });
    checkPartitions(path, readStandings(standings).length, partitions);
    const blocks = Array.from({ length: partitions }, (_, partition) =>
      root.openDB<Buffer, number>(`partition-${partition}`, binary),
    );
    return { root, blocks, standings, counts };
  } catch (error) {
    await root.close();
    throw error;
  }
}

function checkPartitions(path: string, found: number, asked: number): void {
  if (found === asked) return;
  throw new Error(
    `the event log in ${path} has ${found} partitions, but ${asked} were asked for; open it with ${found}, ` +
      'or let it drain and remove the folder',
  );
}

function newStandings(partitions: number): Standing[] {
  return Array.from({ length: partitions }, () => ({ first: 0, next: 0, committed: 0, bytes: 0 }));
}

/** Where every partition stands: all in one row, read and written as a whole. */
export function readStandings(standings: Database<Buffer, string>): Standing[] {
  const row = standings.get(STANDINGS_KEY)!;
  if (row[0] !== STANDINGS_FORM) {
    throw new Error(`the event log was written in form ${row[0]}; this version reads form ${STANDINGS_FORM}`);
  }
  const partitions = (row.length - 8) / (FIELDS.length * 8);
  return Array.from({ length: partitions }, (_, partition) => {
    const at = 8 + partition * FIELDS.length * 8;
    const [first, next, committed, bytes] = FIELDS.map((_, field) => row.readDoubleLE(at + field * 8));
    return { first: first!, next: next!, committed: committed!, bytes: bytes! };
  });
}

export function putStandings(standings: Database<Buffer, string>, all: readonly Standing[]): void {
  const row = Buffer.alloc(8 + all.length * FIELDS.length * 8);
  row[0] = STANDINGS_FORM;
  for (const [partition, standing] of all.entries()) {
    for (const [field, name] of FIELDS.entries()) {
      row.writeDoubleLE(standing[name], 8 + (partition * FIELDS.length + field) * 8);
    }
  }
  standings.put(STANDINGS_KEY, row);
}

/** The block as memory of its own. */
export function getBlock(blocks: Database<Buffer, number>, firstPosition: number): Buffer {
  const block = blocks.getBinary(firstPosition);
  if (!block) throw new Error(`the event log has lost its block at position ${firstPosition}`);
  // LMDB hands out large values as a reusable buffer that only looks like an ordinary one.
  return Buffer.from(block.buffer, block.byteOffset, block.byteLength);
}

/** The first position of the block that holds `position`. */
export function blockOf(blocks: Database<Buffer, number>, position: number): number {
  for (const firstPosition of blocks.getKeys({ start: position, reverse: true, limit: 1 })) return firstPosition;
  throw new Error(`the event log has lost its block with position ${position}`);
}

/** When the record at `position` was appended. */
export function appendedAtOf(blocks: Database<Buffer, number>, position: number): number {
  return readBlockHeader(getBlock(blocks, blockOf(blocks, position))).appendedAt;
}

/** LMDB's page layout: a node that is larger than half a page moves its value to pages of its own. */
const PAGE_HEADER_BYTES = 16;
const NODE_BYTES = 8 + 9;
const NODE_BYTES_MAX = (PAGE_BYTES - PAGE_HEADER_BYTES) / 2 - 2;

/** What a block of this length takes of the file: its share of a page, or whole pages. */
export function storedBytes(blockBytes: number): number {
  const node = blockBytes + NODE_BYTES;
  if (node <= NODE_BYTES_MAX) return node;
  return Math.ceil((blockBytes + PAGE_HEADER_BYTES) / PAGE_BYTES) * PAGE_BYTES;
}
