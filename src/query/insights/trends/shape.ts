// What the statement answered → the items of the answer, exactly as the wire has them.
import { toDay, toIso, toLabel } from '../../dates/text.ts';
import { BREAKDOWN_NULL, BREAKDOWN_OTHER } from '../../nodes.ts';
import { bucketKeys } from '../../sql/buckets.ts';
import type { Period } from '../periods.ts';
import { type Dimension, fromShownLabel, toShownLabel } from './breakdown.ts';
import { evaluate } from './formula.ts';
import { sampleScale } from './math.ts';
import { shownPoints, type TrendsPlan } from './plan.ts';
import type { BranchRow } from './sql.ts';

/** One line of the chart before it is dressed for the wire. */
export interface Line {
  /** Undefined: a formula over several. */
  readonly series: number | undefined;
  readonly period: number;
  /** Empty without a breakdown. */
  readonly labels: readonly string[];
  /** One for each point, or one for the whole period. */
  readonly data: readonly number[];
  readonly name: string;
}

/** The lines of all series, zeros where nothing happened. A series without events is a line of zeros, unless it is broken down. */
export function toLines(plan: TrendsPlan, rows: readonly BranchRow[]): Line[] {
  return plan.periods.flatMap((period, at) =>
    plan.query.series.flatMap((node, series) => {
      const scale = sampleScale(node, plan.query.samplingFactor);
      const own = rows.filter((row) => row.series === series && row.period === at);
      const lines = own.map((row) => ({
        series,
        period: at,
        labels: plan.breakdown ? row.labels.map(toShownLabel) : [],
        data: spread(plan, period, row, scale),
        name: plan.labels[series] ?? '',
      }));
      return [...lines, ...missingLines(plan, period, series, at, lines)];
    }),
  );
}

/** Lines that are shown although nothing belongs to them. */
function missingLines(plan: TrendsPlan, period: Period, series: number, at: number, lines: readonly Line[]): Line[] {
  const made = (labels: readonly string[]): Line => ({
    series,
    period: at,
    labels,
    data: spread(plan, period, { buckets: [], data: [] }, 1),
    name: plan.labels[series] ?? '',
  });
  if (!plan.breakdown) return lines.length === 0 ? [made([])] : [];
  const [only, ...others] = plan.breakdown.dimensions;
  if (only?.kind !== 'cohorts' || others.length > 0) return [];
  const shown = new Set(lines.map(({ labels }) => labels[0]));
  return only.cohorts.flatMap(({ id }) => (shown.has(String(id)) ? [] : [made([String(id)])]));
}

/** The values in their places on the chart. */
function spread(
  plan: TrendsPlan,
  period: Period,
  { buckets, data }: Pick<BranchRow, 'buckets' | 'data'>,
  scale: number,
): number[] {
  const values = new Map(buckets.map((bucket, at) => [bucket, (data[at] ?? 0) * scale]));
  return bucketKeys(shownPoints(plan, period)).map((key) => values.get(key) ?? 0);
}

/** One line for each formula and each value that any of its series is broken down by. */
export function applyFormulas(plan: TrendsPlan, lines: readonly Line[]): Line[] {
  if (plan.formulas.length === 0) return [...lines];
  return plan.periods.flatMap((period, at) => {
    const ofPeriod = lines.filter((line) => line.period === at);
    const keys = new Map(ofPeriod.map(({ labels }) => [JSON.stringify(labels), labels]));
    return plan.formulas.flatMap(({ formula, label }) =>
      [...keys].map(([key, labels]) => {
        const own = ofPeriod.filter((line) => JSON.stringify(line.labels) === key);
        const bySeries = new Map(own.map((line) => [line.series, line.data]));
        const length = plan.isTotal ? 1 : period.points.length;
        const data = Array.from({ length }, (_, point) =>
          evaluate(formula, (series) => bySeries.get(series)?.[point] ?? 0),
        );
        return { series: undefined, period: at, labels, data, name: label };
      }),
    );
  });
}

/** Averages over the last points, then sums up to each point, when asked for. */
export function polish(plan: TrendsPlan, line: Line): Line {
  if (plan.isTotal) return line;
  const smooth = plan.smoothing > 1 ? smoothed(line.data, plan.smoothing) : line.data;
  return { ...line, data: plan.isCumulative ? cumulated(smooth) : smooth };
}

/** At the beginning there are fewer points to average over. */
export function smoothed(data: readonly number[], points: number): number[] {
  return data.map((_, at) => {
    const last = data.slice(Math.max(at + 1 - points, 0), at + 1);
    return last.reduce((sum, value) => sum + value, 0) / last.length;
  });
}

