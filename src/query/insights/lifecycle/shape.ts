// What the statement answered → the four items of the answer, exactly as the wire has them.
import { toDay, toLabel } from '../../dates/text.ts';
import type { LifecyclePlan } from './plan.ts';
import { STATUSES } from './read.ts';
import type { LifecycleRow } from './sql.ts';

export function toItems(plan: LifecyclePlan, rows: readonly LifecycleRow[]): Record<string, unknown>[] {
  const { interval, around, period, label, query } = plan;
  const days = period.points.map((point) => toDay(point, interval, around.timezone));
  const labels = period.points.map((point) => toLabel(point, interval, around.timezone));
  const scale = query.samplingFactor ? 1 / query.samplingFactor : 1;
  return STATUSES.map((status, code) => {
    // Whoever stays away is drawn below the line.
    const sign = status === 'dormant' ? -1 : 1;
    const own = rows.filter((row) => row.status === code);
    const actors = new Map(own.map(({ point, actors }) => [point, actors * scale * sign]));
    const data = days.map((_, at) => actors.get(at + 1) ?? 0);
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
