// `time_to_convert`: how long people took from one step to another, as a histogram.
import type { QueryContext } from '../../kind.ts';
import { IN_SMALL_BLOCKS } from '../../sql/blocks.ts';
import { journeysSql } from './journeys.ts';
import type { FunnelPlan } from './plan.ts';
import { convertedSql, walkSql } from './walk.ts';

export interface TimeToConvert {
  readonly average_conversion_time: number | null;
  readonly median_conversion_time: number | null;
  /** Where each bin begins, in seconds, and how many are in it. */
  readonly bins: readonly (readonly [start: number, persons: number])[];
}

interface BinRow {
  readonly bin: number;
  readonly persons: number;
  readonly low: number;
  readonly width: number;
  readonly bins: number;
  readonly average: number;
  readonly median: number;
}

const GIVEN_BINS_MAX = 90;
const AUTOMATIC_BINS_MAX = 60;
const WIDTH_OF_NOTHING = 60;

export async function askTimeToConvert(
  plan: FunnelPlan,
  binCount: number | undefined,
  context: QueryContext,
): Promise<TimeToConvert> {
  const events = context.events();
  const walked = walkSql(plan, journeysSql(plan, events, context), ['actor']);
  const bins = binCount
    ? String(Math.min(Math.max(Math.round(binCount), 1), GIVEN_BINS_MAX))
    : `least(${AUTOMATIC_BINS_MAX}, greatest(1, toInt64(ceil(cbrt(length(durations))))))`;
  const rows = await context.ask<BinRow>({
    text: `
      SELECT intDiv(arrayJoin(durations) - low * 1000000, width * 1000000) AS bin, count() AS persons,
             low, width, bins, average, median
        FROM (
          SELECT durations, average, median, low, bins,
                 if(high = low, ${WIDTH_OF_NOTHING}, toInt64(ceil((high - low) / bins))) AS width
            FROM (
              SELECT groupArray(took) AS durations,
                     sum(took) / count() / 1e6 AS average,
                     quantileExactInclusive(0.5)(took) / 1e6 AS median,
                     intDiv(min(took), 1000000) AS low,
                     toInt64(ceil(max(took) / 1e6)) AS high,
                     ${bins} AS bins
                FROM (SELECT toInt64(t${plan.toStep} - t${plan.fromStep}) AS took FROM (${walked}) WHERE ${convertedSql(plan)})))
       GROUP BY bin, low, width, bins, average, median
      ${IN_SMALL_BLOCKS}`,
    params: events.bound.params,
  });
  return toHistogram(rows);
}

/** One more bin than asked for closes the last: whoever took longest may stand exactly on its edge. */
function toHistogram(rows: readonly BinRow[]): TimeToConvert {
  const [first] = rows;
  if (!first) return { average_conversion_time: null, median_conversion_time: null, bins: [] };
  const persons = new Map(rows.map((row) => [row.bin, row.persons]));
  const { low, width, bins, average, median } = first;
  return {
    average_conversion_time: average,
    median_conversion_time: median,
    bins: Array.from({ length: bins + 1 }, (_, bin) => [low + bin * width, persons.get(bin) ?? 0] as const),
  };
}
