// A dashboard's filters laid over the question of an insight on it. The insight itself keeps its own.
import { isDict } from '../http/fields.ts';

type Dict = Record<string, unknown>;

const INSIGHT_QUERIES = new Set([
  'TrendsQuery',
  'FunnelsQuery',
  'RetentionQuery',
  'PathsQuery',
  'StickinessQuery',
  'LifecycleQuery',
]);

/** The query with the filters applied. Wrappers are seen through; a kind that knows no such filters stays as it is. */
export function applyToQuery(query: Dict, filters: Dict): Dict {
  if (isDict(query.source)) return { ...query, source: applyToQuery(query.source, filters) };
  const kind = String(query.kind);
  if (INSIGHT_QUERIES.has(kind)) return applyToNode(query, filters);
  // SQL sees them only where its text asks for `{filters}`.
  if (kind === 'HogQLQuery') {
    return { ...query, filters: applyToNode(isDict(query.filters) ? query.filters : {}, filters) };
  }
  if (kind === 'EventsQuery') return applyToEvents(query, filters);
  return query;
}

/** The same for the older form of a question. */
export function applyToLegacy(question: Dict, filters: Dict): Dict {
  if (Object.keys(question).length === 0) return question;
  return {
    ...question,
    ...(hasRange(filters) && rangeOf(filters)),
    ...(hasProperties(filters) && { properties: joinProperties(question.properties, filters.properties) }),
  };
}

function applyToNode(node: Dict, filters: Dict): Dict {
  return {
    ...node,
    ...(hasRange(filters) && { dateRange: rangeOf(filters) }),
    ...(hasProperties(filters) && { properties: joinProperties(node.properties, filters.properties) }),
    ...(isDict(filters.breakdown_filter) && hasBreakdown(node) && { breakdownFilter: filters.breakdown_filter }),
    // There is nothing before the first event to compare with.
    ...(filters.date_from === 'all' && isDict(node.compareFilter) && { compareFilter: { compare: false } }),
  };
}

function applyToEvents(query: Dict, filters: Dict): Dict {
  const { date_from, date_to } = filters;
  return {
    ...query,
    ...(typeof date_from === 'string' && { after: date_from }),
    ...(typeof date_to === 'string' && { before: date_to }),
    ...(hasProperties(filters) && { properties: joinProperties(query.properties, filters.properties) }),
  };
}

const hasBreakdown = ({ kind }: Dict) => kind === 'TrendsQuery' || kind === 'FunnelsQuery';
const hasRange = ({ date_from, date_to }: Dict) => Boolean(date_from || date_to);
const hasProperties = ({ properties }: Dict) => Array.isArray(properties) && properties.length > 0;

/** Both ends come from the dashboard as soon as one is set. */
const rangeOf = ({ date_from, date_to, explicitDate }: Dict) => ({
  date_from: date_from ?? null,
  date_to: date_to ?? null,
  ...(explicitDate !== undefined && { explicitDate }),
});

/** Both must hold: a group of two groups. */
function joinProperties(own: unknown, added: unknown): unknown {
  const isNone = !own || (Array.isArray(own) && own.length === 0) || (isDict(own) && isEmptyGroup(own));
  if (isNone) return added;
  const asGroup = (value: unknown) => (isDict(value) ? value : { type: 'AND', values: value });
  return { type: 'AND', values: [asGroup(own), asGroup(added)] };
}

const isEmptyGroup = ({ values }: Dict) => !Array.isArray(values) || values.length === 0;
