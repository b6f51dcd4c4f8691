// What a trend is, said a second time: plainly, slowly, from the raw events.
import { evaluate, parseFormula } from '../../../src/query/insights/trends/formula.ts';
import {
  addDays,
  dateAt,
  dayRange,
  daysBetween,
  hourRange,
  nextInterval,
  type ReferenceInterval,
  type ReferenceRange,
  startOfInterval,
} from './calendar.ts';
import type { Dataset, RawEvent } from './dataset.ts';
import { numberOf, type PropertyPlace, passes, propertyOf, statistics, sum, textOf } from './values.ts';

export interface ReferenceSeries {
  kind: 'EventsNode';
  event: string | null;
  math?: string;
  math_property?: string;
  math_group_type_index?: number;
  properties?: unknown[];
}

/** The part of a TrendsQuery that the reference understands. */
export interface ReferenceTrendsQuery {
  kind: 'TrendsQuery';
  series: ReferenceSeries[];
  interval: ReferenceInterval;
  /** `-7d` and the like with a date or nothing as its end; for hours `-24h`. */
  dateRange: { date_from: string; date_to?: string };
  properties?: unknown[];
  aggregation_group_type_index?: number;
  trendsFilter?: { display?: string; formula?: string; smoothingIntervals?: number };
  breakdownFilter?: {
    breakdowns: { property: string; type: PropertyPlace; normalize_url?: boolean }[];
    breakdown_limit?: number;
    breakdown_hide_other_aggregation?: boolean;
  };
  compareFilter?: { compare: boolean; compare_to?: string };
}

/** What is compared of an item of the answer. */
export interface ReferenceItem {
  label: string;
  breakdown_value?: string[];
  compare_label?: string;
  days: string[];
  data: number[] | null;
  count: number;
  aggregated_value?: number;
}

const NONE = '$$_posthog_breakdown_null_$$';
const OTHER = '$$_posthog_breakdown_other_$$';
const TOTALS = ['BoldNumber', 'ActionsPie', 'ActionsTable', 'ActionsBarValue', 'WorldMap'];

interface Line {
  name: string;
  labels: string[];
  data: number[];
}

export function referenceTrends(dataset: Dataset, query: ReferenceTrendsQuery): ReferenceItem[] {
  const ranges = rangesOf(dataset, query);
  const isTotal = TOTALS.includes(query.trendsFilter?.display ?? '');
  return ranges.flatMap((range, period) => {
    const linesWith = (choose: (ranked: Line[]) => Line[]) =>
      query.series.map((series) => linesOf(dataset, query, series, range, isTotal, choose));
    const limit = query.breakdownFilter?.breakdown_limit ?? 25;
    const groups = query.trendsFilter?.formula
      ? [
          formulaLines(
            query,
            linesWith(
              largestOf(
                formulaLines(
                  query,
                  linesWith((ranked) => ranked),
                ),
                limit,
              ),
            ),
          ),
        ]
      : linesWith((ranked) => ranked.slice(0, limit));
    return groups.flatMap((group) =>
      group.toSorted(shownOrder).map((line) => {
        const shown = toItem(query, line, range, isTotal);
        return ranges.length > 1 ? { ...shown, compare_label: period === 0 ? 'current' : 'previous' } : shown;
      }),
    );
  });
}

// Time

function rangesOf(dataset: Dataset, { interval, dateRange, compareFilter }: ReferenceTrendsQuery): ReferenceRange[] {
  const { timezone, weekStartDay, now } = dataset;
  if (interval === 'hour') return [hourRange(dataset, Number(dateRange.date_from.slice(1, -1)))];
  const today = dateAt(now, timezone);
  const asked = dateRange.date_from.startsWith('-')
    ? addDays(today, Number.parseInt(dateRange.date_from, 10))
    : dateRange.date_from;
  const from = startOfInterval(asked, interval, weekStartDay);
  const to = dateRange.date_to ?? today;
  const current = dayRange(dataset, interval, from, to);
  if (!compareFilter?.compare) return [current];
  const back = compareFilter.compare_to ? 7 : daysBetween(from, to) + 1;
  return [current, dayRange(dataset, interval, addDays(from, -back), addDays(to, -back))];
}

const msOf = (event: RawEvent) => Math.floor(event.micros / 1_000);

// Lines

