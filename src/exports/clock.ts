// The clock that schedules go by: the database's, which all processes share. Tests move one of their own.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../metadata/tables.ts';

/** Milliseconds since 1970. */
export type Clock = () => Promise<number>;

export const databaseClock =
  (db: Kysely<Database>): Clock =>
  async () => {
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(db);
    return rows[0]!.ms;
  };

/** The wire's form of a moment: microseconds when there are any, nothing when there are none. */
export const toTimestamp = (ms: number): string => new Date(ms).toISOString().replace(/\.000Z$/, 'Z');

export const toMs = (timestamp: string | null): number | null => (timestamp === null ? null : Date.parse(timestamp));
