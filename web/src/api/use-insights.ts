// Insights as objects: saved questions, with whatever was last answered.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryNode } from '../query/nodes.ts';
import { showUndo } from '../ui/messages.tsx';
import { api, type Page } from './client.ts';
import { projectPath, useProjectId } from './use-project.ts';

export interface Insight {
  id: number;
  short_id: string;
  name: string | null;
  derived_name: string | null;
  description: string | null;
  query: QueryNode | null;
  dashboards: number[];
  tags: string[];
  saved: boolean;
  favorited: boolean;
  created_at: string;
  last_modified_at: string;
  result: unknown;
  columns: string[] | null;
  types: unknown[] | null;
  hasMore: boolean | null;
  last_refresh: string | null;
  is_cached: boolean;
  timezone: string | null;
  effective_privilege_level: 21 | 37;
}

export type InsightDraft = Partial<
  Pick<Insight, 'name' | 'derived_name' | 'description' | 'dashboards' | 'tags' | 'saved' | 'favorited'>
> & { query?: QueryNode; deleted?: boolean };

export interface InsightListQuestion {
  search?: string | undefined;
  kind?: string | undefined;
  favorited?: boolean | undefined;
  mine?: boolean | undefined;
  offset?: number | undefined;
}

export const INSIGHTS_PAGE = 50;

const insightsKey = (projectId: number) => ['insights', projectId] as const;
export const insightKey = (projectId: number, id: number) => ['insight', projectId, id] as const;

export const insightsQuery = (projectId: number, { search, kind, favorited, mine, offset }: InsightListQuestion) =>
  queryOptions({
    queryKey: [...insightsKey(projectId), { search, kind, favorited, mine, offset }],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.get<Page<Insight>>(projectPath(projectId, '/insights/'), {
        query: {
          search,
          insight: kind,
          favorited,
          user: mine,
          saved: true,
          basic: true,
          order: '-last_modified_at',
          limit: INSIGHTS_PAGE,
          offset,
        },
        signal,
      }),
  });

export const insightQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: insightKey(projectId, id),
    queryFn: ({ signal }) => api.get<Insight>(projectPath(projectId, `/insights/${id}/`), { signal }),
  });

function useInvalidate() {
  const projectId = useProjectId();
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: insightsKey(projectId) }),
      client.invalidateQueries({ queryKey: ['dashboard', projectId] }),
    ]);
  };
}

export function useCreateInsight() {
  const projectId = useProjectId();
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (draft: InsightDraft) =>
      api.post<Insight>(projectPath(projectId, '/insights/'), { saved: true, ...draft }),
    onSuccess: invalidate,
  });
}

export function useChangeInsight() {
  const projectId = useProjectId();
  const client = useQueryClient();
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ id, ...change }: InsightDraft & { id: number }) =>
      api.patch<Insight>(projectPath(projectId, `/insights/${id}/`), change),
    onSuccess: (insight, { deleted }) => {
      if (!deleted) client.setQueryData(insightKey(projectId, insight.id), insight);
      return invalidate();
    },
  });
}

export function useDeleteInsight() {
  const projectId = useProjectId();
  const invalidate = useInvalidate();
  const setDeleted = async (id: number, deleted: boolean) => {
    await api.patch(projectPath(projectId, `/insights/${id}/`), { deleted });
    await invalidate();
  };
  const remove = useMutation({
    mutationFn: ({ id }: { id: number; name: string }) => setDeleted(id, true),
    onSuccess: (_done, { id, name }) => showUndo(`“${name}” was deleted.`, () => setDeleted(id, false)),
  });
  return (id: number, name: string) => remove.mutate({ id, name });
}
