// A plan → the statement that computes it. Every series of every period is a branch of one statement.
import type { Statement } from '../../../filters/ask.ts';
import { BoundValues } from '../../../filters/bound-values.ts';
import type { DateRange } from '../../dates/range.ts';
import type { QueryContext } from '../../kind.ts';
import { BREAKDOWN_OTHER } from '../../nodes.ts';
import { bucketSql } from '../../sql/buckets.ts';
import type { EventsSql } from '../../sql/events-sql.ts';
import type { Period } from '../periods.ts';
import { andSql, entitySql, filtersSql } from '../series.ts';
import { type BreakdownValue, binsSql, cohortsSql, fromShownLabel, valueSql } from './breakdown.ts';
import { type Computation, distinct, planMath, type Statistic } from './math.ts';
import type { TrendsPlan } from './plan.ts';
import { planWindows } from './windows.ts';

/** One series in one period. */
export interface Branch {
  readonly series: number;
  readonly period: number;
}

/** What a branch answers, for each value that it is broken down by. */
export interface BranchRow extends Branch {
  /** One for each thing that the trend is broken down by; without a breakdown, one empty text. */
  readonly labels: readonly string[];
  /** Seconds at which points begin, those without a value left out, and the values there. */
  readonly buckets: readonly number[];
  readonly data: readonly (number | null)[];
  /** How many values the branch has in all, whether they are answered or not. */
  readonly labels_count: number;
}

/** Which values are answered. */
export type Choice =
  /** The largest ones. When the branch is additive and `withOther`, the sum of the others comes with them. */
  | { readonly kind: 'largest'; readonly limit: number; readonly withOther: boolean }
  /** All but these, counted together. */
  | { readonly kind: 'other'; readonly than: readonly (readonly string[])[] };

