// What stickiness is, said a second time: on how many days was everybody there?
import { addDays, dateAt, dayRange, type ReferenceInterval, startOfInterval } from './calendar.ts';
import type { Dataset } from './dataset.ts';
import { passes, textOf } from './values.ts';

export interface ReferenceStickinessQuery {
  kind: 'StickinessQuery';
  interval: Exclude<ReferenceInterval, 'hour'>;
  intervalCount?: number;
  series: {
    kind: 'EventsNode';
    event: string | null;
    math?: string;
    math_group_type_index?: number;
    properties?: unknown[];
  }[];
  dateRange: { date_from: string };
  properties?: unknown[];
  stickinessFilter?: { computedAs?: string; stickinessCriteria?: { operator: 'gte' | 'lte' | 'exact'; value: number } };
}

/** The data of each series. */
export function referenceStickiness(dataset: Dataset, query: ReferenceStickinessQuery): number[][] {
  const { timezone, weekStartDay, now } = dataset;
  const today = dateAt(now, timezone);
  const from = startOfInterval(
    addDays(today, Number.parseInt(query.dateRange.date_from, 10)),
    query.interval,
    weekStartDay,
  );
  const range = dayRange(dataset, query.interval, from, today);
  const together = query.intervalCount ?? 1;
  const groups = Math.ceil(range.days.length / together);
  return query.series.map((series) => {
    const isOfGroups = series.math === 'unique_group';
    const times = new Map<string, number[]>();
    for (const event of dataset.events) {
      const point = range.pointOf(Math.floor(event.micros / 1_000));
      const actor = isOfGroups ? textOf(event.properties.$group_0) : event.person.uuid;
      if (point === undefined || actor === '') continue;
      if (series.event !== null && event.event !== series.event) continue;
      if (!passes(dataset, event, series.properties) || !passes(dataset, event, query.properties)) continue;
      const own = times.get(actor) ?? Array<number>(groups).fill(0);
      own[Math.floor(point / together)]! += 1;
      times.set(actor, own);
    }
    const active = [...times.values()].map((own) => own.filter((count) => isActive(query, count)).length);
    const isCumulative = query.stickinessFilter?.computedAs === 'cumulative';
    return Array.from(
      { length: groups },
      (_, at) => active.filter((count) => (isCumulative ? count >= at + 1 : count === at + 1)).length,
    );
  });
}

function isActive({ stickinessFilter }: ReferenceStickinessQuery, count: number): boolean {
  const { operator, value } = stickinessFilter?.stickinessCriteria ?? { operator: 'gte', value: 1 };
  if (count === 0) return false;
  if (operator === 'exact') return count === value;
  return operator === 'gte' ? count >= value : count <= value;
}
