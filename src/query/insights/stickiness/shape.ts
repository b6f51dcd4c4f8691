// What the statement answered → the items of the answer, exactly as the wire has them.
import type { StickinessPlan } from './plan.ts';
import type { StickinessRow } from './sql.ts';

export function toItems(plan: StickinessPlan, rows: readonly StickinessRow[]): Record<string, unknown>[] {
  const factor = plan.query.samplingFactor;
  const scale = factor ? 1 / factor : 1;
  return plan.periods.flatMap(({ name, points }, period) =>
    plan.labels.map((label, series) => {
      const own = rows.filter((row) => row.series === series && row.period === period);
      const exactly = new Map(own.map(({ active, actors }) => [active, actors * scale]));
      const days = points.map((_, at) => at + 1);
      const counted = days.map((day) => exactly.get(day) ?? 0);
      const data = plan.isCumulative ? atLeast(counted) : counted;
      return {
        count: sum(data),
        data,
        days,
        label,
        labels: days.map((day) => toLabel(plan, day)),
        action: { order: series, type: 'events', name: label, id: label },
        ...(plan.periods.length > 1 && { compare: true, compare_label: name }),
      };
    }),
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Whoever was active in more intervals was active in fewer ones, too. */
const atLeast = (exactly: readonly number[]): number[] => exactly.map((_, at) => sum(exactly.slice(at)));

const toLabel = ({ interval, isCumulative }: StickinessPlan, day: number): string =>
  `${day} ${interval}${day === 1 ? '' : 's'}${isCumulative ? ' or more' : ''}`;
