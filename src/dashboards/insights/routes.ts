// Insights: saved questions. Reading one computes nothing unless `refresh` says so.
import { z } from 'zod';
import { paged, readPage } from '../../http/paging.ts';
import { created, empty, type ProjectContext, projectRoute, type Route } from '../../http/route.ts';
import { parseId } from '../../projects/access/gate.ts';
import { pagedOf } from '../../projects/wire.ts';
import type { Queries } from '../../query/queries.ts';
import { type Refresh, readRefresh } from '../../query/refresh.ts';
import { loadDashboard, viewerOf } from '../load.ts';
import type { Dict } from '../shapes.ts';
import { tokenReadable } from '../sharing/token-route.ts';
import { type Db, findAuthors } from '../sql.ts';
import { listLiveTiles } from '../tiles/sql.ts';
import { parseOverride } from '../wire.ts';
import { changeInsight, createInsight } from './change.ts';
import { listInsights, listQuery } from './list.ts';
import { loadInsight } from './load.ts';
import { findAnswers } from './results.ts';
import { type InsightFacts, listLastViewed, noteViewed } from './sql.ts';
import { visitInsight, visitInsights } from './visit.ts';
import { Insight, InsightBasic, InsightDraft, InsightOnDashboard, toInsight, toInsightBasic } from './wire.ts';

const LAST_VIEWED_MAX = 5;

export function insightRoutes(db: Db, secretKey: string, queries: Queries): Route[] {
  type Asked = Pick<ProjectContext, 'project' | 'user' | 'level' | 'left'>;
  const authorsOf = (insights: readonly InsightFacts[], { user }: Asked) =>
    findAuthors(
      db,
      insights.flatMap(({ created_by_id, last_modified_by_id }) => [created_by_id, last_modified_by_id]),
      [user],
    );
  interface Showing {
    filters?: Dict;
    dashboard_id?: number | undefined;
    refresh?: Refresh;
  }
  const show = async (
    asked: Asked,
    insight: InsightFacts,
    { filters = {}, dashboard_id, refresh = 'force_cache' }: Showing = {},
  ) => {
    const [authors, answers] = await Promise.all([
      authorsOf([insight], asked),
      findAnswers(queries, asked.project, [{ insight, filters, dashboard_id }], refresh, asked.left),
    ]);
    return toInsight(insight, authors, viewerOf(asked), filters, answers.get(insight.id));
  };
  const showAll = async (asked: Asked, insights: readonly InsightFacts[]) => {
    const [authors, answers] = await Promise.all([
      authorsOf(insights, asked),
      findAnswers(
        queries,
        asked.project,
        insights.map((insight) => ({ insight, filters: {} })),
        'force_cache',
      ),
    ]);
    return insights.map((insight) => toInsight(insight, authors, viewerOf(asked), {}, answers.get(insight.id)));
  };
  const placeOf = (asked: Asked) => ({ team_id: asked.project.id, viewer: viewerOf(asked) });

  return [
    projectRoute('POST', '/insights/', {
      summary: 'Create an insight',
      scope: 'insight:write',
      accepts: ['json'],
      body: InsightDraft,
      returns: Insight,
      status: 201,
      async handle(context) {
        const refresh = readRefresh(context.query.get('refresh'));
        return created(await show(context, await createInsight(db, placeOf(context), context.body), { refresh }));
      },
    }),

    tokenReadable(db, secretKey, '/insights/', {
      summary: 'List insights',
      scope: 'insight:read',
      limit: 'analytics',
      query: listQuery,
      returns: pagedOf(z.union([Insight, InsightBasic])),
      async handle(context) {
        const { project, user, query, url } = context;
        const page = readPage(query);
        const question = { team_id: project.id, user_id: user.id };
        const { count, insights } = await listInsights(db, question, query, page, Date.now());
        if (query.get('basic') !== 'true') return paged(url, page, count, await showAll(context, insights));
        const authors = await authorsOf(insights, context);
        const results = insights.map((insight) => toInsightBasic(insight, authors));
        return paged(url, page, count, results);
      },
      visit: (context, share) => visitInsights(db, queries, context, share),
    }),

    projectRoute('GET', '/insights/my_last_viewed/', {
      summary: `The ${LAST_VIEWED_MAX} insights that you looked at last`,
      scope: null,
      returns: z.array(Insight),
      async handle(context) {
        const insights = await listLastViewed(db, context.project.id, context.user.id, LAST_VIEWED_MAX);
        return showAll(context, insights);
      },
    }),

    ...(['PATCH', 'PUT'] as const).map((method) =>
      projectRoute(method, '/insights/:id/', {
        summary: 'Change an insight, delete it or bring it back',
        scope: 'insight:write',
        accepts: ['json'],
        body: InsightDraft,
        returns: Insight,
        load: (context) => loadInsight(db, context, context.params.id, 'edit', { evenDeleted: true }),
        async handle(context) {
          return show(context, await changeInsight(db, placeOf(context), context.found, context.body));
        },
      }),
    ),

    projectRoute('DELETE', '/insights/:id/', {
      summary: 'Refused: delete an insight by changing `deleted`',
      scope: 'insight:write',
      status: 405,
      handle: () => empty(405),
    }),

    tokenReadable(db, secretKey, '/insights/:id/', {
      summary: 'Read an insight, by its id or short id',
      scope: 'insight:read',
      limit: 'analytics',
      query: {
        refresh: 'Whether to compute what is not fresh: blocking, async, force_blocking, …; without it, nothing is.',
        from_dashboard: 'As it is on this dashboard: with its filters, and the looks of its tile.',
        filters_override: "A JSON object laid over the dashboard's filters, for this answer only.",
        basic: '`true`: the short form, without results.',
      },
      returns: z.union([InsightOnDashboard, InsightBasic]),
      async handle(context) {
        const insight = await loadInsight(db, context, context.params.id, 'view');
        if (context.query.get('basic') === 'true') return toInsightBasic(insight, await authorsOf([insight], context));
        const { filters, looks, dashboard_id } = await findSurroundings(context, insight);
        const refresh = readRefresh(context.query.get('refresh'));
        return { ...(await show(context, insight, { filters, dashboard_id, refresh })), ...looks };
      },
      visit: (context, share) => visitInsight(db, queries, context, share),
    }),

    projectRoute('POST', '/insights/:id/viewed/', {
      summary: 'Note that you looked at an insight',
      scope: null,
      status: 201,
      load: (context) => loadInsight(db, context, context.params.id, 'view'),
      async handle({ found, user }) {
        await noteViewed(db, found.id, user.id);
        return empty(201);
      },
    }),
  ];

  /** The filters and the looks that an insight has on the dashboard it is read from. */
  async function findSurroundings(context: Asked & Pick<ProjectContext, 'query'>, insight: InsightFacts) {
    const override = parseOverride(context.query, 'filters_override') ?? {};
    const id = parseId(context.query.get('from_dashboard') ?? '');
    const placement = insight.placements.find(({ dashboard_id }) => dashboard_id === id);
    if (id === null || !placement) return { filters: override, looks: {}, dashboard_id: undefined };
    const dashboard = await loadDashboard(db, context, String(id), 'view');
    const tile = (await listLiveTiles(db, id)).find(({ insight_id }) => insight_id === insight.id);
    return {
      filters: { ...dashboard.filters, ...override },
      looks: tile ? { color: tile.color, layouts: tile.layouts } : {},
      dashboard_id: id,
    };
  }
}
