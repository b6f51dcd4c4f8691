// One series in one period → SQL over its events: a row for each value that it is broken down by and each point.
import type { BoundValues } from '../../../filters/bound-values.ts';
import type { DateRange } from '../../dates/range.ts';
import type { QueryContext } from '../../kind.ts';
import { BREAKDOWN_OTHER } from '../../nodes.ts';
import { bucketKeys, bucketSql } from '../../sql/buckets.ts';
import type { EventsSql } from '../../sql/events-sql.ts';
import type { Period } from '../periods.ts';
import { andSql, entitySql, filtersSql } from '../series.ts';
import { type BreakdownValue, binsSql, cohortsSql, fromShownLabel, valueSql } from './breakdown.ts';
import { type Computation, planMath, type Statistic } from './math.ts';
import { shownPoints, type TrendsPlan } from './plan.ts';
import { planWindows } from './windows.ts';

/** One series in one period. */
export interface Branch {
  readonly series: number;
  readonly period: number;
}

/** Values that a trend is broken down by; each is as many texts as there are dimensions. */
export type Labels = readonly (readonly string[])[];

/** The first moment that the event store can hold: for questions about everything that ever happened. */
const EVER_MICROS = Date.UTC(1900, 0, 1) * 1_000;

/** One branch of the statement while it is printed. */
export class BranchSql {
  readonly events: EventsSql;
  readonly period: Period;
  readonly computation: Computation;
  readonly #context: QueryContext;
  readonly #plan: TrendsPlan;
  readonly #branch: Branch;
  /** Arrays that each event is repeated for, by the name of their members. */
  readonly #cohorts = new Map<string, string>();

  constructor(context: QueryContext, plan: TrendsPlan, branch: Branch, bound: BoundValues) {
    this.#context = context;
    this.#plan = plan;
    this.#branch = branch;
    this.events = context.events(bound);
    this.period = plan.periods[branch.period]!;
    this.computation = planMath(this.events, this.series, {
      ...plan.query,
      isCumulative: plan.isCumulative,
    });
  }

  get series() {
    return this.#plan.query.series[this.#branch.series]!;
  }