export function trendsSql(
  context: QueryContext,
  plan: TrendsPlan,
  branches: readonly (Branch & { choice: Choice })[],
): Statement {
  const bound = new BoundValues();
  const texts = branches.map(
    (branch) => `SELECT * FROM (${new BranchSql(context, plan, branch, bound).print(branch.choice)})`,
  );
  return { text: texts.join('\nUNION ALL\n'), params: bound.params };
}

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
    this.computation = planMath(this.events, this.series, plan.query.aggregation_group_type_index);
  }

  get series() {
    return this.#plan.query.series[this.#branch.series]!;
  }

  get #bound(): BoundValues {
    return this.events.bound;
  }

  /** `series, period, labels, buckets, data, labels_count`. */
  print(choice: Choice): string {
    const { series, period } = this.#branch;
    const labels = (this.#plan.breakdown?.dimensions.length ?? 1) > 1 ? 'label' : '[label]';
    return `
      SELECT toUInt16(${series}) AS series, toUInt8(${period}) AS period, ${labels} AS labels, buckets, data, labels_count
        FROM (${this.#chosenSql(choice)})`;
  }

  /** `label, buckets, data, labels_count`. */
  #chosenSql(choice: Choice): string {
    const rows = this.rowsSql(choice.kind === 'other' ? choice.than : undefined);
    const ranked = `
      SELECT label, groupArray(bucket) AS buckets, groupArray(value) AS data, sum(value) AS total,
             count() OVER () AS labels_count
        FROM (${rows})
       GROUP BY label
       ORDER BY total DESC, label`;
    if (choice.kind === 'other') return `SELECT label, buckets, data, labels_count FROM (${ranked})`;
    const limit = this.#bound.bind('UInt64', choice.limit);
    if (!choice.withOther || !this.#isAdditive) {
      return `SELECT label, buckets, data, labels_count FROM (${ranked} LIMIT ${limit})`;
    }
    return `
      SELECT shown AS label, sums.1 AS buckets, sums.2 AS data, labels_count
        FROM (
          SELECT if(place < ${limit}, label, ${this.#otherSql()}) AS shown, sumMap(buckets, data) AS sums,
                 any(labels_count) AS labels_count
            FROM (SELECT *, rowNumberInAllBlocks() AS place FROM (${ranked}))
           GROUP BY shown)`;
  }

  get #isAdditive(): boolean {
    const { recipe } = this.computation;
    return recipe.kind === 'statistic' && recipe.isAdditive;
  }

  #otherSql(): string {
    const count = this.#plan.breakdown?.dimensions.length ?? 1;
    const other = this.#bound.text(BREAKDOWN_OTHER);
    return count > 1 ? `[${Array(count).fill(other).join(', ')}]` : other;
  }

  /** `label, bucket, value`: a row for each value of the breakdown and each point that has events. */
  rowsSql(except?: readonly (readonly string[])[]): string {
    const { recipe } = this.computation;
    const { isCumulative } = this.#plan;
    switch (recipe.kind) {
      case 'statistic':
        return this.#statisticSql(recipe.statistic, recipe.column, except);
      case 'distinct':
        // Whoever was counted once is not counted again at a later point of a chart that adds points up.
        return isCumulative
          ? over(
              'count()',
              this.#selectSql(`${recipe.key} AS key, min(${this.#bucket}) AS bucket`, 'label, key', except),
            )
          : this.#statisticSql(distinct, recipe.key, except);
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

  /** A statement over the events of the branch, grouped by the given keys; all that stand for other values are `except` those. */
  #selectSql(columns: string, keys: string, except: readonly (readonly string[])[] | undefined): string {
    const value = this.valueSql();
    const condition = except ? `NOT ${this.amongSql(value, except)}` : 'true';
    return `
      SELECT ${except ? this.#otherSql() : value} AS label, ${columns}
        FROM ${this.fromSql(andSql([this.conditionSql(), condition]))}
       GROUP BY ${keys}`;
  }

  /**
   * With a breakdown, events are first grouped by what their rows have, and only then by what that is shown as: unwrapping
   * a JSON text for each event would take longer than all the rest.
   */
  #statisticSql(statistic: Statistic, column: string, except: readonly (readonly string[])[] | undefined): string {
    if (except || !this.#plan.breakdown) {
      return this.#selectSql(
        `${this.#bucket} AS bucket, ${toNumber(statistic.of(column))} AS value`,
        'label, bucket',
        except,
      );
    }
    const values = this.#values();
    const raws = values.map(({ raw }, at) => `${raw} AS raw_${at}`);
    const shown = values.map((value, at) => value.shown(`raw_${at}`));
    return `
      SELECT ${together(shown)} AS label, bucket, ${toNumber(statistic.merge('part'))} AS value
        FROM (
          SELECT ${raws.join(', ')}, ${this.#bucket} AS bucket, ${statistic.partOf(column)} AS part
            FROM ${this.fromSql(this.conditionSql())}
           GROUP BY ${raws.map((_, at) => `raw_${at}`).join(', ')}, bucket)
       GROUP BY label, bucket`;
  }

  /** A statistic over one number for each key. */
  #keyedSql(
    key: string,
    number: string,
    statistic: Statistic,
    except: readonly (readonly string[])[] | undefined,
  ): string {
    const columns = `${this.#bucket} AS bucket, ${key} AS key, ${number} AS number`;
    return over(statistic.of('number'), this.#selectSql(columns, 'label, bucket, key', except));
  }

  /** Each actor is counted in every window that one of its events is in. */
  #activeSql(recipe: { key: string; days: number }, except: readonly (readonly string[])[] | undefined): string {
    const { cuts, firstOpen, openCount } = planWindows(this.#plan, this.period, recipe.days);
    const moment = bucketSql(`${this.events.alias}.timestamp`, cuts, this.#bound);
    const [at, first, count] = [cuts, firstOpen, openCount].map((list) => this.#bound.bind('Array(Int64)', list));
    const points = this.#bound.bind('Array(Int64)', this.#plan.isTotal ? [0] : this.period.points);
    return `
      SELECT label, arrayJoin(arraySlice(${points}, transform(cut, ${at}, ${first}, 1), transform(cut, ${at}, ${count}, 0))) AS bucket,
             ${toNumber('uniqExact(key)')} AS value
        FROM (${this.#selectSql(`${recipe.key} AS key, ${moment} AS cut`, 'label, key, cut', except)})
       GROUP BY label, bucket`;
  }

  #firstTimeSql(
    recipe: { key: string; matching: boolean },
    except: readonly (readonly string[])[] | undefined,
  ): string {
    const condition = except ? `NOT ${this.amongSql('first_label', except)}` : 'true';
    return `
      SELECT ${except ? this.#otherSql() : 'first_label'} AS label, ${this.bucketSql('first_at')} AS bucket,
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

  /** Int64: where the time belongs on the chart; 0 where there is one value for all of it. */
  bucketSql(time: string): string {
    return this.#plan.isTotal ? 'toInt64(0)' : bucketSql(time, this.period.points, this.#bound);
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

  amongSql(value: string, labels: readonly (readonly string[])[]): string {
    const isSingle = (this.#plan.breakdown?.dimensions.length ?? 1) === 1;
    const kept = labels.map((each) => each.map(fromShownLabel));
    const list = isSingle ? this.#bound.texts(kept.flat()) : this.#bound.bind('Array(Array(String))', kept);
    return `has(${list}, ${value})`;
  }
}

/** Where nothing could be computed, there is nothing: 0. */
const toNumber = (value: string): string => `ifNull(toFloat64(${value}), 0)`;

const over = (statistic: string, rows: string): string => `
  SELECT label, bucket, ${toNumber(statistic)} AS value
    FROM (${rows})
   GROUP BY label, bucket`;

/** One value stands for itself, several stand in an array. */
const together = (values: readonly string[]): string =>
  values.length > 1 ? `[${values.join(', ')}]` : (values[0] ?? `''`);
