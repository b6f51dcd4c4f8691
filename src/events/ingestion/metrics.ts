// The state of ingestion as numbers for Prometheus, read when somebody asks.
import { type Kysely, sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { EventLog } from '../../log/log.ts';
import type { Database } from '../../metadata/tables.ts';
import { type IngestionLag, readLag } from '../../pipeline/accounting.ts';

const numbers: readonly [name: string, help: string, read: (lag: IngestionLag) => number][] = [
  ['tenrec_ingestion_lag_events', 'Events that are accepted and not stored.', ({ events }) => events],
  ['tenrec_ingestion_lag_seconds', 'Age of the oldest of them.', ({ seconds }) => seconds],
  ['tenrec_event_log_bytes', 'What the records in the event log take.', ({ logBytes }) => logBytes],
  ['tenrec_event_log_bytes_max', 'The ceiling of the event log.', ({ logBytesMax }) => logBytesMax],
  ['tenrec_event_log_full', '1 while the event log refuses events.', ({ logFull }) => (logFull ? 1 : 0)],
];

/** Registers the numbers; from then on `/metrics` shows them. What cannot be read just now is no number, NaN. */
export function watchIngestion(registry: Registry, db: Kysely<Database>, eventLog: EventLog): void {
  // All of them are collected at once, so they share one reading.
  let reading: Promise<IngestionLag | undefined> | undefined;
  const readOnce = () => {
    reading ??= readLag(eventLog, Date.now())
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  for (const [name, help, read] of numbers) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const lag = await readOnce();
        this.set(lag ? read(lag) : Number.NaN);
      },
    });
  }
  new Gauge({
    name: 'tenrec_ingestion_events',
    help: 'Finished events of all projects by what became of them: stored, or dropped for a reason.',
    labelNames: ['fate'],
    registers: [registry],
    async collect() {
      const fates = await sumFates(db).catch(() => undefined);
      this.reset();
      for (const { fate, events } of fates ?? []) this.set({ fate }, events);
    },
  });
}

/** Without `accepted`: of that the log has the newest hours. It is the sum of these and of what lags behind. */
function sumFates(db: Kysely<Database>): Promise<{ fate: string; events: number }[]> {
  return db
    .selectFrom('ingestion_count')
    .select(['fate', sql<number>`sum(events)::bigint`.as('events')])
    .where('fate', '<>', 'accepted')
    .groupBy('fate')
    .execute();
}
