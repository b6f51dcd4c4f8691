// Cohorts change without anybody touching them: people do things, and days pass. So they are counted again and again.
import { sql } from 'kysely';
import { type CalculateParts, calculate } from './calculate.ts';
import { findCohort } from './sql.ts';

export interface RecountOptions {
  /** How old a count may become. */
  everyMs: number;
  /** How often to look for one that is too old. */
  lookEveryMs: number;
}

const OPTIONS: RecountOptions = { everyMs: 15 * 60_000, lookEveryMs: 10_000 };
/** A calculation that takes longer was left behind by a process that is gone. */
const LOST_AFTER = '10 minutes';

export interface Recounting {
  /** Waits for the one that is under way. */
  close(): Promise<void>;
}

export function startRecounting(parts: CalculateParts, { everyMs, lookEveryMs } = OPTIONS): Recounting {
  let running: Promise<void> | undefined;
  let isClosed = false;
  const timer = setInterval(look, lookEveryMs);
  timer.unref();

  function look(): void {
    running ??= recountDue()
      .catch((error) => parts.log.warn({ err: error }, 'cohorts were not counted again'))
      .finally(() => {
        running = undefined;
      });
  }

  async function recountDue(): Promise<void> {
    while (!isClosed && (await recountNext(parts, everyMs)));
  }

  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** Counts the cohort whose count is oldest, if it is too old; says whether there was one. Every process may ask. */
export async function recountNext(parts: CalculateParts, everyMs: number): Promise<boolean> {
  const { rows } = await sql<{ id: number; team_id: number }>`
    update cohort set is_calculating = true, calculation_begun_at = clock_timestamp()
     where id = (
       select id from cohort
        where not deleted and not is_static
          and (last_calculation is null or last_calculation < clock_timestamp() - ${everyMs} * interval '1 millisecond')
          and (calculation_begun_at is null or calculation_begun_at < clock_timestamp() - ${LOST_AFTER}::interval)
        order by last_calculation nulls first
        limit 1 for update skip locked)
    returning id, team_id`.execute(parts.db);
  const [due] = rows;
  const cohort = due && (await findCohort(parts.db, due.team_id, due.id));
  if (cohort) await calculate(parts, cohort);
  return cohort !== undefined;
}
