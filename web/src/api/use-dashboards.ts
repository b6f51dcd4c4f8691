// Dashboards: the list, and what is done to a whole one.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { showUndo } from '../ui/messages.tsx';
import { api, type Page } from './client.ts';
import type { Insight } from './use-insights.ts';
import { projectPath, useProjectId } from './use-project.ts';

export interface UserBasic {
  id: number;
  uuid: string;
  first_name: string;
  last_name: string;
  email: string;
}

export interface DashboardBasic {
  id: number;
  name: string | null;
  description: string;
  pinned: boolean;
  created_at: string;
  created_by: UserBasic | null;
  is_shared: boolean;
  deleted: boolean;
  tags: string[];
  restriction_level: 21 | 37;
  effective_privilege_level: 21 | 37;
  user_access_level: string;
}

export interface TileLayout {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Tile {
  id: number;
  layouts: { sm?: TileLayout; xs?: TileLayout };
  color: string | null;
  insight: Insight | null;
  text: { id: number; body: string | null } | null;
  last_refresh: string | null;
  is_cached: boolean;
}

export interface DashboardFilters {
  date_from?: string | null;
  date_to?: string | null;
  properties?: unknown[] | null;
  breakdown_filter?: Record<string, unknown> | null;
}

export interface Dashboard extends DashboardBasic {
  filters: DashboardFilters;
  tiles: Tile[];
}

export type DashboardChange = Partial<
  Pick<DashboardBasic, 'name' | 'description' | 'pinned' | 'deleted' | 'tags' | 'restriction_level'>
> & {
  filters?: DashboardFilters;
  delete_insights?: boolean;
  tiles?: Partial<Tile & { deleted: boolean }>[];
};

export interface DashboardDraft {
  name?: string;
  description?: string;
  use_template?: string;
  use_dashboard?: number;
  duplicate_tiles?: boolean;
}

const LIST_MAX = 500;

export const dashboardsKey = (projectId: number) => ['dashboards', projectId] as const;
export const dashboardKey = (projectId: number, id: number) => ['dashboard', projectId, id] as const;

/** All of them: they are few, and searching what is here answers while one types. */
export const dashboardsQuery = (projectId: number) =>
  queryOptions({
    queryKey: dashboardsKey(projectId),
    queryFn: ({ signal }) =>
      api.get<Page<DashboardBasic>>(projectPath(projectId, '/dashboards/'), { query: { limit: LIST_MAX }, signal }),
  });

export const dashboardQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: dashboardKey(projectId, id),
    queryFn: ({ signal }) => api.get<Dashboard>(projectPath(projectId, `/dashboards/${id}/`), { signal }),
  });

export function useCreateDashboard() {
  const projectId = useProjectId();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (draft: DashboardDraft) => api.post<Dashboard>(projectPath(projectId, '/dashboards/'), draft),
    onSuccess: () => client.invalidateQueries({ queryKey: dashboardsKey(projectId) }),
  });
}

/** Shows the change at once, and takes it back when the server refuses it. */
export function useChangeDashboard(id: number) {
  const projectId = useProjectId();
  const client = useQueryClient();
  const [listKey, ownKey] = [dashboardsKey(projectId), dashboardKey(projectId, id)];
  return useMutation({
    mutationFn: (change: DashboardChange) => api.patch<Dashboard>(projectPath(projectId, `/dashboards/${id}/`), change),
    async onMutate({ tiles: _tiles, ...change }) {
      await client.cancelQueries({ queryKey: listKey });
      const before = { list: client.getQueryData(listKey), own: client.getQueryData(ownKey) };
      client.setQueryData<Page<DashboardBasic>>(
        listKey,
        (page) =>
          page && { ...page, results: page.results.map((each) => (each.id === id ? { ...each, ...change } : each)) },
      );
      client.setQueryData<Dashboard>(ownKey, (dashboard) => dashboard && { ...dashboard, ...change });
      return before;
    },
    onError: (_error, _change, before) => {
      client.setQueryData(listKey, before?.list);
      client.setQueryData(ownKey, before?.own);
    },
    onSuccess: (dashboard) => {
      if (!dashboard.deleted) client.setQueryData(ownKey, dashboard);
    },
    onSettled: () => client.invalidateQueries({ queryKey: listKey }),
  });
}

/** Deletes it and offers to bring it back: the record stays. */
export function useDeleteDashboard(id: number) {
  const projectId = useProjectId();
  const client = useQueryClient();
  const listKey = dashboardsKey(projectId);
  const setDeleted = async (deleted: boolean) => {
    await api.patch(projectPath(projectId, `/dashboards/${id}/`), { deleted });
    await client.invalidateQueries({ queryKey: listKey });
  };
  const remove = useMutation({
    mutationFn: (_name: string) => setDeleted(true),
    onMutate: () =>
      client.setQueryData<Page<DashboardBasic>>(
        listKey,
        (page) => page && { ...page, results: page.results.filter((each) => each.id !== id) },
      ),
    onError: () => client.invalidateQueries({ queryKey: listKey }),
    onSuccess: (_done, name) => showUndo(`“${name}” was deleted.`, () => setDeleted(false)),
  });
  return remove.mutate;
}