  get #bound(): BoundValues {
    return this.events.bound;
  }

  /** The label of all values that are not shown, in the form that labels have here. */
  otherSql(): string {
    const count = this.#plan.breakdown?.dimensions.length ?? 1;
    const other = this.#bound.text(BREAKDOWN_OTHER);
    return count > 1 ? `[${Array(count).fill(other).join(', ')}]` : other;
  }

  /** `label, bucket, value`: a row for each value of the breakdown and each point that has events. */
  rowsSql(except?: Labels): string {
    const { recipe } = this.computation;
    switch (recipe.kind) {
      case 'statistic':
        return this.#statisticSql(recipe.statistic, recipe.column, except);
      case 'firstSeen':
        return over(
          'count()',
          this.#selectSql(`${recipe.key} AS key, min(${this.#bucket}) AS bucket`, 'label, key', except),
        );
      case 'written':
        return this.#selectSql(
          `${this.#bucket} AS bucket, ${toNumber(recipe.value)} AS value`,
          'label, bucket',
          except,
        );
      case 'perActor':
        return this.#keyedSql(recipe.key, 'count()', recipe.statistic, except);
      case 'perSession':
        return this.#keyedSql(recipe.key, `any(${recipe.number})`, recipe.statistic, except);
      case 'firstTime':
        return this.#firstTimeSql(recipe, except);
      case 'active':
        return this.#activeSql(recipe, except);
    }
  }

  /** The events of the branch, grouped by the given keys. With `except`, those of all other values under one label. */
  #selectSql(columns: string, keys: string, except: Labels | undefined): string {
    const value = this.valueSql();
    const condition = except ? `NOT ${this.amongSql(value, except)}` : 'true';
    return `
      SELECT ${except ? this.otherSql() : value} AS label, ${columns}
        FROM ${this.fromSql(andSql([this.conditionSql(), condition]))}
       GROUP BY ${keys}`;
  }

  #statisticSql(statistic: Statistic, column: string, except: Labels | undefined): string {
    if (!this.#plan.breakdown) {
      return this.#selectSql(
        `${this.#bucket} AS bucket, ${toNumber(statistic.of(column))} AS value`,
        'label, bucket',
        except,
      );
    }
    const parts = this.partsSql(statistic, column);
    const condition = except ? `NOT ${this.amongSql('part_label', except)}` : 'true';
    return `
      SELECT ${except ? this.otherSql() : 'part_label'} AS label, bucket, ${toNumber(statistic.merge('part'))} AS value
        FROM (${parts})
       WHERE ${condition}
       GROUP BY label, bucket`;
  }

  /**
   * `part_label, bucket, part`: with a breakdown, events are first grouped by what their rows have, and only then by what
   * that is shown as. Unwrapping a JSON text for each event would take longer than all the rest.
   */
  partsSql(statistic: Statistic, column: string): string {
    const values = this.#values();
    const raws = values.map(({ raw }, at) => `${raw} AS raw_${at}`);
    const shown = values.map((value, at) => value.shown(`raw_${at}`));
    return `
      SELECT ${together(shown)} AS part_label, bucket, ${statistic.join('raw_part')} AS part
        FROM (
          SELECT ${raws.join(', ')}, ${this.#bucket} AS bucket, ${statistic.partOf(column)} AS raw_part
            FROM ${this.fromSql(this.conditionSql())}
           GROUP BY ${raws.map((_, at) => `raw_${at}`).join(', ')}, bucket)
       GROUP BY part_label, bucket`;
  }

  /** A statistic over one number for each key. */
  #keyedSql(key: string, number: string, statistic: Statistic, except: Labels | undefined): string {
    const columns = `${this.#bucket} AS bucket, ${key} AS key, ${number} AS number`;
    return over(statistic.of('number'), this.#selectSql(columns, 'label, bucket, key', except));
  }

  /** Each actor is counted in every window that one of its events is in. */
  #activeSql(recipe: { key: string; days: number }, except: Labels | undefined): string {
    const { cuts, firstOpen, openCount } = planWindows(this.#plan, this.period, recipe.days);
    const moment = bucketSql(`${this.events.alias}.timestamp`, cuts, this.#bound);
    const lists = [bucketKeys(cuts), firstOpen, openCount, bucketKeys(shownPoints(this.#plan, this.period))];
    const [at, first, count, points] = lists.map((list) => this.#bound.bind('Array(Int64)', list));
    return `
      SELECT label, arrayJoin(arraySlice(${points}, transform(cut, ${at}, ${first}, 1), transform(cut, ${at}, ${count}, 0))) AS bucket,
             ${toNumber('uniqExact(key)')} AS value
        FROM (${this.#selectSql(`${recipe.key} AS key, ${moment} AS cut`, 'label, key, cut', except)})
       GROUP BY label, bucket`;
  }

  #firstTimeSql(recipe: { key: string; matching: boolean }, except: Labels | undefined): string {
    const condition = except ? `NOT ${this.amongSql('first_label', except)}` : 'true';
    return `
      SELECT ${except ? this.otherSql() : 'first_label'} AS label, ${this.bucketSql('first_at')} AS bucket,
             toFloat64(count()) AS value
        FROM (${this.firstSql(recipe)})
       WHERE ${condition}
       GROUP BY label, bucket`;
  }

  /**
   * `key, first_at, first_label`: the actors whose first event lies in the period. All events up to its end are looked at,
   * since the first one may have been long ago.
   */
  firstSql({ key, matching }: { key: string; matching: boolean }): string {
    const { events, series, period } = this;
    const { alias } = events;
    const filters = filtersSql(events, series, this.#plan.query);
    const range = { fromMicros: EVER_MICROS, toMicros: period.range.toMicros };
    const conditions = [events.within(range), entitySql(events, series), this.computation.condition];
    if (matching) conditions.push(filters);
    // Of events at the same moment the place in the log says which came first.
    const order = `(${alias}.timestamp, ${alias}.log_partition, ${alias}.log_position)`;
    const isChecked = !matching && filters !== 'true';
    const value = this.valueSql();
    const argMin = isChecked ? `argMinIf(${value}, ${order}, ${filters})` : `argMin(${value}, ${order})`;
    const label = this.#plan.breakdown ? argMin : value;
    const having = [`first_at >= ${this.#bound.moment(period.range.fromMicros)}`];
    if (isChecked) having.push(`countIf(${filters}) > 0`, `minIf(${alias}.timestamp, ${filters}) = first_at`);
    return `
      SELECT ${key} AS key, min(${alias}.timestamp) AS first_at, ${label} AS first_label
        FROM ${this.fromSql(andSql(conditions))}
       GROUP BY ${['key', ...this.#cohorts.keys()].join(', ')}
      HAVING ${having.join(' AND ')}`;
  }

  /** Printed last, when everything has asked for what it needs. */
  fromSql(condition: string): string {
    const arrays = [...this.#cohorts].map(([name, array]) => `\nARRAY JOIN ${array} AS ${name}`);
    return `${this.events.from(this.#plan.query.samplingFactor)}${arrays.join('')}
       WHERE ${condition}`;
  }

  /** Bool: the events of the series in the given time, or else in the period and before it, as far as they count. */
  conditionSql(range: DateRange = this.#range): string {
    const { events, series, computation } = this;
    return andSql([
      events.within(range),
      entitySql(events, series),
      filtersSql(events, series, this.#plan.query),
      computation.condition,
    ]);
  }

  get #range(): DateRange {
    const { range } = this.period;
    const { recipe } = this.computation;
    if (recipe.kind !== 'active') return range;
    return { fromMicros: planWindows(this.#plan, this.period, recipe.days).from * 1_000_000, toMicros: range.toMicros };
  }

  get #bucket(): string {
    return this.bucketSql(`${this.events.alias}.timestamp`);
  }

  /** Where the time belongs on the chart: one of the `bucketKeys` of its points. */
  bucketSql(time: string): string {
    return bucketSql(time, shownPoints(this.#plan, this.period), this.#bound);
  }

  /** String, or Array(String) when there are several dimensions: the values of one event. */
  valueSql(): string {
    return together(this.#values().map(({ raw, shown }) => shown(raw)));
  }

  #values(): BreakdownValue[] {
    return (this.#plan.breakdown?.dimensions ?? []).map((dimension, at) => {
      if (dimension.kind === 'cohorts') {
        this.#cohorts.set(`cohort_${at}`, cohortsSql(this.events, dimension.cohorts));
        return { raw: `cohort_${at}`, shown: (raw) => raw };
      }
      const { binCount } = dimension;
      const bins = binCount === undefined ? undefined : this.#binsSql((events) => binsSql(events, dimension, binCount));
      return valueSql(this.events, dimension, bins);
    });
  }

  /** A subquery with one value: the bounds of bins over the same events. */
  #binsSql(print: (events: EventsSql) => string): string {
    const other = new BranchSql(this.#context, this.#plan, this.#branch, this.#bound);
    const bins = print(other.events);
    return `(SELECT ${bins} FROM ${other.fromSql(other.conditionSql())})`;
  }

  amongSql(value: string, labels: Labels): string {
    const isSingle = (this.#plan.breakdown?.dimensions.length ?? 1) === 1;
    const kept = labels.map((each) => each.map(fromShownLabel));
    const list = isSingle ? this.#bound.texts(kept.flat()) : this.#bound.bind('Array(Array(String))', kept);
    return `has(${list}, ${value})`;
  }
}

/** Where nothing could be computed, there is nothing: 0. */
export const toNumber = (value: string): string => `ifNull(toFloat64(${value}), 0)`;

const over = (statistic: string, rows: string): string => `
  SELECT label, bucket, ${toNumber(statistic)} AS value
    FROM (${rows})
   GROUP BY label, bucket`;

/** One value stands for itself, several stand in an array. */
const together = (values: readonly string[]): string =>
  values.length > 1 ? `[${values.join(', ')}]` : (values[0] ?? `''`);
