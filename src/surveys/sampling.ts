// Answers that are to be spread over days: how many may have come by the end of each, and which share of the people is
// asked on it.

const DAY_MS = 86_400_000;
const DAYS_OF = { day: 1, week: 7, month: 30 } as const;
export const SAMPLING_DAYS_MAX = 3_650;

export interface Sampling {
  response_sampling_start_date: string | null;
  response_sampling_interval_type: keyof typeof DAYS_OF | null;
  response_sampling_interval: number | null;
  response_sampling_limit: number | null;
}

export interface SamplingDay {
  date: string;
  /** Of that day and all before it. */
  daily_response_limit: number;
  rollout_percentage: number;
}

export function samplingDaysOf({
  response_sampling_interval_type: type,
  response_sampling_interval,
}: Sampling): number {
  return (response_sampling_interval ?? 0) * DAYS_OF[type ?? 'week'];
}

/** Undefined for a survey that takes its answers as they come. */
export function planSampling(sampling: Sampling): SamplingDay[] | undefined {
  const { response_sampling_start_date: start, response_sampling_limit: limit } = sampling;
  const days = samplingDaysOf(sampling);
  if (!start || !limit || days === 0) return undefined;
  return Array.from({ length: days }, (_, at) => ({
    date: new Date(Date.parse(start) + at * DAY_MS).toISOString().slice(0, 10),
    daily_response_limit: Math.ceil((limit * (at + 1)) / days),
    rollout_percentage: Math.round((100 * (at + 1)) / days),
  }));
}

/** The percentage of people who are asked now: nobody before the first day, nor while there are answers enough for today. */
export function shareOf(plan: readonly SamplingDay[], responses: number, nowMs: number): number {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const current = plan.findLast(({ date }) => date <= today);
  if (!current || responses >= current.daily_response_limit) return 0;
  return current.rollout_percentage;
}

export const samplingFilters = (share: number) => ({
  groups: [{ variant: null, rollout_percentage: share, properties: [] }],
});
