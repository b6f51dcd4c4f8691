import type { FlagUsage } from '../../api/use-flags.ts';
import type { TrendItem } from '../../query/results.ts';

const DAY_MS = 86_400_000;

/** Every day from one to the other, both included; days are those of UTC, as the server counts them. */
function listDays(from: string, to: string): string[] {
  const first = Math.floor(Date.parse(from) / DAY_MS);
  const last = Math.floor(Date.parse(to) / DAY_MS);
  return Array.from({ length: last - first + 1 }, (_, at) =>
    new Date((first + at) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** A series for each answer, day by day, also over days on which nobody asked. */
export function usageItems({ date_from, date_to, days, responses }: FlagUsage): TrendItem[] {
  const labels = listDays(date_from, date_to);
  return responses.map(({ response, calls }) => {
    const byDay = new Map(days.filter((each) => each.response === response).map((each) => [each.day, each.calls]));
    const data = labels.map((day) => byDay.get(day) ?? 0);
    return { label: response, labels, days: labels, data, count: calls };
  });
}
