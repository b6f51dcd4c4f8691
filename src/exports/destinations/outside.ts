import type { Reading } from './destination.ts';

/** Which of the selected rows; without a condition, all of them. */
export type Part = Pick<Reading, 'where' | 'params'>;

/** An interval in microseconds since 1970; null is the beginning of time. */
export interface MicrosInterval {
  readonly from_micros: string | null;
  readonly to_micros: string;
}

/** Rows that came in during none of these intervals. */
export function outside(intervals: readonly MicrosInterval[]): Part {
  const params: Record<string, string> = {};
  const conditions = intervals.map(({ from_micros, to_micros }, n) => {
    params[`to_${n}`] = to_micros;
    const after = `_inserted_at >= fromUnixTimestamp64Micro({to_${n}:Int64}, 'UTC')`;
    if (from_micros === null) return after;
    params[`from_${n}`] = from_micros;
    return `(_inserted_at < fromUnixTimestamp64Micro({from_${n}:Int64}, 'UTC') OR ${after})`;
  });
  return conditions.length === 0 ? {} : { where: conditions.join(' AND '), params };
}
