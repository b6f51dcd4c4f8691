// The list of insights: what may be asked of it, and the statement that answers.
import { type SqlBool, sql } from 'kysely';
import { parseMoment } from '../../filters/moment.ts';
import { invalid } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { parseId } from '../../projects/access/gate.ts';
import { containing, type Db } from '../sql.ts';
import { type InsightFacts, placementsFor } from './sql.ts';

const KINDS: Readonly<Record<string, string>> = {
  TRENDS: 'TrendsQuery',
  FUNNELS: 'FunnelsQuery',
  RETENTION: 'RetentionQuery',
  PATHS: 'PathsQuery',
  STICKINESS: 'StickinessQuery',
  LIFECYCLE: 'LifecycleQuery',
  SQL: 'HogQLQuery',
};

const ORDERS = ['created_at', 'updated_at', 'last_modified_at', 'name', 'order', 'id', 'favorited', 'saved'] as const;

export const listQuery = {
  limit: 'Page size, 100 unless given.',
  offset: 'Where the page starts.',
  order: `One of ${ORDERS.join(', ')}; a minus before it turns the order round.`,
  short_id: 'The one with this short id.',
  created_by: "A user's id.",
  saved: '`true`: saved or on a dashboard; `false`: neither.',
  user: '`true`: your own.',
  favorited: '`true`: favourites.',
  date_from: 'Modified since: a date, or as long ago as `-7d`.',
  date_to: 'Modified until.',
  insight: `One of ${Object.keys(KINDS).join(', ')}, JSON.`,
  search: 'A text in the name, the description or a tag.',
  tags: 'A JSON list of tags; any will do.',
  dashboards: 'A JSON list of dashboard ids; on all of them.',
  feature_flag: 'Those that ask about this flag.',
  basic: '`true`: the short form, without results.',
};

export interface InsightQuestion {
  team_id: number;
  user_id: number;
  /** Only these; for visitors who may see no others. */
  only?: { dashboard_id: number } | { insight_id: number };
}

/** Conditions that the query of an address asks for. What is not understood is refused or ignored, never guessed. */
function readConditions(query: URLSearchParams, user_id: number, nowMs: number) {
  const given = (name: string) => query.get(name)?.trim() ?? '';
  const isTrue = (name: string) => given(name).toLowerCase() === 'true';
  const conditions = [sql<SqlBool>`not insight.deleted`];
  const add = (condition: ReturnType<typeof sql<SqlBool>>) => conditions.push(condition);

  if (given('short_id')) add(sql`insight.short_id = ${given('short_id')}`);
  if (given('created_by')) add(sql`insight.created_by_id = ${parseId(given('created_by')) ?? 0}`);
  if (isTrue('user')) add(sql`insight.created_by_id = ${user_id}`);
  if (isTrue('favorited')) add(sql`insight.favorited`);
  if (given('saved'))
    add(isTrue('saved') ? sql`(insight.saved or ${onADashboard})` : sql`not (insight.saved or ${onADashboard})`);
  if (given('search')) add(matchesSearch(given('search')));
  if (given('insight')) add(isOfKind(given('insight').toUpperCase()));
  if (given('feature_flag')) {
    const mention = containing(`$feature/${given('feature_flag')}"`);
    add(sql`(insight.query::text like ${mention} or insight.filters::text like ${mention})`);
  }
  for (const id of readIds(given('dashboards'))) add(isOn(id));
  const tags = readList(given('tags'), 'tags').map((tag) => String(tag).toLowerCase());
  if (tags.length > 0) add(sql`insight.tags && ${tags}::text[]`);
  const from = readMoment(given('date_from'), 'date_from', nowMs);
  if (from) add(sql`insight.last_modified_at >= to_timestamp(${from.from / 1e6}::float8)`);
  const to = readMoment(given('date_to'), 'date_to', nowMs);
  // A date alone means until its end.
  if (to)
    add(sql`insight.last_modified_at ${sql.raw(to.to > to.from ? '<' : '<=')} to_timestamp(${to.to / 1e6}::float8)`);
  return conditions;
}

const onADashboard = sql<SqlBool>`exists (
  select from dashboard_tile tile join dashboard on dashboard.id = tile.dashboard_id
   where tile.insight_id = insight.id and not tile.deleted and not dashboard.deleted)`;

const isOn = (dashboard_id: number) => sql<SqlBool>`exists (
  select from dashboard_tile tile
   where tile.insight_id = insight.id and tile.dashboard_id = ${dashboard_id} and not tile.deleted)`;

const matchesSearch = (text: string) => sql<SqlBool>`(
  insight.name ilike ${containing(text)} or insight.derived_name ilike ${containing(text)}
  or insight.description ilike ${containing(text)}
  or exists (select from unnest(insight.tags) tag where tag ilike ${containing(text)}))`;

const kindOfQuery = sql`coalesce(insight.query -> 'source' ->> 'kind', insight.query ->> 'kind')`;

function isOfKind(kind: string) {
  if (kind === 'JSON') {
    const others = sql.join(Object.values(KINDS).map((name) => sql`${name}`));
    return sql<SqlBool>`(insight.query is not null and ${kindOfQuery} not in (${others}))`;
  }
  // A question that says nothing of its kind is a trend.
  return sql<SqlBool>`(${kindOfQuery} = ${KINDS[kind] ?? ''} or
    (insight.query is null and coalesce(insight.filters ->> 'insight', 'TRENDS') = ${kind}))`;
}

function readList(text: string, name: string): unknown[] {
  if (text === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // Not JSON at all: the same answer.
  }
  throw invalid(`Give a JSON list, for example ${name}=[1,2]`, name);
}

const readIds = (text: string): number[] => readList(text, 'dashboards').map((id) => parseId(String(id)) ?? 0);

function readMoment(text: string, name: string, nowMs: number) {
  if (text === '' || text === 'all') return undefined;
  const moment = parseMoment(text, nowMs);
  if (!moment) throw invalid('Give a date such as 2025-03-01, or so long ago, such as -7d.', name);
  return moment;
}

function readOrder(query: URLSearchParams): { column: (typeof ORDERS)[number]; direction: 'asc' | 'desc' } {
  const given = query.get('order') ?? '';
  const column = ORDERS.find((each) => each === given.replace(/^-/, '')) ?? 'order';
  return { column, direction: given.startsWith('-') ? 'desc' : 'asc' };
}

/** A page of the live insights that match, and how many do. */
export async function listInsights(
  db: Db,
  { team_id, user_id, only }: InsightQuestion,
  query: URLSearchParams,
  { limit, offset }: Page,
  nowMs: number,
): Promise<{ count: number; insights: InsightFacts[] }> {
  const conditions = readConditions(query, user_id, nowMs);
  if (only) conditions.push('insight_id' in only ? sql`insight.id = ${only.insight_id}` : isOn(only.dashboard_id));
  const { column, direction } = readOrder(query);
  const matching = db
    .selectFrom('insight')
    .where('team_id', '=', team_id)
    .where((eb) => eb.and(conditions));
  const insights = await matching
    .selectAll()
    .select(placementsFor(user_id))
    .orderBy(column, direction)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  const isLast = insights.length < limit && (insights.length > 0 || offset === 0);
  if (isLast) return { count: offset + insights.length, insights };
  const { count } = await matching.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  return { count, insights };
}
