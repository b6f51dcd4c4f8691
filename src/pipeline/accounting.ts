// Every accepted event is accounted for: accepted = stored + dropped, by reason, + waiting; per project and hour.
//
// The log counts what it accepts, in the same transaction as the records. The pipeline counts what became of them, in
// the same transaction as the end of their batch. Old counts of the log move to PostgreSQL.
import { type Kysely, sql } from 'kysely';
import type { Pool } from 'pg';
import { acceptedPrefix, parseAcceptedCounter } from '../capture/accepted-counter.ts';
import type { EventLog } from '../log/log.ts';
import type { Database } from '../metadata/tables.ts';

type Db = Kysely<Database>;

export interface HourCounts {
  /** Its beginning, milliseconds since 1970. */
  hourMs: number;
  accepted: number;
  stored: number;
  dropped: Record<string, number>;
  /** Accepted and neither stored nor dropped yet. */
  waiting: number;
}

export interface IngestionLag {
  /** Records of all projects that are not stored yet. */
  events: number;
  /** The age of the oldest of them. */
  seconds: number;
  oldestAcceptedAt: number | null;
  logBytes: number;
  logBytesMax: number;
  logFull: boolean;
}

const DROPPED = 'dropped:';
const HOUR_MS = 3_600_000;
/** No request lasts this long, so nothing is added to the counts of an hour that ended so long ago. */
const SETTLED_AFTER_MS = 6 * HOUR_MS;

/** A project's hours from `fromMs` to `toMs`, oldest first; hours in which nothing happened are left out. */
export async function listCounts(
  db: Db,
  eventLog: EventLog,
  team_id: number,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<HourCounts[]> {
  // The log is asked first: an event that is finished in between was accepted before, so `waiting` is never below zero.
  const accepted = await eventLog.counts(acceptedPrefix(team_id));
  const rows = await db
    .selectFrom('ingestion_count')
    .select(['fate', 'events', sql<number>`(extract(epoch from hour) * 1000)::bigint`.as('hourMs')])
    .where('team_id', '=', team_id)
    .where(
      sql<boolean>`hour >= to_timestamp(${fromMs}::bigint / 1000.0) and hour < to_timestamp(${toMs}::bigint / 1000.0)`,
    )
    .execute();
  const hours = new Map<number, HourCounts>();
  const at = (hourMs: number): HourCounts => {
    const known = hours.get(hourMs) ?? { hourMs, accepted: 0, stored: 0, dropped: {}, waiting: 0 };
    hours.set(hourMs, known);
    return known;
  };
  for (const { hourMs, fate, events } of rows) {
    const hour = at(Number(hourMs));
    if (fate === 'accepted') hour.accepted = Number(events);
    else if (fate === 'stored') hour.stored = Number(events);
    else hour.dropped[fate.slice(DROPPED.length)] = Number(events);
  }
  for (const [name, events] of accepted) {
    const { hourMs } = parseAcceptedCounter(name);
    if (hourMs >= fromMs && hourMs < toMs) at(hourMs).accepted = events;
  }
  for (const hour of hours.values()) {
    const dropped = Object.values(hour.dropped).reduce((sum, events) => sum + events, 0);
    hour.waiting = Math.max(0, hour.accepted - hour.stored - dropped);
  }
  return [...hours.values()].sort((one, other) => one.hourMs - other.hourMs);
}

export async function readLag(eventLog: EventLog, nowMs: number): Promise<IngestionLag> {
  const { partitions, bytes, bytesMax, full } = await eventLog.stats();
  const waiting = partitions.flatMap(({ oldestAppendedAt }) => oldestAppendedAt ?? []);
  const oldestAcceptedAt = waiting.length === 0 ? null : Math.min(...waiting);
  return {
    events: partitions.reduce((sum, { next, committed }) => sum + next - committed, 0),
    seconds: oldestAcceptedAt === null ? 0 : Math.max(0, (nowMs - oldestAcceptedAt) / 1_000),
    oldestAcceptedAt,
    logBytes: bytes,
    logBytesMax: bytesMax,
    logFull: full,
  };
}

/** Moves counts of hours that are over for long. Doing it twice, as after a crash in between, is doing it once. */
export async function moveAccepted(eventLog: EventLog, pool: Pool, nowMs: number): Promise<void> {
  const old = [...(await eventLog.counts(acceptedPrefix()))]
    .map(([name, events]) => ({ name, events, ...parseAcceptedCounter(name) }))
    .filter(({ hourMs }) => nowMs - hourMs >= SETTLED_AFTER_MS);
  if (old.length === 0) return;
  await pool.query(
    `insert into ingestion_count (team_id, hour, fate, events)
     select team_id, to_timestamp(hour_ms / 1000), 'accepted', events
       from unnest($1::integer[], $2::bigint[], $3::bigint[]) as old (team_id, hour_ms, events)
         on conflict (team_id, hour, fate) do update set events = excluded.events`,
    [old.map((row) => row.team_id), old.map((row) => row.hourMs), old.map((row) => row.events)],
  );
  await eventLog.forgetCounts(old.map(({ name }) => name));
}
