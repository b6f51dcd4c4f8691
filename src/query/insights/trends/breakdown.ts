// The values by which a trend is broken down: what they are in SQL, and what they are called in the answer.
import { invalid } from '../../../http/errors.ts';
import { plainTextSql } from '../../../store/tables/properties.ts';
import type { QueryContext } from '../../kind.ts';
import { BREAKDOWN_NULL, type BreakdownFilter } from '../../nodes.ts';
import type { EventsSql, PropertyType, ValueSql } from '../../sql/events-sql.ts';

/** One of up to three things that a trend is broken down by. */
export type Dimension =
  | {
      readonly kind: 'property';
      readonly type: PropertyType | 'hogql';
      readonly key: string;
      readonly groupTypeIndex: number | null;
      readonly normalizeUrl: boolean;
      readonly binCount: number | undefined;
    }
  /** `all` stands for everybody. */
  | { readonly kind: 'cohorts'; readonly cohorts: readonly { id: number | 'all'; name: string }[] };

export interface Breakdown {
  readonly dimensions: readonly Dimension[];
  /** Whether values are shown as arrays, as `breakdowns` has them. */
  readonly isMultiple: boolean;
  /** How many values are shown; the others count together. */
  readonly limit: number;
  readonly hidesOther: boolean;
}

const LIMIT = 25;
/** Every country has its place on a map. */
const MAP_LIMIT = 250;

export async function planBreakdown(
  filter: BreakdownFilter | null | undefined,
  context: Pick<QueryContext, 'cohort'>,
  isMap: boolean,
): Promise<Breakdown | undefined> {
  const given = listGiven(filter);
  if (!filter || given.length === 0) return undefined;
  if (given.length > 3) throw invalid('A query can be broken down by three properties at most.', 'breakdownFilter');
  const dimensions = await Promise.all(given.map((each) => planDimension(each, context)));
  const isMultiple = (filter.breakdowns?.length ?? 0) > 0 || dimensions.length > 1;
  const [first] = dimensions;
  // Cohorts were named one by one: all of them are shown.
  const all = first?.kind === 'cohorts' && dimensions.length === 1 ? first.cohorts.length : 0;
  return {
    dimensions,
    isMultiple,
    limit: Math.max(filter.breakdown_limit ?? (isMap ? MAP_LIMIT : LIMIT), all),
    hidesOther: filter.breakdown_hide_other_aggregation === true,
  };
}

interface Given {
  values: readonly (string | number)[];
  type: PropertyType | 'hogql' | 'cohort';
  group_type_index: number | null;
  normalize_url: boolean;
  histogram_bin_count: number | undefined;
}

/** Both ways in which a query can say it, as one. */
function listGiven(filter: BreakdownFilter | null | undefined): Given[] {
  if (filter?.breakdowns?.length) {
    return filter.breakdowns.map((each) => ({
      values: [each.property],
      type: each.type ?? 'event',
      group_type_index: each.group_type_index ?? null,
      normalize_url: each.normalize_url === true,
      histogram_bin_count: each.histogram_bin_count ?? undefined,
    }));
  }
  const breakdown = filter?.breakdown ?? [];
  const values = Array.isArray(breakdown) ? breakdown : [breakdown];
  const rest = {
    type: filter?.breakdown_type ?? 'event',
    group_type_index: filter?.breakdown_group_type_index ?? null,
    normalize_url: filter?.breakdown_normalize_url === true,
    histogram_bin_count: filter?.breakdown_histogram_bin_count ?? undefined,
  };
  if (rest.type === 'cohort') return values.length > 0 ? [{ ...rest, values }] : [];
  return values.map((value) => ({ ...rest, values: [value] }));
}

async function planDimension(given: Given, context: Pick<QueryContext, 'cohort'>): Promise<Dimension> {
  if (given.type === 'cohort') {
    return { kind: 'cohorts', cohorts: await Promise.all(given.values.map((id) => planCohort(id, context))) };
  }
  if (given.type === 'group' && given.group_type_index === null) {
    throw invalid('A breakdown by a property of groups needs its group_type_index.', 'breakdownFilter');
  }
  return {
    kind: 'property',
    type: given.type,
    key: String(given.values[0]),
    groupTypeIndex: given.group_type_index,
    normalizeUrl: given.normalize_url,
    binCount: given.histogram_bin_count,
  };
}

