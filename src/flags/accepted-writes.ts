// What capture has accepted about people and the pipeline has not written yet, so that the next decision knows it.
//
// Whatever is appended to the log passes by here. Events that say something about a person or a group are remembered, as the
// bytes that stand in the log, until the pipeline has stored them and a moment longer, for those who read just before.
// Of all others it is remembered that they were there, so that whoever keeps people in memory knows whom to forget.
import { type JsonObject, parseExact } from '../capture/exact-json.ts';
import { decodeRecord } from '../capture/record.ts';
import type { EventLog, LogEntry, PartitionStats } from '../log/log.ts';
import { partitionOf } from '../log/partition.ts';
import { readGroupUpdate } from '../pipeline/groups.ts';
import { readLink } from '../pipeline/merge-persons.ts';
import type { Logger } from '../platform/logger.ts';

/** Times are those of `performance.now()`. */
export interface Accepted {
  /** The key that it was appended with. */
  readonly ownKey: string;
  /** Below this position of its partition the log holds it; both undefined until somebody has looked. */
  partition: number | undefined;
  upTo: number | undefined;
  /** When it was seen to be stored. */
  storedAt: number | undefined;
}

export interface AcceptedWrite extends Accepted {
  readonly value: Buffer;
  /** Later ones have higher numbers. */
  readonly order: number;
}

interface Touched extends Accepted {
  readonly at: number;
}

export interface AcceptedWrites {
  /** The same log, whose appends are remembered. */
  readonly log: EventLog;
  /** What was said of late about this person, in the order of acceptance; empty for nearly everybody. */
  of(team_id: number, distinct_id: string): readonly AcceptedWrite[];
  /** The same about a group. */
  ofGroup(team_id: number, group_type: string, group_key: string): readonly AcceptedWrite[];
  /** Whether this id has had no event since then. */
  isQuietSince(team_id: number, distinct_id: string, since: number): boolean;
  /** Whether all that this id had was stored by then. */
  isStoredBy(team_id: number, distinct_id: string, by: number): boolean;
  /** Remembers what waits in the log from before the start. */
  recall(): Promise<void>;
  /** Looks where the pipeline is, and forgets what it stored a while ago. */
  settle(): Promise<void>;
  close(): void;
}

const SETTLE_EVERY_MS = 200;
/** Longer than any reading takes, and than anything that was read is kept. */
const REMEMBER_MS = 3_000;
/** When the pipeline is so far behind, the oldest are forgotten: decisions then go by what is stored. */
const BYTES_MAX = 64 * 1024 * 1024;
const IDS_MAX = 100_000;
/** After a long outage there may be millions; nobody waits for all of them at the start. */
const RECALLED_MAX = 20_000;

/** What an event has in its bytes when it says something about its person, or that two persons are one. */
const CHANGES = ['"$set', '"$unset"'].map((sign) => Buffer.from(sign));
const OWN_EVENT = Buffer.from('"event":"$');
const LINKS = ['$identify"', '$create_alias"', '$merge_dangerously"'].map((name) => Buffer.from(name));
const GROUP = [Buffer.from('$groupidentify"')];

/** Such events have a name of their own, which stands near the beginning of the record. */
function isNamed(value: Buffer, names: readonly Buffer[]): boolean {
  const at = value.indexOf(OWN_EVENT) + OWN_EVENT.length - 1;
  return at >= OWN_EVENT.length - 1 && names.some((name) => value.subarray(at, at + name.length).equals(name));
}

/** The other id that this event makes one with its own, if it does. */
function linkedKey(value: Buffer): string | undefined {
  const record = decodeRecord(value);
  if (record.kind === 'drop') return undefined;
  const { team_id, event, distinct_id } = record;
  const link = readLink(event, distinct_id, parseExact(record.properties.toString()) as JsonObject);
  return link && `${team_id}:${link.source === distinct_id ? link.target : link.source}`;
}

/** No distinct id has a NUL in it, so no person is filed where a group is. */
const groupFile = (team_id: number, group_type: string, group_key: string) =>
  `${team_id}:\0${group_type}\0${group_key}`;

/** Where an event about a group is filed, if it names one. */
function groupKey(value: Buffer): string | undefined {
  const record = decodeRecord(value);
  if (record.kind === 'drop') return undefined;
  const update = readGroupUpdate(parseExact(record.properties.toString()) as JsonObject);
  return update && 'group_key' in update ? groupFile(record.team_id, update.group_type, update.group_key) : undefined;
}

const NOT_SEEN = { partition: undefined, upTo: undefined, storedAt: undefined };

