// The older addresses of questions, one for each kind.
import { z } from 'zod';
import { invalid } from '../http/errors.ts';
import { type ProjectContext, projectRoute, Reply, type Route } from '../http/route.ts';
import { fromLegacy, type LegacyInsight } from './legacy.ts';
import type { Queries } from './queries.ts';
import { readRefresh } from './refresh.ts';
import { toQueryProject } from './wire.ts';

const KINDS: Readonly<Record<string, LegacyInsight>> = {
  trend: 'TRENDS',
  funnel: 'FUNNELS',
  retention: 'RETENTION',
  path: 'PATHS',
};

const LegacyAnswer = z.looseObject({ result: z.unknown() });

export function legacyRoutes(queries: Queries): Route[] {
  const answer = async (
    insight: LegacyInsight,
    { project, query, body, left }: Pick<ProjectContext, 'project' | 'query' | 'body' | 'left'>,
  ) => {
    const filters = { ...Object.fromEntries(query), ...(body as object | undefined) } as Record<string, unknown>;
    // Trends by the older address may be stickiness or lifecycle: the question says.
    const named = insight === 'TRENDS' && filters.insight ? filters.insight : insight;
    const found = await queries.ask({
      project: toQueryProject(project),
      query: fromLegacy({ ...filters, insight: named }),
      refresh: readRefresh(filters.refresh) === 'force_blocking' ? 'force_blocking' : 'blocking',
      client_query_id: typeof filters.client_query_id === 'string' ? filters.client_query_id : undefined,
      left,
    });
    const { results: result, timezone, timings, last_refresh, is_cached } = found;
    return { result, timezone, timings, last_refresh, is_cached, next: null };
  };

  return [
    ...Object.entries(KINDS).flatMap(([name, insight]) =>
      (['GET', 'POST'] as const).map((method) =>
        projectRoute(method, `/insights/${name}/`, {
          summary: `The older way to ask for ${insight.toLowerCase()}`,
          scope: 'insight:read',
          limit: 'analytics',
          ...(method === 'POST' && { body: z.looseObject({}) }),
          returns: LegacyAnswer,
          handle: (context) => answer(insight, context as never),
        }),
      ),
    ),

    projectRoute('POST', '/insights/cancel/', {
      summary: 'Stop a query by the name that its client gave it',
      scope: 'insight:read',
      body: z.looseObject({}),
      status: 201,
      async handle({ project, body }) {
        const { client_query_id } = body as { client_query_id?: unknown };
        if (typeof client_query_id !== 'string') throw invalid('Field is required.', 'client_query_id');
        await queries.cancel(project.id, client_query_id);
        return new Reply(201, null);
      },
    }),
  ];
}
