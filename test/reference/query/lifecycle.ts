// What a lifecycle is, said a second time: person by person, interval by interval.
import { addDays, dateAt, nextInterval, type ReferenceInterval, startOfInterval } from './calendar.ts';
import type { Dataset, RawEvent } from './dataset.ts';
import { passes } from './values.ts';

export interface ReferenceLifecycleQuery {
  kind: 'LifecycleQuery';
  interval: Exclude<ReferenceInterval, 'hour'>;
  series: [{ kind: 'EventsNode'; event: string | null; properties?: unknown[] }];
  dateRange: { date_from: string; date_to?: string };
  properties?: unknown[];
}

export const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const;

/** For each status, how many persons have it at each point; those who stay away count below zero. */
export function referenceLifecycle(dataset: Dataset, query: ReferenceLifecycleQuery): Record<string, number[]> {
  const { timezone, weekStartDay, now, events } = dataset;
  const [series] = query.series;
  const intervalOf = (ms: number) => startOfInterval(dateAt(ms, timezone), query.interval, weekStartDay);
  const today = dateAt(now, timezone);
  const { date_from, date_to = today } = query.dateRange;
  const from = date_from.startsWith('-') ? addDays(today, Number.parseInt(date_from, 10)) : date_from;
  const first = startOfInterval(from, query.interval, weekStartDay);
  const points: string[] = [];
  for (let at = first; at <= date_to; at = nextInterval(at, query.interval)) points.push(at);
  const before = startOfInterval(addDays(first, -1), query.interval, weekStartDay);

  const counted = events.filter(
    (event) =>
      (series.event === null || event.event === series.event) &&
      dateAt(msOf(event), timezone) <= date_to &&
      passes(dataset, event, series.properties) &&
      passes(dataset, event, query.properties),
  );
  const result: Record<string, number[]> = Object.fromEntries(STATUSES.map((status) => [status, points.map(() => 0)]));
  for (const [person, own] of Map.groupBy(counted, (event) => event.person)) {
    const active = new Set(own.map((event) => intervalOf(msOf(event))));
    const created = person.hasProfile ? intervalOf(person.created_at_ms) : undefined;
    points.forEach((point, at) => {
      const wasActive = active.has(points[at - 1] ?? before);
      if (!active.has(point)) result.dormant![at]! -= wasActive ? 1 : 0;
      else if (created === point) result.new![at]! += 1;
      else result[wasActive ? 'returning' : 'resurrecting']![at]! += 1;
    });
  }
  return result;
}

const msOf = (event: RawEvent) => Math.floor(event.micros / 1_000);