/** One for each value of the breakdown that is shown, and one for the others. */
function linesOf(
  dataset: Dataset,
  query: ReferenceTrendsQuery,
  series: ReferenceSeries,
  range: ReferenceRange,
  isTotal: boolean,
  choose: (ranked: Line[]) => Line[],
): Line[] {
  const events = eventsOf(dataset, query, series, range);
  const name = series.event ?? 'All events';
  const compute = (counted: RawEvent[]) => dataOf(dataset, query, series, range, isTotal, counted);
  if (!query.breakdownFilter) return [{ name, labels: [], data: compute(events) }];
  const { breakdown_hide_other_aggregation, breakdowns } = query.breakdownFilter;
  const byLabel = Map.groupBy(events, (event) => JSON.stringify(labelsOf(dataset, query, event)));
  // A value may have events before the range only, which count for those who were active in the last days.
  const ranked = [...byLabel]
    .filter(([, own]) => isThere(dataset, query, series, range, isTotal, own))
    .map(([key, own]) => ({ name, labels: JSON.parse(key) as string[], data: compute(own) }))
    .toSorted(rankOrder);
  const shown = choose(ranked);
  if (ranked.length === shown.length || breakdown_hide_other_aggregation) return shown;
  const keys = new Set(shown.map(({ labels }) => JSON.stringify(labels)));
  const rest = events.filter((event) => !keys.has(JSON.stringify(labelsOf(dataset, query, event))));
  return [...shown, { name, labels: breakdowns.map(() => OTHER), data: compute(rest) }];
}

/** Those of the same values as the largest of the given lines. */
function largestOf(lines: Line[], limit: number): (ranked: Line[]) => Line[] {
  const largest = lines.toSorted(rankOrder).slice(0, limit);
  const keys = new Set(largest.map(({ labels }) => JSON.stringify(labels)));
  return (ranked) => ranked.filter(({ labels }) => keys.has(JSON.stringify(labels)));
}

/** Whether the events make any point at all. */
function isThere(
  dataset: Dataset,
  query: ReferenceTrendsQuery,
  series: ReferenceSeries,
  range: ReferenceRange,
  isTotal: boolean,
  events: RawEvent[],
): boolean {
  const days = activeDays(series);
  const windows = isTotal ? [range.days.length - 1] : range.days.map((_, point) => point);
  return windows.some((point) => eventsAt(dataset, query, range, isTotal, events, point, days).length > 0);
}

