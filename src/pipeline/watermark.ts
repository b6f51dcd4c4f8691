// The clock of exports. Every row carries the time of its recorded batch; below the watermark no row will ever appear.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../metadata/tables.ts';

/**
 * Microseconds since 1970: all rows with `inserted_at` below it are stored, and there will be no others. It never goes
 * back. Asking moves the clock on, so that the watermark passes any moment soon after that moment, events or none.
 */
export async function readWatermark(db: Kysely<Database>): Promise<number> {
  await sql`
    update ingestion_clock
       set inserted_at = greatest(inserted_at, (extract(epoch from clock_timestamp()) * 1000000)::bigint)`.execute(db);
  const { rows } = await sql<{ watermark: number }>`
    select least((select min(inserted_at) from ingestion_batch), ingestion_clock.inserted_at + 1) as watermark
      from ingestion_clock`.execute(db);
  return rows[0]!.watermark;
}
