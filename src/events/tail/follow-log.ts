// New records of the event log, whatever partition they are in.
import { type EventLog, type LogRecord, PositionOutOfRange } from '../../log/log.ts';

export interface Followed {
  partition: number;
  records: readonly LogRecord[];
  /** Records that were processed and removed before they could be read here. */
  missed: number;
}

export interface FollowOptions {
  /** A result comes at least this often, if need be an empty one. */
  waitMs: number;
  recordsMax: number;
  signal: AbortSignal;
}

/**
 * What is appended from now on. A partition is read on only when what it gave before was taken, so a slow reader costs
 * no memory; the log does not wait for it either, and says how much it missed.
 */
export async function* followLog(log: EventLog, options: FollowOptions): AsyncGenerator<Followed> {
  const { partitions } = await log.stats();
  const positions = new Map(partitions.map(({ partition, next }) => [partition, next]));
  const readOn = (partition: number) => readFrom(log, partition, positions.get(partition) ?? 0, options);
  const reading = new Map(partitions.map(({ partition }) => [partition, readOn(partition)]));
  while (!options.signal.aborted) {
    const { next, ...followed } = await Promise.race(reading.values());
    positions.set(followed.partition, next);
    yield followed;
    reading.set(followed.partition, readOn(followed.partition));
  }
  await Promise.allSettled(reading.values());
}

async function readFrom(
  log: EventLog,
  partition: number,
  from: number,
  { waitMs, recordsMax, signal }: FollowOptions,
): Promise<Followed & { next: number }> {
  try {
    const records = await log.read(partition, from, { waitMs, recordsMax, signal });
    return { partition, records, missed: 0, next: (records.at(-1)?.position ?? from - 1) + 1 };
  } catch (error) {
    if (!(error instanceof PositionOutOfRange)) throw error;
    const { partitions } = await log.stats();
    const first = partitions.find((each) => each.partition === partition)?.first ?? from;
    return { partition, records: [], missed: Math.max(0, first - from), next: first };
  }
}
