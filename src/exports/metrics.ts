// The state of exports as numbers for Prometheus, read when somebody asks: from the database, so that every process
// shows the same, whoever does the work.
import { type Kysely, sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../metadata/tables.ts';

/** Registers the numbers; from then on `/metrics` shows them. What cannot be read just now is left out. */
export function watchExports(registry: Registry, db: Kysely<Database>): void {
  // They are collected at once, so they share one reading.
  let reading: Promise<StatusCount[]> | undefined;
  const readOnce = () => {
    reading ??= countRuns(db)
      .catch(() => [])
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  new Gauge({
    name: 'tenrec_export_runs',
    help: 'Runs of batch exports by status.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { status, runs } of await readOnce()) this.set({ status }, runs);
    },
  });
  new Gauge({
    name: 'tenrec_export_rows',
    help: 'Rows that completed runs of batch exports have shipped.',
    registers: [registry],
    async collect() {
      const counts = await readOnce();
      this.set(counts.reduce((sum, { rows }) => sum + rows, 0));
    },
  });
  new Gauge({
    name: 'tenrec_export_lag_seconds',
    help: 'How long ago the oldest interval ended that is scheduled and not shipped yet.',
    registers: [registry],
    async collect() {
      this.set((await readLag(db).catch(() => Number.NaN)) ?? 0);
    },
  });
}

interface StatusCount {
  status: string;
  runs: number;
  /** Of completed runs. */
  rows: number;
}

async function countRuns(db: Kysely<Database>): Promise<StatusCount[]> {
  const { rows } = await sql<StatusCount>`
    select status, count(*) as runs,
           coalesce(sum(records_completed) filter (where status = 'Completed'), 0)::bigint as rows
      from batch_export_run
     group by status`.execute(db);
  return rows;
}

/** Runs that failed are not waited for any more: they are counted by their status. */
async function readLag(db: Kysely<Database>): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select greatest(0, extract(epoch from clock_timestamp() - min(data_interval_end)))::double precision as seconds
      from batch_export_run
     where backfill_id is null and status in ('Starting', 'Running')`.execute(db);
  return rows[0]!.seconds;
}
