// What a series of an insight counts: which events belong to it, what it is called, and what its JSON may hold.
import { z } from 'zod';
import { invalid } from '../../http/errors.ts';
import type { QueryContext } from '../kind.ts';
import type { EventsSql } from '../sql/events-sql.ts';

export const PROPERTY_MATHS = ['avg', 'sum', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'] as const;
export const ACTOR_MATHS = [
  'avg_count_per_actor',
  'min_count_per_actor',
  'max_count_per_actor',
  'median_count_per_actor',
  'p75_count_per_actor',
  'p90_count_per_actor',
  'p95_count_per_actor',
  'p99_count_per_actor',
] as const;
const MATHS = [
  'total',
  'dau',
  'weekly_active',
  'monthly_active',
  'unique_session',
  'unique_group',
  'first_time_for_user',
  'first_matching_event_for_user',
  'hogql',
  ...PROPERTY_MATHS,
  ...ACTOR_MATHS,
] as const;
export type Math = (typeof MATHS)[number];

const PROPERTY_TYPES = {
  event: 'event',
  event_properties: 'event',
  person: 'person',
  person_properties: 'person',
  session: 'session',
  session_properties: 'session',
} as const;

/** Filters are judged where they become SQL. */
export const filters = z.unknown();
export const groupTypeIndex = z.int().min(0).max(4);

/** Fields that every node may carry and that do not change the answer. */
export const asideFields = {
  version: z.number().nullish(),
  modifiers: z.unknown(),
  response: z.unknown(),
  tags: z.unknown(),
};

const commonFields = {
  ...asideFields,
  name: z.string().nullish(),
  custom_name: z.string().nullish(),
  math: z.enum(MATHS).nullish(),
  math_multiplier: z.number().nullish(),
  math_property: z.string().nullish(),
  math_property_type: z.enum(Object.keys(PROPERTY_TYPES) as (keyof typeof PROPERTY_TYPES)[]).nullish(),
  math_property_revenue_currency: z.unknown(),
  math_hogql: z.string().nullish(),
  math_group_type_index: groupTypeIndex.nullish(),
  properties: filters,
  fixedProperties: filters,
  optionalInFunnel: z.boolean().nullish(),
};

const EventsNode = z.strictObject({
  kind: z.literal('EventsNode'),
  event: z.string().nullish(),
  limit: z.int().nullish(),
  orderBy: z.array(z.string()).nullish(),
  ...commonFields,
});

const ActionsNode = z.strictObject({ kind: z.literal('ActionsNode'), id: z.int(), ...commonFields });

const GroupNode = z.strictObject({
  kind: z.literal('GroupNode'),
  operator: z.enum(['AND', 'OR']),
  nodes: z
    .array(z.discriminatedUnion('kind', [EventsNode, ActionsNode]))
    .min(1)
    .max(50),
  limit: z.int().nullish(),
  orderBy: z.array(z.string()).nullish(),
  ...commonFields,
});

/** Letters name the series in formulas, so there are no more than letters. */
export const SERIES_MAX = 26;

export const SeriesNode = z.discriminatedUnion('kind', [EventsNode, ActionsNode, GroupNode]);
export type Series = z.infer<typeof SeriesNode>;

/** What all insight queries may have. */
export const insightFields = {
  ...asideFields,
  dateRange: z
    .strictObject({
      date_from: z.string().nullish(),
      date_to: z.string().nullish(),
      explicitDate: z.boolean().nullish(),
    })
    .nullish(),
  filterTestAccounts: z.boolean().nullish(),
  properties: filters,
  samplingFactor: z.number().min(0).max(1).nullish(),
  dataColorTheme: z.unknown(),
};

export const compareFilter = z
  .strictObject({ compare: z.boolean().nullish(), compare_to: z.string().nullish() })
  .nullish();

/** What people call the series when they gave it no name of their own. */
export function seriesLabel(series: Series, context: Pick<QueryContext, 'action'>): string {
  switch (series.kind) {
    case 'EventsNode':
      return series.event || 'All events';
    case 'ActionsNode':
      return context.action(series.id).name;
    case 'GroupNode':
      return series.name || series.nodes.map((node) => seriesLabel(node, context)).join(', ');
  }
}

/** Bool: whether the event is one that the series names, before any filter. */
export function entitySql(events: EventsSql, series: Series): string {
  switch (series.kind) {
    case 'EventsNode':
      return series.event ? `${events.alias}.event = ${events.bound.text(series.event)}` : 'true';
    case 'ActionsNode':
      return events.action(series.id);
    case 'GroupNode': {
      const members = series.nodes.map((node) => `(${entitySql(events, node)} AND ${ownFiltersSql(events, node)})`);
      return `(${members.join(` ${series.operator} `)})`;
    }
  }
}

/** Bool: the filters of the series itself. */
export function ownFiltersSql(events: EventsSql, series: Series): string {
  return andSql([events.filters(series.properties), events.filters(series.fixedProperties)]);
}

/** What a query says about all of its series. */
export interface QueryFilters {
  readonly properties?: unknown;
  readonly filterTestAccounts?: boolean | null | undefined;
}

/** Bool: every filter that an event has to pass: of the series, of the query, and those of test accounts. */
export function filtersSql(events: EventsSql, series: Series, query: QueryFilters): string {
  return andSql([
    ownFiltersSql(events, series),
    events.filters(query.properties),
    events.testAccounts(query.filterTestAccounts),
  ]);
}

/** Conditions joined; what always holds is left out, so that the statement stays readable. */
export function andSql(conditions: readonly string[]): string {
  return conditions.filter((condition) => condition !== 'true').join(' AND ') || 'true';
}

/** The kind of property that a series computes with, and its name. */
export function mathProperty(series: Series): { type: 'event' | 'person' | 'session'; key: string } {
  const key = series.math_property;
  if (!key) throw invalid(`The math "${series.math}" needs a math_property.`, 'series__math_property');
  return { type: PROPERTY_TYPES[series.math_property_type ?? 'event_properties'], key };
}
