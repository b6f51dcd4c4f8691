// Asking questions. Answers are kept by question, so that a tile and its builder share one.
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { QueryNode } from '../query/nodes.ts';
import type { QueryAnswer } from '../query/results.ts';
import { api } from './client.ts';
import { environmentPath, useProjectId } from './use-project.ts';

const ANSWER_STALE_MS = 60_000;

export const answerKey = (projectId: number, node: QueryNode) => ['answer', projectId, JSON.stringify(node)] as const;

const ask = (projectId: number, query: QueryNode, refresh: 'blocking' | 'force_blocking', signal?: AbortSignal) =>
  api.post<QueryAnswer>(environmentPath(projectId, '/query/'), { query, refresh }, { ...(signal && { signal }) });

export const answerQuery = (projectId: number, node: QueryNode) =>
  queryOptions({
    queryKey: answerKey(projectId, node),
    queryFn: ({ signal }) => ask(projectId, node, 'blocking', signal),
    staleTime: ANSWER_STALE_MS,
    placeholderData: keepPreviousData,
  });

/** Computes anew, whatever is cached. */
export function useRefreshAnswer() {
  const projectId = useProjectId();
  const client = useQueryClient();
  return async (node: QueryNode) => {
    const answer = await ask(projectId, node, 'force_blocking');
    client.setQueryData(answerKey(projectId, node), answer);
    return answer;
  };
}

export interface Actor {
  id: string;
  name: string;
  distinctId: string | null;
  properties: Record<string, unknown>;
}

/** The part of a chart that was clicked. */
export interface ChartPoint {
  title: string;
  day?: string | number | undefined;
  series?: number | undefined;
  breakdown?: unknown;
  compare?: 'current' | 'previous' | undefined;
  status?: string | undefined;
  /** Funnels: 1 for the first step, negative for those who left before it. */
  funnelStep?: number | undefined;
  funnelStepBreakdown?: unknown;
  /** Retention: the row. */
  interval?: number | undefined;
}

const ACTORS_PAGE = 100;

export const actorsQuery = (
  projectId: number,
  source: QueryNode,
  { title: _title, ...point }: ChartPoint,
  offset = 0,
) => {
  const isFunnel = point.funnelStep !== undefined;
  const node: QueryNode = {
    kind: 'ActorsQuery',
    source: { kind: isFunnel ? 'FunnelsActorsQuery' : 'InsightActorsQuery', source, ...point },
    select: ['actor', 'event_count'],
    limit: ACTORS_PAGE,
    offset,
  };
  return queryOptions({
    queryKey: ['actors', projectId, JSON.stringify(node)],
    queryFn: ({ signal }) => ask(projectId, node, 'blocking', signal),
  });
};
