// What capture has accepted about people and the pipeline has not written yet, so that the next decision knows it.
//
// Whatever is appended to the log passes by here. Events that say something about their person are remembered, as the
// bytes that stand in the log, until the pipeline has committed them; everything else costs a few searches in its bytes.
import { type JsonObject, parseExact } from '../capture/exact-json.ts';
import { decodeRecord } from '../capture/record.ts';
import type { EventLog, LogEntry } from '../log/log.ts';
import { partitionOf } from '../log/partition.ts';
import { readLink } from '../pipeline/merge-persons.ts';
import type { Logger } from '../platform/logger.ts';

export interface AcceptedWrite {
  readonly value: Buffer;
  /** Later ones have higher numbers. */
  readonly order: number;
  readonly partition: number;
  /** Below this position of its partition the log holds it; undefined until somebody has looked. */
  upTo: number | undefined;
}

export interface AcceptedWrites {
  /** The same log, whose appends are remembered. */
  readonly log: EventLog;
  /** The ids with something waiting, the latest last; at most so many. */
  waitingIds(): string[];
  /** What waits for this person's id, in the order of acceptance; empty for nearly everybody. */
  of(team_id: number, distinct_id: string): readonly AcceptedWrite[];
  /** Looks where the pipeline is, and forgets what it has stored. */
  settle(): Promise<void>;
  close(): void;
}

const SETTLE_EVERY_MS = 200;
/** When the pipeline is this far behind, the oldest are forgotten: decisions then go by what is stored. */
const BYTES_MAX = 64 * 1024 * 1024;
const WAITING_IDS_MAX = 2_000;

/** What an event has in its bytes when it says something about its person, or that two persons are one. */
const LINKS = ['"event":"$identify"', '"event":"$create_alias"', '"event":"$merge_dangerously"'];
const CHANGES = ['"$set', '"$unset"'];

/** The other id that this event makes one with its own, if it does. */
function linkedKey(value: Buffer): string | undefined {
  const record = decodeRecord(value);
  if (record.kind === 'drop') return undefined;
  const { team_id, event, distinct_id } = record;
  const link = readLink(event, distinct_id, parseExact(record.properties.toString()) as JsonObject);
  return link && `${team_id}:${link.source === distinct_id ? link.target : link.source}`;
}

export function watchAcceptedWrites(log: EventLog, logger: Logger): AcceptedWrites {
  const byKey = new Map<string, AcceptedWrite[]>();
  let bytes = 0;
  let accepted = 0;

  function remember(entries: readonly LogEntry[]): void {
    for (const { key, value: sent } of entries) {
      const value = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength);
      const isLink = LINKS.some((sign) => value.includes(sign));
      if (!isLink && !CHANGES.some((sign) => value.includes(sign))) continue;
      accepted += 1;
      const write = { value, order: accepted, partition: partitionOf(key, log.partitions), upTo: undefined };
      file(key, write);
      const other = isLink ? linkedKey(value) : undefined;
      if (other !== undefined && other !== key) file(other, write);
    }
    while (bytes > BYTES_MAX) forget(byKey.keys().next().value as string, () => false);
  }

  function file(key: string, write: AcceptedWrite): void {
    const waiting = byKey.get(key);
    if (waiting) waiting.push(write);
    else byKey.set(key, [write]);
    bytes += write.value.length;
  }

  function forget(key: string, isKept: (write: AcceptedWrite) => boolean): void {
    const waiting = byKey.get(key) ?? [];
    const kept = waiting.filter(isKept);
    if (kept.length === waiting.length) return;
    for (const write of waiting) if (!kept.includes(write)) bytes -= write.value.length;
    if (kept.length > 0) byKey.set(key, kept);
    else byKey.delete(key);
  }

  async function settle(): Promise<void> {
    if (byKey.size === 0) return;
    const { partitions } = await log.stats();
    for (const [key, waiting] of byKey) {
      // The log does not tell where it put a record, but it is there: below the end of its partition.
      for (const write of waiting) write.upTo ??= partitions[write.partition]!.next;
      forget(key, ({ partition, upTo }) => upTo! > partitions[partition]!.committed);
    }
  }

  const settleLater = () => void settle().catch((error) => logger.debug({ err: error }, 'accepted writes not settled'));
  const timer = setInterval(settleLater, SETTLE_EVERY_MS);
  timer.unref();

  const watched: EventLog = {
    partitions: log.partitions,
    async append(entries, counts) {
      await log.append(entries, counts);
      remember(entries);
    },
    read: (partition, from, options) => log.read(partition, from, options),
    commit: (partition, position) => log.commit(partition, position),
    committed: (partition) => log.committed(partition),
    stats: () => log.stats(),
    counts: (prefix) => log.counts(prefix),
    forgetCounts: (names) => log.forgetCounts(names),
    close: () => log.close(),
    [Symbol.asyncDispose]: () => log.close(),
  };

  return {
    log: watched,
    waitingIds: () => [...byKey.keys()].slice(-WAITING_IDS_MAX).map((key) => key.slice(key.indexOf(':') + 1)),
    of: (team_id, distinct_id) => byKey.get(`${team_id}:${distinct_id}`) ?? [],
    settle,
    close: () => clearInterval(timer),
  };
}
