// What the statement answered → the four items of the answer, exactly as the wire has them.
import { toDay, toLabel } from '../../dates/text.ts';
import type { LifecyclePlan } from './plan.ts';
import { STATUSES } from './read.ts';
import { changeAt, type LifecycleRow } from './sql.ts';

export function toItems(plan: LifecyclePlan, rows: readonly LifecycleRow[]): Record<string, unknown>[] {
  const { interval, around, period, label, query } = plan;
  const days = period.points.map((point) => toDay(point, interval, around.timezone));
  const labels = period.points.map((point) => toLabel(point, interval, around.timezone));
  const scale = query.samplingFactor ? 1 / query.samplingFactor : 1;
  const counts = new Map(rows.map(({ change, actors }) => [change, actors]));
  return STATUSES.map((status) => {
    // Whoever stays away is drawn below the line.
    const factor = status === 'dormant' ? -scale : scale;
    const data = days.map((_, at) => {
      const count = counts.get(changeAt(at, status));
      return count ? count * factor : 0;
    });
    return {
      action: { id: label, name: label, type: 'events', order: 0, math: 'total' },
      label: `${label} - ${status}`,
      status,
      data,
      count: data.reduce((sum, value) => sum + value, 0),
      days,
      labels,
    };
  });
}
