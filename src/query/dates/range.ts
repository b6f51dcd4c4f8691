// The `dateRange` of a query → the events that count and the points of its chart.
import { invalid } from '../../http/errors.ts';
import { momentOf, offsetAt, wallTimeAt } from '../../platform/zone.ts';
import { type Calendar, type Interval, listStarts, startOf } from './interval.ts';
import { type ReadMoment, readMoment } from './moment.ts';

export interface DateRangeJson {
  date_from?: string | null | undefined;
  date_to?: string | null | undefined;
  explicitDate?: boolean | null | undefined;
}

/** Half open, in microseconds since 1970: what `EventsSql.within` takes. */
export interface DateRange {
  readonly fromMicros: number;
  readonly toMicros: number;
}

export interface RangeSurroundings extends Calendar {
  readonly now: number;
  /** Milliseconds of the first event, for `all`. */
  earliest(): Promise<number>;
}

const DEFAULT_FROM = '-7d';

/** An answer with more points than this is nothing that anybody looks at. */
export const POINTS_MAX = 20_000;

/**
 * The range that a query means. With an interval longer than an hour it goes on to the end of its last day, with `hour` or
 * `minute` to the end of that when it ends relative to now, and it begins with the whole interval that it begins in.
 * Without an interval only the days are completed. `explicitDate` takes both ends as they are.
 */
export async function readDateRange(
  json: DateRangeJson | null | undefined,
  around: RangeSurroundings,
  interval?: Interval | null,
): Promise<DateRange> {
  const isExplicit = json?.explicitDate === true;
  const from = await readFrom(json?.date_from || DEFAULT_FROM, around, isExplicit);
  const fromMicros = interval && !isExplicit ? startOf(interval, Math.floor(from / 1_000), around) * 1_000 : from;
  const toMicros = readTo(json?.date_to || undefined, around, interval ?? 'day', isExplicit);
  if (toMicros <= fromMicros) throw invalid('The date range ends before it begins.', 'dateRange');
  return { fromMicros, toMicros };
}

async function readFrom(text: string, around: RangeSurroundings, isExplicit: boolean): Promise<number> {
  if (text === 'all') return startOf('day', await around.earliest(), around) * 1_000;
  const moment = parse(text, 'date_from', around);
  if (isExplicit || !moment.relative || moment.isSnapped) return moment.micros;
  // So long ago means since the beginning of then, as exactly as it was said.
  const unit = ({ s: 'second', M: 'minute', h: 'hour' } as const)[moment.relative as 's' | 'M' | 'h'] ?? 'day';
  return startOf(unit, Math.floor(moment.micros / 1_000), around) * 1_000;
}

/** Microseconds, exclusive. */
function readTo(text: string | undefined, around: RangeSurroundings, interval: Interval, isExplicit: boolean): number {
  const moment: ReadMoment =
    text === undefined
      ? { micros: around.now * 1_000, relative: 's', isDate: false, isSnapped: false }
      : parse(text, 'date_to', around);
  if (isExplicit) return moment.micros + 1;
  if (moment.isDate || !isShort(interval)) return endOf('day', moment.micros, around);
  if (moment.relative && !moment.isSnapped) return endOf(interval, moment.micros, around);
  return moment.micros + 1;
}

const isShort = (interval: Interval) => interval === 'hour' || interval === 'minute' || interval === 'second';

function endOf(interval: Interval, micros: number, { timezone, ...calendar }: Calendar): number {
  const start = startOf(interval, Math.floor(micros / 1_000), { timezone, ...calendar });
  if (interval !== 'day')
    return (start + { second: 1_000, minute: 60_000, hour: 3_600_000 }[interval as 'hour']) * 1_000;
  const { year, month, day } = wallTimeAt(timezone, start);
  return momentOf(timezone, { year, month, day: day + 1 }) * 1_000;
}

function parse(text: string, attr: 'date_from' | 'date_to', { now, timezone }: RangeSurroundings): ReadMoment {
  const moment = readMoment(text, now, timezone);
  if (moment) return moment;
  throw invalid(`"${text}" is no date; write one as 2025-02-03, 2025-02-03T10:11:12 or -7d.`, `dateRange__${attr}`);
}

/** Seconds since 1970 at which the points of a chart begin, in order: the bounds for `bucketSql`. */
export function listPoints({ fromMicros, toMicros }: DateRange, interval: Interval, calendar: Calendar): number[] {
  const starts = listStarts(interval, Math.floor(fromMicros / 1_000), toMicros / 1_000, calendar, POINTS_MAX);
  if (starts) return starts.map((ms) => ms / 1_000);
  throw invalid(`The chart would have more than ${POINTS_MAX} points; choose a longer interval.`, 'interval');
}

/**
 * The range to compare with: the one as long just before, or the same one so long ago (`-1w`). In whole days by the wall
 * clock for intervals longer than an hour, so that a change of clocks does not tear a day apart.
 */
export function readPreviousRange(
  { fromMicros, toMicros }: DateRange,
  interval: Interval,
  { timezone }: Calendar,
  compareTo?: string | null,
): DateRange {
  const [from, to] = [fromMicros / 1_000, toMicros / 1_000];
  if (compareTo) {
    const earlier = (ms: number) => {
      const moment = readMoment(compareTo, ms, timezone);
      if (!moment?.relative) {
        throw invalid(`"${compareTo}" is no length of time; write one as -1w or -30d.`, 'compareFilter__compare_to');
      }
      return moment.micros;
    };
    return { fromMicros: earlier(from), toMicros: earlier(to) };
  }
  if (isShort(interval)) return { fromMicros: 2 * fromMicros - toMicros, toMicros: fromMicros };
  const asUtc = (ms: number) => ms + offsetAt(timezone, ms);
  const days = Math.ceil((asUtc(to) - asUtc(from)) / 86_400_000);
  const wall = wallTimeAt(timezone, from);
  return { fromMicros: momentOf(timezone, { ...wall, day: wall.day - days }) * 1_000, toMicros: fromMicros };
}
