// The time that an insight is about, with the points of its chart: the current period, and the one it is compared with.
import { invalid } from '../../http/errors.ts';
import { type Interval, shift, startOf } from '../dates/interval.ts';
import { readMoment } from '../dates/moment.ts';
import {
  type DateRange,
  type DateRangeJson,
  listPoints,
  type RangeSurroundings,
  readDateRange,
  readPreviousRange,
} from '../dates/range.ts';
import { toIso } from '../dates/text.ts';
import type { QueryContext } from '../kind.ts';

export interface Period {
  readonly name: 'current' | 'previous';
  readonly range: DateRange;
  /** Seconds since 1970 at which the points of the chart begin. */
  readonly points: readonly number[];
}

export interface PeriodsJson {
  readonly dateRange?: DateRangeJson | null | undefined;
  readonly compareFilter?: { compare?: boolean | null; compare_to?: string | null } | null | undefined;
}

export function rangeSurroundings({ project, now, earliest }: QueryContext): RangeSurroundings {
  return { timezone: project.timezone, weekStartDay: project.weekStartDay, now, earliest };
}

/** The current period, then the previous one if asked for. Everything has no time before it, so it is compared with nothing. */
export async function planPeriods(
  { dateRange, compareFilter }: PeriodsJson,
  interval: Interval,
  around: RangeSurroundings,
): Promise<Period[]> {
  const range = await readDateRange(dateRange, around, interval);
  const current: Period = { name: 'current', range, points: listPoints(range, interval, around) };
  if (!compareFilter?.compare || dateRange?.date_from === 'all') return [current];
  const before = readPreviousRange(range, interval, around, compareFilter.compare_to);
  return [current, { name: 'previous', range: before, points: listPoints(before, interval, around) }];
}

/** The period that somebody asks about who is shown a comparison. */
export function readPeriod(periods: readonly Period[], compare: unknown): number {
  if (compare !== 'previous') return 0;
  if (periods.length > 1) return 1;
  throw invalid('The query compares with no previous period.', 'compare');
}

/** Which of the points a day of the answer names. */
export function readPlace(day: unknown, interval: Interval, { points }: Period, around: RangeSurroundings): number {
  const moment = typeof day === 'string' ? readMoment(day, around.now, around.timezone) : undefined;
  const start = moment && startOf(interval, Math.floor(moment.micros / 1_000), around) / 1_000;
  const at = start === undefined ? -1 : points.indexOf(start);
  if (at !== -1) return at;
  throw invalid(`"${String(day)}" is no point of the chart; \`days\` of the answer lists them.`, 'day');
}

/** The series that somebody asks about. */
export function readSeries(series: unknown, count: number): number {
  const index = Number(series ?? 0);
  if (Number.isInteger(index) && index >= 0 && index < count) return index;
  throw invalid(`There is no series ${String(series)}; they are numbered 0 to ${count - 1}.`, 'series');
}

/** Seconds: when the point's interval ends. */
export function endOfPoint(
  at: number,
  interval: Interval,
  points: readonly number[],
  around: RangeSurroundings,
): number {
  return points[at + 1] ?? shift(interval, points[at]! * 1_000, 1, around) / 1_000;
}

/** The range as the answer names it: both ends included. */
export function toResolvedRange({ fromMicros, toMicros }: DateRange, zone: string) {
  return { date_from: toIso(fromMicros, zone), date_to: toIso(toMicros - 1, zone) };
}