async function planCohort(id: string | number, context: Pick<QueryContext, 'cohort'>) {
  if (id === 'all' || id === 0) return { id: 'all' as const, name: 'all users' };
  const number = Number(id);
  if (!Number.isSafeInteger(number)) throw invalid(`"${id}" is no id of a cohort.`, 'breakdownFilter__breakdown');
  return { id: number, name: (await context.cohort(number)).name };
}

/** A value in SQL. No value at all is ''. */
export interface BreakdownValue {
  /** What the event's row has: cheap to group by. */
  readonly raw: string;
  /** String: the value that is shown, from SQL for the raw one. Several raw values may be shown as one. */
  shown(raw: string): string;
}

/** Numbers in bins need their bounds, from `binsSql`. */
export function valueSql(events: EventsSql, dimension: PropertyDimension, bins: string | undefined): BreakdownValue {
  const asItIs = (raw: string) => raw;
  if (bins !== undefined) {
    const number = dimensionNumber(events, dimension);
    const bin = `arrayCount(low -> low <= assumeNotNull(${number}), arrayPopBack(${bins}))`;
    return {
      raw: `if(isNull(${number}), '', toString([${bins}[${bin}], ${bins}[${bin} + 1]]))`,
      shown: asItIs,
    };
  }
  const normalize = dimension.normalizeUrl ? withoutTail : asItIs;
  if (dimension.type === 'event' || dimension.type === 'person' || dimension.type === 'group') {
    const { json } = dimensionProperty(events, dimension);
    return { raw: json, shown: (raw) => normalize(plainTextSql(raw)) };
  }
  return { raw: dimensionText(events, dimension), shown: normalize };
}

/** An address without the `/`, `?` and `#` at its end; what has nothing else is `/`. */
const withoutTail = (text: string): string => {
  const trimmed = `replaceRegexpOne(${text}, '[/?#]+$', '')`;
  return `multiIf(${text} = '', '', ${trimmed} = '', '/', ${trimmed})`;
};

/** The labels of the answer, where no value has a name, and back. */
export const toShownLabel = (label: string): string => (label === '' ? BREAKDOWN_NULL : label);
export const fromShownLabel = (label: string): string => (label === BREAKDOWN_NULL ? '' : label);

/** Array(String): the cohorts that the event's person is in. An event counts for each of them. */
export function cohortsSql(events: EventsSql, cohorts: readonly { id: number | 'all' }[]): string {
  const labels = cohorts.map(({ id }) => {
    const label = `[${events.bound.text(String(id))}]`;
    return id === 'all' ? label : `if(${events.filters([{ type: 'cohort', key: 'id', value: id }])}, ${label}, [])`;
  });
  return `arrayConcat(${labels.join(', ')}, emptyArrayString())`;
}

export type PropertyDimension = Extract<Dimension, { kind: 'property' }>;

const dimensionProperty = (events: EventsSql, { type, key, groupTypeIndex }: PropertyDimension): ValueSql =>
  events.property(type as PropertyType, key, groupTypeIndex);

function dimensionText(events: EventsSql, dimension: PropertyDimension): string {
  if (dimension.type === 'hogql') return `ifNull(toString(${events.hogql(dimension.key)}), '')`;
  return dimensionProperty(events, dimension).text;
}

/** Nullable(Float64), finite. */
function dimensionNumber(events: EventsSql, dimension: PropertyDimension): string {
  const number =
    dimension.type === 'hogql'
      ? `toFloat64OrNull(toString(${events.hogql(dimension.key)}))`
      : dimensionProperty(events, dimension).number;
  return finiteSql(number);
}

/** Texts such as "nan" and "inf" are numbers to the engine; nobody wants to add them up. */
export const finiteSql = (number: string): string => `if(isFinite(${number}), ${number}, NULL)`;

/**
 * Aggregate: the bounds of bins with about as many values in each, as one array; the last is a little over the largest
 * value. The bounds are rounded down to cents, so there may be fewer bins than asked for.
 */
export function binsSql(events: EventsSql, dimension: PropertyDimension, binCount: number): string {
  const levels = Array.from({ length: binCount + 1 }, (_, at) => at / binCount);
  const number = dimensionNumber(events, dimension);
  const bounds = `arrayCompact(arrayMap(bound -> floor(bound, 2), quantilesExactInclusive(${levels.join(', ')})(${number})))`;
  const top = `floor(ifNull(max(${number}), 0), 2) + 0.01`;
  return `arrayPushBack(if(length(${bounds} AS bounds) > 1, arrayPopBack(bounds), bounds), ${top})`;
}
