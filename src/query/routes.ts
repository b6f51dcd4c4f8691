// The endpoint of all queries.

import { z } from 'zod';
import { fieldRequired, notFound } from '../http/errors.ts';
import { type ProjectContext, projectRoute, Reply, type Route } from '../http/route.ts';
import { applyToQuery } from './apply-filters.ts';
import { type Queries, unwrap } from './queries.ts';
import { readRefresh } from './refresh.ts';
import { QueryAnswer, QueryDraft, StatusAnswer, toQueryProject } from './wire.ts';

type Asked = Pick<ProjectContext<z.output<typeof QueryDraft>>, 'project' | 'body' | 'query' | 'params' | 'left'>;

export function queryRoutes(queries: Queries): Route[] {
  const ask = async ({ project, body, query, params, left }: Asked) => {
    if (body.query === undefined || body.query === null) throw fieldRequired('query');
    const given = readRefresh(body.refresh ?? query.get('refresh') ?? undefined, body.async ? 'async' : 'blocking');
    const answer = await queries.ask({
      project: toQueryProject(project),
      query: withOverrides(withKind(body.query, params.id), body),
      refresh: given === 'force_cache' ? 'blocking' : given,
      client_query_id: body.client_query_id ?? undefined,
      left,
    });
    return new Reply(answer.query_status && !answer.query_status.complete ? 202 : 200, answer);
  };

  return [
    projectRoute('POST', '/query/', {
      summary: 'Ask a question: trends, funnels, retention, SQL and others',
      scope: 'query:read',
      limit: 'query',
      accepts: ['json'],
      body: QueryDraft,
      returns: QueryAnswer,
      handle: ask,
    }),

    projectRoute('POST', '/query/:id/', {
      summary: 'The same, for clients that name the kind in the address',
      scope: 'query:read',
      limit: 'query',
      accepts: ['json'],
      body: QueryDraft,
      returns: QueryAnswer,
      handle: ask,
    }),

    projectRoute('GET', '/query/:id/', {
      summary: 'How far a query is that runs while nobody waits',
      scope: 'query:read',
      returns: StatusAnswer,
      async handle({ project, params }) {
        const found = await queries.findStatus(project.id, params.id ?? '');
        if (!found) throw notFound(`Query ${params.id} not found for team ${project.id}`);
        const { run, status } = found;
        return new Reply(statusOf(run), { query_status: status });
      },
    }),

    projectRoute('DELETE', '/query/:id/', {
      summary: 'Stop a query',
      scope: 'query:read',
      returns: z.strictObject({ message: z.string() }),
      async handle({ project, params }) {
        await queries.cancel(project.id, params.id ?? '');
        return { message: 'Query task revoked' };
      },
    }),
  ];
}

/** While it runs 202; afterwards 200, or what kind of failure it was. */
function statusOf({ ended_at, error_status }: { ended_at: string | null; error_status: number | null }): number {
  if (ended_at === null) return 202;
  if (error_status === null) return 200;
  return error_status >= 400 && error_status < 500 ? 400 : error_status;
}

/** A kind in the address goes with a query that does not say its own. */
function withKind(query: unknown, kind: string | undefined): unknown {
  const node = kind && typeof query === 'object' && query !== null && !('kind' in query) ? { ...query, kind } : query;
  return node;
}

function withOverrides(query: unknown, { filters_override, variables_override }: Asked['body']): unknown {
  const node = unwrap(query);
  if (!node) return query;
  const filtered = filters_override ? applyToQuery(node, filters_override) : node;
  if (!variables_override || filtered.kind !== 'HogQLQuery') return filtered;
  const variables = { ...(filtered.variables as object | undefined), ...variables_override };
  return { ...filtered, variables };
}