export function watchAcceptedWrites(log: EventLog, logger: Logger): AcceptedWrites {
  const writes = new Map<string, AcceptedWrite[]>();
  const touched = new Map<string, Touched>();
  let bytes = 0;
  let accepted = 0;
  /** So far behind, nobody can say any more who had no event: then everybody counts as having had one. */
  let isOverflowing = false;

  function remember({ key, value: sent, changesNobody }: LogEntry): void {
    touch(key, key);
    if (changesNobody) return;
    const value = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength);
    const links = isNamed(value, LINKS);
    const group = isNamed(value, GROUP) ? groupKey(value) : undefined;
    const changes = links || CHANGES.some((sign) => value.includes(sign));
    if (!changes && group === undefined) return;
    accepted += 1;
    const write = { ...NOT_SEEN, value, order: accepted, ownKey: key };
    if (group !== undefined) file(group, write);
    if (!changes) return;
    file(key, write);
    const other = links ? linkedKey(value) : undefined;
    if (other === undefined || other === key) return;
    touch(other, key);
    file(other, write);
  }

  function touch(key: string, ownKey: string): void {
    touched.set(key, { ...NOT_SEEN, at: performance.now(), ownKey });
    if (touched.size <= IDS_MAX) return;
    touched.clear();
    isOverflowing = true;
  }

  function file(key: string, write: AcceptedWrite): void {
    const before = writes.get(key);
    if (before) before.push(write);
    else writes.set(key, [write]);
    bytes += write.value.length;
    while (bytes > BYTES_MAX) keepOnly(writes.keys().next().value as string, () => false);
  }

  function keepOnly(key: string, isKept: (write: AcceptedWrite) => boolean): void {
    const before = writes.get(key) ?? [];
    const kept = before.filter(isKept);
    if (kept.length === before.length) return;
    bytes += total(kept) - total(before);
    if (kept.length > 0) writes.set(key, kept);
    else writes.delete(key);
  }

  async function recall(): Promise<void> {
    let recalled = 0;
    for (const { partition, committed, next } of (await log.stats()).partitions) {
      for (let from = committed; from < next && recalled < RECALLED_MAX; ) {
        const records = await log.read(partition, from, { recordsMax: 1_000 });
        for (const { value } of records) {
          const record = decodeRecord(value);
          if (record.kind === 'event') remember({ key: `${record.team_id}:${record.distinct_id}`, value });
        }
        recalled += records.length;
        from += Math.max(records.length, 1);
      }
    }
  }

  async function settle(): Promise<void> {
    if (touched.size === 0 && writes.size === 0 && !isOverflowing) return;
    const { partitions } = await log.stats();
    const now = performance.now();
    const isKept = (one: Accepted) => {
      if (one.storedAt === undefined) {
        one.partition ??= partitionOf(one.ownKey, log.partitions);
        note(one, partitions[one.partition]!, now);
      }
      return one.storedAt === undefined || now - one.storedAt < REMEMBER_MS;
    };
    for (const [key, one] of touched) if (!isKept(one)) touched.delete(key);
    for (const key of writes.keys()) keepOnly(key, isKept);
    if (partitions.every(({ next, committed }) => next === committed)) isOverflowing = false;
  }

  const settleLater = () => void settle().catch((error) => logger.debug({ err: error }, 'accepted writes not settled'));
  const timer = setInterval(settleLater, SETTLE_EVERY_MS);
  timer.unref();

  const find = (team_id: number, distinct_id: string) => touched.get(`${team_id}:${distinct_id}`);
  return {
    log: withAppend(log, async (entries, counts) => {
      await log.append(entries, counts);
      for (const entry of entries) remember(entry);
    }),
    of: (team_id, distinct_id) => writes.get(`${team_id}:${distinct_id}`) ?? [],
    ofGroup: (team_id, group_type, group_key) => writes.get(groupFile(team_id, group_type, group_key)) ?? [],
    isQuietSince(team_id, distinct_id, since) {
      if (isOverflowing) return false;
      const one = touched.size === 0 ? undefined : find(team_id, distinct_id);
      return !one || one.at < since;
    },
    isStoredBy(team_id, distinct_id, by) {
      const one = find(team_id, distinct_id);
      return !isOverflowing && (!one || (one.storedAt !== undefined && one.storedAt < by));
    },
    recall,
    settle,
    close: () => clearInterval(timer),
  };
}

const total = (writes: readonly AcceptedWrite[]) => writes.reduce((sum, { value }) => sum + value.length, 0);

/** The log does not tell where it put a record, but it is there: below the end of its partition. */
function note(one: Accepted, { next, committed }: PartitionStats, now: number): void {
  one.upTo ??= next;
  if (one.upTo <= committed) one.storedAt ??= now;
}

const withAppend = (log: EventLog, append: EventLog['append']): EventLog => ({
  partitions: log.partitions,
  append,
  read: (partition, from, options) => log.read(partition, from, options),
  commit: (partition, position) => log.commit(partition, position),
  committed: (partition) => log.committed(partition),
  stats: () => log.stats(),
  counts: (prefix) => log.counts(prefix),
  forgetCounts: (names) => log.forgetCounts(names),
  close: () => log.close(),
  [Symbol.asyncDispose]: () => log.close(),
});
