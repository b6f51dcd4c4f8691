// The values that funnels and retention are broken down by: the texts of up to three properties, or cohorts.
import { invalid } from '../../http/errors.ts';
import type { QueryContext } from '../kind.ts';
import type { BreakdownFilter } from '../nodes.ts';
import type { EventsSql, PropertyType } from '../sql/events-sql.ts';

interface Part {
  readonly type: PropertyType | 'hogql';
  readonly key: string;
  readonly groupTypeIndex?: number | null | undefined;
  readonly normalizeUrl?: boolean | null | undefined;
}

export interface PropertyBreakdown {
  readonly kind: 'properties';
  readonly parts: readonly Part[];
  /** So many values stand for themselves; the others are put together. */
  readonly valuesMax: number;
  readonly hidesOther: boolean;
}

export interface CohortBreakdown {
  readonly kind: 'cohorts';
  /** `all` is everybody. */
  readonly cohorts: readonly { readonly value: number | 'all'; readonly name: string }[];
}

export type Breakdown = PropertyBreakdown | CohortBreakdown;

const VALUES_MAX = 25;

/** Undefined when the query is not broken down. */
export async function planBreakdown(
  filter: BreakdownFilter | null | undefined,
  context: QueryContext,
): Promise<Breakdown | undefined> {
  const given = filter?.breakdowns?.length ? filter.breakdowns : toOneForm(filter);
  if (!filter || given.length === 0) return undefined;
  if (given.some(({ histogram_bin_count }) => histogram_bin_count)) {
    throw invalid('Only trends can be broken down into a histogram.', 'breakdownFilter');
  }
  if (given.some(({ type }) => type === 'cohort')) return planCohorts(given, context);
  return {
    kind: 'properties',
    parts: given.map(({ property, type, group_type_index, normalize_url }) => ({
      type: (type as Part['type'] | null | undefined) ?? 'event',
      key: String(property),
      groupTypeIndex: group_type_index,
      normalizeUrl: normalize_url,
    })),
    valuesMax: filter.breakdown_limit ?? VALUES_MAX,
    hidesOther: filter.breakdown_hide_other_aggregation === true,
  };
}

type Given = NonNullable<BreakdownFilter['breakdowns']>;

/** The older form: one type, and one value or several. */
function toOneForm(filter: BreakdownFilter | null | undefined): Given {
  const { breakdown, breakdown_type, breakdown_group_type_index, breakdown_normalize_url } = filter ?? {};
  if (breakdown === null || breakdown === undefined) return [];
  return (Array.isArray(breakdown) ? breakdown : [breakdown]).map((property) => ({
    property,
    type: breakdown_type,
    group_type_index: breakdown_group_type_index,
    normalize_url: breakdown_normalize_url,
    histogram_bin_count: filter?.breakdown_histogram_bin_count,
  }));
}

async function planCohorts(given: Given, context: QueryContext): Promise<CohortBreakdown> {
  const cohorts = given.map(async ({ property, type }) => {
    if (type !== 'cohort') throw invalid('Cohorts and properties cannot be combined.', 'breakdownFilter');
    if (property === 'all' || Number(property) === 0) return { value: 'all' as const, name: 'all users' };
    const { id, name } = await context.cohort(Number(property));
    return { value: id, name };
  });
  return { kind: 'cohorts', cohorts: await Promise.all(cohorts) };
}

/** Array(String): the event's value of each property; '' where there is none. */
export function valuesSql(events: EventsSql, { parts }: PropertyBreakdown): string {
  return `[${parts.map((part) => partSql(events, part)).join(', ')}]`;
}

function partSql(events: EventsSql, { type, key, groupTypeIndex, normalizeUrl }: Part): string {
  const text =
    type === 'hogql'
      ? `ifNull(toString(${events.hogql(key)}), '')`
      : `toString(${events.property(type, key, groupTypeIndex).text})`;
  return normalizeUrl ? normalizedUrlSql(text) : text;
}

/** Without what trails: the same page under several addresses is one. The root remains a slash. */
const normalizedUrlSql = (text: string): string =>
  `if(empty(${text}), '', replaceRegexpOne(replaceRegexpOne(${text}, '[/?#]*$', ''), '^$', '/'))`;

/** Array(String): the cohorts that the actor belongs to. Only persons can be in cohorts. */
export function cohortsSql(events: EventsSql, actor: string, breakdown: CohortBreakdown, context: QueryContext) {
  const values = breakdown.cohorts.map(({ value }) => {
    if (value === 'all') return `'all'`;
    const members = context.cohortMembers(value);
    // It is awaited when the statement is asked; until then nobody listens for its failure.
    members.catch(() => {});
    const isMember = `${actor} IN (SELECT arrayJoin(${events.bound.bind('Array(UUID)', members)}))`;
    return `if(${isMember}, ${events.bound.text(String(value))}, '')`;
  });
  return `arrayFilter(cohort -> cohort != '', [${values.join(', ')}])`;
}
