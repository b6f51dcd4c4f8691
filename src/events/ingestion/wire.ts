// The public shape of the accounts that are kept of events.
import { z } from 'zod';
import type { HourCounts, IngestionLag } from '../../pipeline/accounting.ts';

const time = z.iso.datetime();

const fates = {
  accepted: z.int(),
  stored: z.int(),
  dropped: z.record(z.string(), z.int()),
  /** Accepted, and neither stored nor dropped yet. */
  waiting: z.int(),
};

export const Ingestion = z.strictObject({
  from: time,
  to: time,
  totals: z.strictObject(fates),
  /** Hours in which anything was accepted, oldest first. */
  hours: z.array(z.strictObject({ hour: time, ...fates })),
  /** Of the whole log, which all projects share. */
  lag: z.strictObject({ events: z.int(), seconds: z.number(), oldest_unprocessed_at: time.nullable() }),
  log: z.strictObject({ bytes: z.int(), bytes_max: z.int(), full: z.boolean() }),
});

export interface IngestionFacts {
  from: number;
  to: number;
  hours: readonly HourCounts[];
  lag: IngestionLag;
}

export function toIngestion({ from, to, hours, lag }: IngestionFacts): z.output<typeof Ingestion> {
  const { events, seconds, oldestAcceptedAt } = lag;
  return {
    from: toTime(from),
    to: toTime(to),
    totals: sum(hours),
    hours: hours.map(({ hourMs, accepted, stored, dropped, waiting }) => ({
      hour: toTime(hourMs),
      accepted,
      stored,
      dropped,
      waiting,
    })),
    lag: { events, seconds, oldest_unprocessed_at: oldestAcceptedAt === null ? null : toTime(oldestAcceptedAt) },
    log: { bytes: lag.logBytes, bytes_max: lag.logBytesMax, full: lag.logFull },
  };
}

function sum(hours: readonly HourCounts[]): Omit<HourCounts, 'hourMs'> {
  const total: Omit<HourCounts, 'hourMs'> = { accepted: 0, stored: 0, dropped: {}, waiting: 0 };
  for (const { accepted, stored, dropped, waiting } of hours) {
    total.accepted += accepted;
    total.stored += stored;
    total.waiting += waiting;
    for (const [reason, events] of Object.entries(dropped)) {
      total.dropped[reason] = (total.dropped[reason] ?? 0) + events;
    }
  }
  return total;
}

const toTime = (ms: number): string => new Date(ms).toISOString();
