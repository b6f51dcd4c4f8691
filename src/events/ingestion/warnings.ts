// What a project's people are told about events that were changed or left out: by type, with examples.
import { z } from 'zod';
import { ask } from '../../filters/ask.ts';
import type { EventStore } from '../../store/open.ts';
import type { Micros } from '../../store/tables/rows.ts';

const DAYS = 30;
const EXAMPLES_MAX = 50;

const time = z.iso.datetime();

export const WarningList = z.strictObject({
  results: z.array(
    z.strictObject({
      type: z.string(),
      lastSeen: time,
      /** How many on which day, oldest day first. */
      sparkline: z.array(z.tuple([z.int(), z.iso.date()])),
      warnings: z.array(z.strictObject({ type: z.string(), timestamp: time, details: z.unknown() })),
      count: z.int(),
    }),
  ),
});

type Summary = z.output<typeof WarningList>['results'][number];

interface DayRow {
  type: string;
  day: string;
  day_count: number;
}

interface ExampleRow {
  type: string;
  details: string;
  micros: Micros;
}

/** The types of the last days, the one seen last first; `part` keeps those in whose type or details it occurs. */
export async function summarizeWarnings(
  store: EventStore,
  team_id: number,
  part: string,
  nowMs: number,
): Promise<Summary[]> {
  const params = { team_id, part, since: nowMs - DAYS * 86_400_000 };
  const found = `
     FROM ingestion_warnings
    WHERE team_id = {team_id:Int64}
      AND timestamp > fromUnixTimestamp64Milli({since:Int64}, 'UTC')
      AND (positionUTF8(details, {part:String}) > 0 OR positionUTF8(toString(type), {part:String}) > 0)`;
  const days = await ask<DayRow>(store, {
    text: `SELECT toString(type) AS type, toDate(timestamp) AS day, count() AS day_count ${found} GROUP BY type, day ORDER BY day`,
    params,
  });
  const examples = await ask<ExampleRow>(store, {
    text: `
      SELECT toString(type) AS type, details, toUnixTimestamp64Micro(timestamp) AS micros ${found}
       ORDER BY timestamp DESC
       LIMIT ${EXAMPLES_MAX} BY type`,
    params,
  });
  const daysOf = Map.groupBy(days, ({ type }) => type);
  // Examples come newest first, so their types come in the order of when each was last seen.
  return [...Map.groupBy(examples, ({ type }) => type)].map(([type, shown]) =>
    toSummary(type, shown, daysOf.get(type) ?? []),
  );
}

function toSummary(type: string, examples: readonly ExampleRow[], days: readonly DayRow[]): Summary {
  const warnings = examples.map(({ details, micros }) => ({
    type,
    timestamp: toTime(micros),
    details: JSON.parse(details) as unknown,
  }));
  return {
    type,
    lastSeen: warnings[0]?.timestamp ?? '',
    sparkline: days.map(({ day, day_count }) => [day_count, day]),
    warnings,
    count: days.reduce((sum, { day_count }) => sum + day_count, 0),
  };
}

const toTime = (micros: Micros): string => new Date(Math.floor(micros / 1_000)).toISOString();
