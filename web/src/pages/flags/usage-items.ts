import type { FlagUsage } from '../../api/use-flags.ts';
import type { TrendItem } from '../../query/results.ts';

/** A series for each answer, over the days on which anybody asked. */
export function usageItems({ days, responses }: Pick<FlagUsage, 'days' | 'responses'>): TrendItem[] {
  const labels = [...new Set(days.map(({ day }) => day))].sort();
  return responses.map(({ response, calls }) => {
    const byDay = new Map(days.filter((each) => each.response === response).map((each) => [each.day, each.calls]));
    const data = labels.map((day) => byDay.get(day) ?? 0);
    return { label: response, labels, days: labels, data, count: calls };
  });
}
