// What a series of an insight counts: which events belong to it, what it is called, and by which math.
import { invalid } from '../../http/errors.ts';
import type { QueryContext } from '../kind.ts';
import type { SeriesNode } from '../nodes.ts';
import type { EventsSql } from '../sql/events-sql.ts';

/** Letters name the series in formulas, so there are no more of them. */
export const SERIES_MAX = 26;

/** What people call the series when they gave it no name of their own. */
export function seriesLabel(series: SeriesNode, context: Pick<QueryContext, 'action'>): string {
  if (series.kind === 'GroupNode') {
    return series.name || series.nodes.map((node) => seriesLabel(node, context)).join(WORDS[series.operator]);
  }
  return series.kind === 'ActionsNode' ? context.action(series.id).name : series.event || 'All events';
}

const WORDS = { AND: ' and ', OR: ' or ' } as const;

/** Bool: whether the event is one that the series names, before any filter. */
export function entitySql(events: EventsSql, series: SeriesNode): string {
  if (series.kind === 'GroupNode') {
    const nodes = series.nodes.map((node) => `(${andSql([entitySql(events, node), filtersSql(events, node, {})])})`);
    return `(${nodes.join(` ${series.operator} `)})`;
  }
  if (series.kind === 'ActionsNode') return events.action(series.id);
  return series.event ? `${events.alias}.event = ${events.bound.text(series.event)}` : 'true';
}

/** What a query says about all of its series. */
export interface QueryFilters {
  readonly properties?: unknown;
  readonly filterTestAccounts?: boolean | null | undefined;
}

/** Bool: every filter that an event has to pass: of the series, of the query, and those of test accounts. */
export function filtersSql(events: EventsSql, series: SeriesNode, query: QueryFilters): string {
  return andSql([
    events.filters(series.properties),
    events.filters(series.fixedProperties),
    events.filters(query.properties),
    events.testAccounts(query.filterTestAccounts),
  ]);
}

/** Conditions joined; what always holds is left out, so that the statement stays readable. */
export function andSql(conditions: readonly string[]): string {
  return conditions.filter((condition) => condition !== 'true').join(' AND ') || 'true';
}

const PROPERTY_TYPES: Readonly<Record<string, 'event' | 'person' | 'session'>> = {
  event: 'event',
  event_properties: 'event',
  person: 'person',
  person_properties: 'person',
  session: 'session',
  session_properties: 'session',
};

/** Where a series that computes with a property finds it. */
export function mathProperty(series: SeriesNode): { type: 'event' | 'person' | 'session'; key: string } {
  const { math, math_property: key, math_property_type } = series;
  if (!key) throw invalid(`The math "${math}" needs a math_property.`, 'series__math_property');
  // A session's own properties are recognised by name, since older queries do not say the type.
  const type = PROPERTY_TYPES[math_property_type ?? (key === '$session_duration' ? 'session' : 'event')];
  if (type) return { type, key };
  throw invalid(
    `"${math_property_type}" is no type of property; there are: ${Object.keys(PROPERTY_TYPES).join(', ')}.`,
    'series__math_property_type',
  );
}