export function cumulated(data: readonly number[]): number[] {
  let sum = 0;
  return data.map((value) => {
    sum += value;
    return sum;
  });
}

/** Current lines, then previous ones; in each, series and formulas in order; in those the largest first, none and others last. */
export function inOrder(lines: readonly Line[]): Line[] {
  const groups = Map.groupBy(lines, ({ period, series, name }) => JSON.stringify([period, series ?? name]));
  return [...groups.values()].flatMap((group) => group.toSorted(byRank));
}

const byRank = (one: Line, other: Line): number => kindOf(one.labels) - kindOf(other.labels) || byTotal(one, other);

/** The largest first, as the statement ranks them. */
export const byTotal = (one: Line, other: Line): number =>
  totalOf(other.data) - totalOf(one.data) || compareLabels(one.labels, other.labels);

const kindOf = (labels: readonly string[]) =>
  labels.includes(BREAKDOWN_OTHER) ? 2 : labels.includes(BREAKDOWN_NULL) ? 1 : 0;

export const totalOf = (data: readonly number[]) => data.reduce((sum, value) => sum + value, 0);

/** As the statement has them, where no value comes first. */
function compareLabels(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((label, index) => label !== other[index]);
  if (at === -1) return 0;
  return fromShownLabel(one[at]!) < fromShownLabel(other[at] ?? '') ? -1 : 1;
}

export function toItem(plan: TrendsPlan, line: Line): Record<string, unknown> {
  const { interval, around, isTotal, isCumulative } = plan;
  const { points } = plan.periods[line.period]!;
  const { name, series, data } = line;
  const isFormula = series === undefined;
  const days = points.map((point) => toDay(point, interval, around.timezone));
  const values = isTotal
    ? { data: isFormula ? null : [], days, count: 0, aggregated_value: data[0] ?? 0 }
    : {
        data,
        labels: points.map((point) => toLabel(point, interval, around.timezone)),
        days,
        count: isCumulative ? (data.at(-1) ?? 0) : totalOf(data),
      };
  return {
    action: isFormula ? null : toAction(plan, series, line.period),
    label: name,
    ...values,
    ...(plan.breakdown && toBreakdown(plan, line)),
    ...(plan.periods.length > 1 && { compare: true, compare_label: plan.periods[line.period]!.name }),
    filter: toFilter(plan, line.period),
  };
}

function toAction({ query, labels, around, periods }: TrendsPlan, at: number, period: number) {
  const { custom_name, math, math_property, math_hogql, math_group_type_index } = query.series[at]!;
  return {
    days: periods[period]!.points.map((point) => toIso(point * 1_000_000, around.timezone)),
    id: labels[at],
    type: 'events',
    order: at,
    name: labels[at],
    custom_name: custom_name ?? null,
    math: math ?? 'total',
    math_property: math_property ?? null,
    math_hogql: math_hogql ?? null,
    math_group_type_index: math_group_type_index ?? null,
    properties: {},
  };
}

function toFilter({ interval, around, periods }: TrendsPlan, at: number) {
  const { fromMicros, toMicros } = periods[at]!.range;
  return {
    insight: 'TRENDS',
    interval,
    entity_type: 'events',
    date_from: toIso(fromMicros, around.timezone),
    date_to: toIso(toMicros - 1, around.timezone),
  };
}

/** The value, and the label that shows it; a formula keeps its own label. */
function toBreakdown({ breakdown, query }: TrendsPlan, { labels, series, name }: Line) {
  const shown = labels.map((label, at) => shownLabel(breakdown!.dimensions[at], label));
  const values = labels.map((label, at) => shownValue(breakdown!.dimensions[at], label));
  const text = shown.join('::');
  const label = series === undefined ? name : query.series.length > 1 ? `${name} - ${text}` : text;
  return { label, breakdown_value: breakdown!.isMultiple ? values.map(String) : values[0] };
}

function shownLabel(dimension: Dimension | undefined, label: string): string {
  if (dimension?.kind !== 'cohorts') return String(shownValue(dimension, label));
  return dimension.cohorts.find(({ id }) => String(id) === label)?.name ?? label;
}

/** Cohorts are known by number; bins show that their bounds are no whole numbers. */
function shownValue(dimension: Dimension | undefined, label: string): string | number {
  if (label === BREAKDOWN_NULL || label === BREAKDOWN_OTHER || !dimension) return label;
  if (dimension.kind === 'cohorts') return label === 'all' ? label : Number(label);
  return dimension.binCount === undefined ? label : toBin(label);
}

function toBin(label: string): string {
  const bounds = JSON.parse(label) as number[];
  return `[${bounds.map((bound) => (Number.isInteger(bound) ? bound.toFixed(1) : String(bound))).join(',')}]`;
}
