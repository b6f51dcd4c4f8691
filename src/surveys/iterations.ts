// Surveys that come again: when each round begins, and which one it is now.

const DAY_MS = 86_400_000;

export interface Recurrence {
  start_date: string | null;
  iteration_count: number | null;
  iteration_frequency_days: number | null;
}

export interface Iterations {
  iteration_start_dates: string[] | null;
  current_iteration: number | null;
  current_iteration_start_date: string | null;
}

const NONE: Iterations = {
  iteration_start_dates: null,
  current_iteration: null,
  current_iteration_start_date: null,
};

/** Nothing before the survey starts, and for one that does not come again. */
export function iterationsOf(
  { start_date, iteration_count, iteration_frequency_days }: Recurrence,
  nowMs: number,
): Iterations {
  if (!start_date || !iteration_count || !iteration_frequency_days) return NONE;
  const starts = Array.from({ length: iteration_count }, (_, round) =>
    new Date(Date.parse(start_date) + round * iteration_frequency_days * DAY_MS).toISOString(),
  );
  // A survey that starts in the future is in its first round.
  const current = Math.max(1, starts.filter((start) => Date.parse(start) <= nowMs).length);
  return {
    iteration_start_dates: starts,
    current_iteration: current,
    current_iteration_start_date: starts[current - 1]!,
  };
}