function labelsOf(dataset: Dataset, { breakdownFilter }: ReferenceTrendsQuery, event: RawEvent): string[] {
  return breakdownFilter!.breakdowns.map(({ property, type, normalize_url }) => {
    const text = textOf(propertyOf(dataset, event, type, property));
    if (text === '') return NONE;
    return normalize_url ? text.replace(/[/?#]+$/, '') || '/' : text;
  });
}

const kindOf = (labels: string[]) => (labels.includes(OTHER) ? 2 : labels.includes(NONE) ? 1 : 0);

/** Of equals, the one without a value comes first. */
function labelOrder(one: string[], other: string[]): number {
  const [own, theirs] = [one, other].map((labels) => labels.map((label) => (label === NONE ? '' : label)));
  const at = own!.findIndex((label, index) => label !== theirs![index]);
  return at === -1 ? 0 : own![at]! < theirs![at]! ? -1 : 1;
}

const rankOrder = (one: Line, other: Line): number =>
  sum(other.data) - sum(one.data) || labelOrder(one.labels, other.labels);

const shownOrder = (one: Line, other: Line): number =>
  kindOf(one.labels) - kindOf(other.labels) || rankOrder(one, other);

// Values

const activeDays = ({ math }: ReferenceSeries) => (math === 'weekly_active' ? 7 : math === 'monthly_active' ? 30 : 0);

/** The events that count: those of the series, and of them only each actor's first one if that is asked for. */
function eventsOf(
  dataset: Dataset,
  query: ReferenceTrendsQuery,
  series: ReferenceSeries,
  range: ReferenceRange,
): RawEvent[] {
  const named = dataset.events.filter(({ event }) => series.event === null || event === series.event);
  const matches = (event: RawEvent) =>
    passes(dataset, event, series.properties) && passes(dataset, event, query.properties);
  const { math } = series;
  if (math === 'first_time_for_user' || math === 'first_matching_event_for_user') {
    const considered = math === 'first_time_for_user' ? named : named.filter(matches);
    const byActor = Map.groupBy(
      considered.filter((event) => actorOf(query, event) !== ''),
      (event) => actorOf(query, event),
    );
    return [...byActor.values()].flatMap((own) => {
      const first = Math.min(...own.map(({ micros }) => micros));
      const candidates = own.filter((event) => event.micros === first && matches(event));
      const [earliest] = candidates.toSorted((one, other) => one.log_position - other.log_position);
      return earliest && range.pointOf(msOf(earliest)) !== undefined ? [earliest] : [];
    });
  }
  return named.filter(
    (event) =>
      matches(event) &&
      isCounted(query, series, event) &&
      (activeDays(series) > 0 || range.pointOf(msOf(event)) !== undefined),
  );
}

/** Some ways of counting know nothing of events without a group or a session. */
function isCounted(
  query: ReferenceTrendsQuery,
  { math, math_group_type_index }: ReferenceSeries,
  event: RawEvent,
): boolean {
  if (math === 'unique_session') return textOf(event.properties.$session_id) !== '';
  if (math === 'unique_group') return textOf(event.properties[`$group_${math_group_type_index}`]) !== '';
  const countsActors = math === 'dau' || math?.endsWith('_active') || math?.endsWith('_per_actor');
  return !countsActors || actorOf(query, event) !== '';
}

function actorOf({ aggregation_group_type_index: index }: ReferenceTrendsQuery, event: RawEvent): string {
  return index === undefined ? event.person.uuid : textOf(event.properties[`$group_${index}`]);
}

function dataOf(
  dataset: Dataset,
  query: ReferenceTrendsQuery,
  series: ReferenceSeries,
  range: ReferenceRange,
  isTotal: boolean,
  events: RawEvent[],
): number[] {
  const points = isTotal ? [range.days.length - 1] : range.days.map((_, point) => point);
  const isCumulative = query.trendsFilter?.display === 'ActionsLineGraphCumulative';
  const seen = new Set<string>();
  return points.map((point) => {
    const here = eventsAt(dataset, query, range, isTotal, events, point, activeDays(series));
    const key = distinctKey(query, series);
    if (!key) return compute(dataset, query, series, here);
    const fresh = new Set(here.map(key).filter((each) => !seen.has(each)));
    // Whoever was counted once is not counted again where counts are added up.
    if (isCumulative && activeDays(series) === 0) for (const each of fresh) seen.add(each);
    return fresh.size;
  });
}

/** The events of one point, or those of the days up to its end. */
function eventsAt(
  dataset: Dataset,
  query: ReferenceTrendsQuery,
  range: ReferenceRange,
  isTotal: boolean,
  events: RawEvent[],
  point: number,
  days: number,
): RawEvent[] {
  if (days === 0) return isTotal ? events : events.filter((event) => range.pointOf(msOf(event)) === point);
  const end = isTotal ? addDays(range.to, 1) : nextInterval(range.days[point]!, query.interval);
  return events.filter((event) => {
    const date = dateAt(msOf(event), dataset.timezone);
    return date >= addDays(end, -days) && date < end && date <= range.to;
  });
}

function distinctKey(
  query: ReferenceTrendsQuery,
  { math, math_group_type_index }: ReferenceSeries,
): ((event: RawEvent) => string) | undefined {
  if (math === 'dau' || math?.endsWith('_active')) return (event) => actorOf(query, event);
  if (math === 'unique_session') return (event) => textOf(event.properties.$session_id);
  if (math === 'unique_group') return (event) => textOf(event.properties[`$group_${math_group_type_index}`]);
  return undefined;
}

function compute(
  dataset: Dataset,
  query: ReferenceTrendsQuery,
  { math = 'total', math_property }: ReferenceSeries,
  events: RawEvent[],
): number {
  if (math === 'total' || math.startsWith('first_')) return events.length;
  if (math.endsWith('_count_per_actor')) {
    const counts = [...Map.groupBy(events, (event) => actorOf(query, event)).values()].map(({ length }) => length);
    return counts.length === 0 ? 0 : statistics[math.replace('_count_per_actor', '')]!(counts);
  }
  const numbers = events.flatMap((event) => numberOf(propertyOf(dataset, event, 'event', math_property!)) ?? []);
  return numbers.length === 0 ? 0 : statistics[math]!(numbers);
}

// What is made of the lines

function formulaLines(query: ReferenceTrendsQuery, bySeries: Line[][]): Line[] {
  const formula = parseFormula(query.trendsFilter!.formula!, query.series.length);
  const keys = new Set(bySeries.flat().map(({ labels }) => JSON.stringify(labels)));
  return [...keys].map((key) => {
    const found = bySeries.map((lines) => lines.find(({ labels }) => JSON.stringify(labels) === key));
    const { length } = found.find((line) => line)!.data;
    const data = Array.from({ length }, (_, at) => evaluate(formula, (series) => found[series]?.data[at] ?? 0));
    return { name: `Formula (${query.trendsFilter!.formula})`, labels: JSON.parse(key) as string[], data };
  });
}

function toItem(
  query: ReferenceTrendsQuery,
  { name, labels, data }: Line,
  { days }: ReferenceRange,
  isTotal: boolean,
): ReferenceItem {
  const isFormula = query.trendsFilter?.formula !== undefined;
  const value = labels.join('::');
  const label = !query.breakdownFilter || isFormula ? name : query.series.length > 1 ? `${name} - ${value}` : value;
  const breakdown = query.breakdownFilter && { breakdown_value: labels };
  if (isTotal) return { label, ...breakdown, days, data: isFormula ? null : [], count: 0, aggregated_value: data[0]! };
  const points = query.trendsFilter?.smoothingIntervals ?? 1;
  const smooth = data.map((_, at) => {
    const last = data.slice(Math.max(0, at + 1 - points), at + 1);
    return sum(last) / last.length;
  });
  const isCumulative = query.trendsFilter?.display === 'ActionsLineGraphCumulative';
  const shown = isCumulative ? smooth.map((_, at) => sum(smooth.slice(0, at + 1))) : smooth;
  return { label, ...breakdown, days, data: shown, count: isCumulative ? (shown.at(-1) ?? 0) : sum(shown) };
}
