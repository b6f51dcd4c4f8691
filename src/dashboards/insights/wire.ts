// Public shapes of insights: the whole, and the basic form of quick lists. Results come from the query engine; until
// one has been computed, everything about it is null.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseError } from '../../http/errors.ts';
import { anything, bool, dict, integer, isDict, list, nullable, optional, text } from '../../http/fields.ts';
import { UserBasic } from '../../projects/wire.ts';
import { applyToLegacy, applyToQuery } from '../../query/apply-filters.ts';
import type { Answer } from '../../query/queries.ts';
import { EVERYONE_EDITS, INVITED_EDIT, privilegeOnInsight, restrictionOfInsight } from '../levels.ts';
import { Access, AnyObject, type Authors, type Dict, Level, type Onlooker, timestamp, toAuthor } from '../shapes.ts';
import { TagsField } from '../tags.ts';
import type { InsightFacts } from './sql.ts';

const described = {
  id: z.int(),
  short_id: z.string(),
  name: z.string().nullable(),
  derived_name: z.string().nullable(),
  description: z.string().nullable(),
  query: AnyObject.nullable(),
  filters: AnyObject,
  dashboards: z.array(z.int()),
  dashboard_tiles: z.array(z.strictObject({ id: z.int(), dashboard_id: z.int(), deleted: z.boolean() })),
  tags: z.array(z.string()),
  saved: z.boolean(),
  favorited: z.boolean(),
  created_at: timestamp,
  created_by: UserBasic.nullable(),
  updated_at: timestamp,
  last_modified_at: timestamp,
  last_refresh: timestamp.nullable(),
};

export const InsightBasic = z.strictObject({ ...described, refreshing: z.boolean() });

export const Insight = z.strictObject({
  ...described,
  order: z.int().nullable(),
  deleted: z.boolean(),
  is_sample: z.boolean(),
  last_modified_by: UserBasic.nullable(),
  result: z.unknown(),
  columns: z.array(z.unknown()).nullable(),
  types: z.array(z.unknown()).nullable(),
  hasMore: z.boolean().nullable(),
  hogql: z.string().nullable(),
  cache_target_age: timestamp.nullable(),
  next_allowed_client_refresh: timestamp.nullable(),
  is_cached: z.boolean(),
  query_status: AnyObject.nullable(),
  timezone: z.string().nullable(),
  filters_hash: z.string(),
  effective_restriction_level: Level,
  effective_privilege_level: Level,
  user_access_level: Access,
});

/** Read with `from_dashboard`, an insight also says how its tile looks there. */
export const InsightOnDashboard = z.strictObject({
  ...Insight.shape,
  color: z.string().nullable().optional(),
  layouts: AnyObject.optional(),
});

function toDescribed(insight: InsightFacts, authors: Authors, dashboardFilters: Dict) {
  const { id, short_id, name, derived_name, description, tags, saved, favorited, placements } = insight;
  const { created_at, updated_at, last_modified_at } = insight;
  return {
    id,
    short_id,
    name,
    derived_name,
    description,
    ...toQuestion(insight, dashboardFilters),
    dashboards: placements.map(({ dashboard_id }) => dashboard_id),
    dashboard_tiles: placements.map(({ tile_id, dashboard_id }) => ({ id: tile_id, dashboard_id, deleted: false })),
    tags,
    saved,
    favorited,
    created_at,
    created_by: toAuthor(insight.created_by_id, authors),
    updated_at,
    last_modified_at,
    last_refresh: null,
  };
}

/** The question as it is asked here: on a dashboard, the dashboard's filters apply. */
export function toQuestion(
  { query, filters }: InsightFacts,
  dashboardFilters: Dict,
): { query: Dict | null; filters: Dict } {
  if (query) return { query: applyToQuery(query, dashboardFilters), filters: {} };
  if (Object.keys(filters).length === 0) return { query: null, filters: { insight: 'TRENDS' } };
  return { query: null, filters: applyToLegacy(filters, dashboardFilters) };
}

export const toInsightBasic = (insight: InsightFacts, authors: Authors): z.output<typeof InsightBasic> => ({
  ...toDescribed(insight, authors, {}),
  refreshing: false,
});

export function toInsight(
  insight: InsightFacts,
  authors: Authors,
  viewer: Onlooker,
  dashboardFilters: Dict = {},
  answer?: Answer,
): z.output<typeof Insight> {
  const parts = toDescribed(insight, authors, dashboardFilters);
  const isPublic = viewer === 'public';
  return {
    ...parts,
    order: insight.order,
    deleted: insight.deleted,
    is_sample: insight.is_sample,
    last_modified_by: toAuthor(insight.last_modified_by_id, authors),
    ...toResult(answer),
    filters_hash: answer?.cache_key || hashQuestion(insight.team_id, parts.query ?? parts.filters),
    effective_restriction_level: isPublic ? INVITED_EDIT : restrictionOfInsight(insight.placements),
    effective_privilege_level: isPublic ? EVERYONE_EDITS : privilegeOnInsight(insight.placements, viewer),
    user_access_level: isPublic ? 'viewer' : 'editor',
  };
}

/** What is known of the answer; everything is null until one has been computed. */
function toResult(answer: Answer | undefined) {
  const listed = (value: unknown) => (Array.isArray(value) ? value : null);
  return {
    result: answer?.results ?? null,
    columns: listed(answer?.columns),
    types: listed(answer?.types),
    hasMore: typeof answer?.hasMore === 'boolean' ? answer.hasMore : null,
    hogql: typeof answer?.hogql === 'string' ? answer.hogql : null,
    last_refresh: answer?.last_refresh ?? null,
    cache_target_age: answer?.cache_target_age ?? null,
    next_allowed_client_refresh: answer?.next_allowed_client_refresh ?? null,
    is_cached: answer?.is_cached ?? false,
    query_status: answer?.query_status ? { ...answer.query_status } : null,
    timezone: answer?.timezone ?? null,
  };
}

/** Equal questions of one project have equal hashes. */
const hashQuestion = (team_id: number, question: Dict) =>
  `cache_${createHash('md5')
    .update(`${team_id} ${JSON.stringify(question)}`)
    .digest('hex')}`;

const shortText = () => optional(nullable(text({ max: 400, blank: true })));

export const InsightDraft = z.object({
  name: shortText(),
  derived_name: shortText(),
  description: optional(nullable(text({ blank: true }))),
  query: optional(anything('The question: a query node, or null.')),
  filters: optional(nullable(dict('The older form of a question.'))),
  order: optional(nullable(integer())),
  deleted: optional(bool('True deletes the insight, false brings it back.')),
  saved: optional(bool()),
  favorited: optional(bool()),
  dashboards: optional(nullable(list(integer(), 'The dashboards it is on; replaces the set.'))),
  tags: TagsField,
});

/** The parts of a question that make sense of it are judged here; the rest where it is asked. */
export function parseQuery(value: unknown): Dict | null | undefined {
  if (value === undefined || value === null) return value;
  if (!isDict(value)) throw parseError('JSON parse error - query: Input should be a valid dictionary');
  requireKind(value, 'query');
  return value;
}

function requireKind(node: Dict, path: string): void {
  if (typeof node.kind !== 'string' || node.kind === '') {
    throw parseError(`JSON parse error - ${path}.kind: Field required, the name of a kind of query`);
  }
  if (node.source === undefined) return;
  if (!isDict(node.source)) throw parseError(`JSON parse error - ${path}.source: Input should be a valid dictionary`);
  requireKind(node.source, `${path}.source`);
}
