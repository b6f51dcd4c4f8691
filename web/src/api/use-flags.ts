// Feature flags: the list, one of them, how it is used, what it is for somebody.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { PersonFilter } from '../pickers/person-filter.ts';
import { showUndo } from '../ui/messages.tsx';
import { api, type Page } from './client.ts';
import type { UserBasic } from './use-dashboards.ts';
import { projectPath, useProjectId } from './use-project.ts';

export interface FlagCondition {
  properties: PersonFilter[];
  /** Of those for whom the properties hold; null is everybody. */
  rollout_percentage: number | null;
  /** Whoever comes in here gets this one. */
  variant?: string | null;
}

export interface FlagVariant {
  key: string;
  name?: string;
  rollout_percentage: number;
}

export interface FlagFilters {
  groups: FlagCondition[];
  multivariate?: { variants: FlagVariant[] } | null;
  /** JSON texts, by variant, or `true`. */
  payloads?: Record<string, string>;
  aggregation_group_type_index?: number | null;
  super_groups?: unknown;
}

export type FlagStatus = 'ACTIVE' | 'INACTIVE' | 'STALE' | 'DELETED';

export interface Flag {
  id: number;
  key: string;
  /** Really the description. */
  name: string;
  filters: FlagFilters;
  active: boolean;
  deleted: boolean;
  created_at: string;
  updated_at: string;
  created_by: UserBasic | null;
  last_modified_by: UserBasic | null;
  last_called_at: string | null;
  version: number;
  rollout_percentage: number | null;
  ensure_experience_continuity: boolean;
  evaluation_runtime: 'all' | 'client' | 'server';
  is_remote_configuration: boolean;
  has_encrypted_payloads: boolean;
  status: FlagStatus;
  tags: string[];
  features: { id: string; name: string; stage: string }[];
}

export type FlagDraft = Pick<Flag, 'key' | 'name' | 'filters' | 'active'> &
  Partial<Pick<Flag, 'ensure_experience_continuity' | 'evaluation_runtime' | 'tags'>>;
export type FlagChange = Partial<FlagDraft> & { deleted?: boolean; version?: number };

const LIST_MAX = 1_000;

const flagsKey = (projectId: number) => ['flags', projectId] as const;
const flagKey = (projectId: number, id: number) => ['flag', projectId, id] as const;
const pathOf = (projectId: number, rest = '') => projectPath(projectId, `/feature_flags/${rest}`);

export const flagsQuery = (projectId: number) =>
  queryOptions({
    queryKey: flagsKey(projectId),
    queryFn: ({ signal }) => api.get<Page<Flag>>(pathOf(projectId), { query: { limit: LIST_MAX }, signal }),
  });

export const flagSearchQuery = (projectId: number, search: string) =>
  queryOptions({
    queryKey: ['flag-search', projectId, search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.get<Page<Flag>>(pathOf(projectId), { query: { search, limit: 50 }, signal }),
  });

export const flagQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: flagKey(projectId, id),
    queryFn: ({ signal }) => api.get<Flag>(pathOf(projectId, `${id}/`), { signal }),
  });

export const flagStatusQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...flagKey(projectId, id), 'status'],
    queryFn: ({ signal }) =>
      api.get<{ status: string; reason: string }>(pathOf(projectId, `${id}/status/`), { signal }),
  });

export interface FlagUsage {
  date_from: string;
  date_to: string;
  calls: number;
  last_called_at: string | null;
  responses: { response: string; calls: number; persons: number; last_called_at: string }[];
  days: { day: string; response: string; calls: number }[];
}

export const flagUsageQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...flagKey(projectId, id), 'usage'],
    queryFn: ({ signal }) => api.get<FlagUsage>(pathOf(projectId, `${id}/usage/`), { signal }),
  });

export interface Activity {
  id: string;
  user: UserBasic | null;
  activity: string;
  detail: { changes?: { field: string; before: unknown; after: unknown }[] };
  created_at: string;
}

export const flagActivityQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...flagKey(projectId, id), 'activity'],
    queryFn: ({ signal }) =>
      api.get<{ results: Activity[] }>(pathOf(projectId, `${id}/activity/`), { query: { limit: 50 }, signal }),
  });

export interface Evaluation {
  reason: string;
  condition_index: number | null;
}

/** What every flag is for somebody now, and why. */
export const evaluationsQuery = (projectId: number, distinct_id: string) =>
  queryOptions({
    queryKey: ['evaluations', projectId, distinct_id],
    staleTime: 0,
    queryFn: ({ signal }) =>
      api.get<Record<string, { value: boolean | string; evaluation: Evaluation }>>(
        pathOf(projectId, 'evaluation_reasons/'),
        { query: { distinct_id }, signal },
      ),
  });

export interface BlastRadius {
  users_affected: number;
  total_users: number;
}

export const blastRadiusQuery = (
  projectId: number,
  properties: readonly PersonFilter[],
  group_type_index: number | null,
) =>
  queryOptions({
    queryKey: ['blast-radius', projectId, group_type_index, JSON.stringify(properties)],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.post<BlastRadius>(
        pathOf(projectId, 'user_blast_radius/'),
        { condition: { properties }, group_type_index },
        { signal },
      ),
  });

export function useCreateFlag() {
  const projectId = useProjectId();
  const client = useQueryClient();
  return useMutation({
    meta: { quiet: true },
    mutationFn: (draft: FlagDraft) => api.post<Flag>(pathOf(projectId), draft),
    onSuccess: () => client.invalidateQueries({ queryKey: flagsKey(projectId) }),
  });
}

/** Shows the change at once, and takes it back when the server refuses it. */
export function useChangeFlag(id: number, meta: { quiet?: boolean } = {}) {
  const projectId = useProjectId();
  const client = useQueryClient();
  const [listKey, ownKey] = [flagsKey(projectId), flagKey(projectId, id)];
  return useMutation({
    meta,
    mutationFn: (change: FlagChange) => api.patch<Flag>(pathOf(projectId, `${id}/`), change),
    async onMutate({ version: _version, ...change }) {
      await client.cancelQueries({ queryKey: listKey });
      const before = { list: client.getQueryData(listKey), own: client.getQueryData(ownKey) };
      client.setQueryData<Page<Flag>>(
        listKey,
        (page) =>
          page && { ...page, results: page.results.map((each) => (each.id === id ? { ...each, ...change } : each)) },
      );
      return before;
    },
    onError: (_error, _change, before) => client.setQueryData(listKey, before?.list),
    onSuccess: (flag) => {
      client.setQueryData(ownKey, flag);
      void client.invalidateQueries({ queryKey: ['evaluations', projectId] });
      return client.invalidateQueries({ queryKey: ownKey });
    },
    onSettled: () => client.invalidateQueries({ queryKey: listKey }),
  });
}

/** Deletes it and offers to bring it back: the record stays. */
export function useDeleteFlag(id: number) {
  const change = useChangeFlag(id);
  return (key: string, onDeleted?: () => void) =>
    change.mutate(
      { deleted: true },
      {
        onSuccess: () => {
          onDeleted?.();
          showUndo(`“${key}” was deleted.`, () => change.mutateAsync({ deleted: false }));
        },
      },
    );
}
