// The LMDB environment of the log and the databases in it: the segments, where everything stands, and the counters.
import { type Database, open, type RootDatabase } from 'lmdb';

export interface PartitionState {
  first: number;
  next: number;
  committed: number;
  /** What its records take, without the pages around them. */
  bytes: number;
}

/** Where the log stands, as one row that is read and written as a whole. */
export interface LogState {
  /** Segments are numbered without gaps: the oldest there is, and the next to be written. */
  firstSegment: number;
  nextSegment: number;
  /** What all segments take of the file. */
  bytes: number;
  readonly partitions: readonly PartitionState[];
}

export interface Stores {
  readonly root: RootDatabase<Buffer, string>;
  readonly segments: Database<Buffer, number>;
  readonly state: Database<Buffer, string>;
  readonly counts: Database<Buffer, string>;
}

const PAGE_BYTES = 4096;
const STATE_KEY = 'state';
const STATE_FORM = 1;

/** Opens the environment, or makes it. Throws when it was made with another number of partitions. */
export async function openStores(path: string, partitions: number, bytesMax: number): Promise<Stores> {
  const root = open<Buffer, string>({
    path,
    // A path with a dot would otherwise be taken for a file.
    noSubdir: false,
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
    const state = root.openDB<Buffer, string>('state', binary);
    const counts = root.openDB<Buffer, string>('counts', binary);
    const segments = root.openDB<Buffer, number>('segments', binary);
    await root.childTransaction(() => {
      if (!state.doesExist(STATE_KEY)) putState(state, newState(partitions));
    });
    const found = readState(state).partitions.length;
    if (found !== partitions) {
      throw new Error(
        `the event log in ${path} has ${found} partitions, but ${partitions} were asked for; ` +
          `open it with ${found}, or let it drain and remove the folder`,
      );
    }
    return { root, segments, state, counts };
  } catch (error) {
    await root.close();
    throw error;
  }
}

function newState(partitions: number): LogState {
  return {
    firstSegment: 0,
    nextSegment: 0,
    bytes: 0,
    partitions: Array.from({ length: partitions }, () => ({ first: 0, next: 0, committed: 0, bytes: 0 })),
  };
}

export function readState(state: Database<Buffer, string>): LogState {
  const row = state.get(STATE_KEY)!;
  const [form, firstSegment, nextSegment, bytes, ...rest] = Array.from({ length: row.length / 8 }, (_, field) =>
    row.readDoubleLE(field * 8),
  ) as [number, number, number, number, ...number[]];
  if (form !== STATE_FORM) {
    throw new Error(`the event log was written in form ${form}; this version reads form ${STATE_FORM}`);
  }
  const partitions: PartitionState[] = [];
  for (let at = 0; at < rest.length; at += 4) {
    partitions.push({ first: rest[at]!, next: rest[at + 1]!, committed: rest[at + 2]!, bytes: rest[at + 3]! });
  }
  return { firstSegment, nextSegment, bytes, partitions };
}

/** Inside a write transaction only. */
export function putState(store: Database<Buffer, string>, state: LogState): void {
  const fields = [STATE_FORM, state.firstSegment, state.nextSegment, state.bytes];
  for (const { first, next, committed, bytes } of state.partitions) fields.push(first, next, committed, bytes);
  const row = Buffer.allocUnsafe(fields.length * 8);
  for (const [field, value] of fields.entries()) row.writeDoubleLE(value, field * 8);
  store.put(STATE_KEY, row);
}

/** LMDB's page layout: a node that is larger than half a page moves its value to pages of its own. */
const PAGE_HEADER_BYTES = 16;
const NODE_BYTES = 8 + 9;
const NODE_BYTES_MAX = (PAGE_BYTES - PAGE_HEADER_BYTES) / 2 - 2;

/** What a segment of this length takes of the file: its share of a page, or whole pages. */
export function storedBytes(segmentBytes: number): number {
  const node = segmentBytes + NODE_BYTES;
  if (node <= NODE_BYTES_MAX) return node;
  return Math.ceil((segmentBytes + PAGE_HEADER_BYTES) / PAGE_BYTES) * PAGE_BYTES;
}
