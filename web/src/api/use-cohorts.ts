// Cohorts: people who have something in common, by what is known of them, by what they did, or named one by one.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { showUndo } from '../ui/messages.tsx';
import { api, type Page } from './client.ts';
import { pagesOf } from './next-page.ts';
import type { UserBasic } from './use-dashboards.ts';
import type { PersonPage } from './use-persons.ts';
import { projectPath, useProjectId } from './use-project.ts';

export interface Cohort {
  id: number;
  name: string | null;
  description: string;
  deleted: boolean;
  filters: { properties: FilterTree } | null;
  is_calculating: boolean;
  is_static: boolean;
  count: number | null;
  created_at: string;
  created_by: UserBasic | null;
  last_calculation: string | null;
  errors_calculating: number;
}

export interface FilterTree {
  type: 'AND' | 'OR';
  values: (FilterTree | Record<string, unknown>)[];
}

export interface CohortDraft {
  name: string;
  description?: string;
  is_static?: boolean;
  filters?: { properties: FilterTree };
  csv?: string;
}

const LIST_MAX = 500;
const COUNTING_MS = 1_000;

const cohortsKey = (projectId: number) => ['cohorts', projectId] as const;
const cohortKey = (projectId: number, id: number) => ['cohort', projectId, id] as const;

export const cohortsQuery = (projectId: number) =>
  queryOptions({
    queryKey: cohortsKey(projectId),
    queryFn: ({ signal }) =>
      api.get<Page<Cohort>>(projectPath(projectId, '/cohorts/'), { query: { limit: LIST_MAX }, signal }),
    // While one is being counted, it is looked at again.
    refetchInterval: ({ state }) => (state.data?.results.some((each) => each.is_calculating) ? COUNTING_MS : false),
  });

export const cohortSearchQuery = (projectId: number, search: string) =>
  queryOptions({
    queryKey: ['cohort-search', projectId, search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.get<Page<Cohort>>(projectPath(projectId, '/cohorts/'), { query: { search, limit: 50 }, signal }),
  });

export const cohortQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: cohortKey(projectId, id),
    queryFn: ({ signal }) => api.get<Cohort>(projectPath(projectId, `/cohorts/${id}/`), { signal }),
    refetchInterval: ({ state }) => (state.data?.is_calculating ? COUNTING_MS : false),
  });

/** `asOf` is when it was last counted: other people may be in it after the next time. */
export const membersQuery = (projectId: number, id: number, asOf: string | null) =>
  pagesOf<PersonPage>(['cohort-members', projectId, id, asOf], projectPath(projectId, `/cohorts/${id}/persons/`), {
    limit: 50,
  });

export function useCreateCohort() {
  const projectId = useProjectId();
  const client = useQueryClient();
  return useMutation({
    meta: { quiet: true },
    mutationFn: (draft: CohortDraft) => api.post<Cohort>(projectPath(projectId, '/cohorts/'), draft),
    onSuccess: () => client.invalidateQueries({ queryKey: cohortsKey(projectId) }),
  });
}

export function useChangeCohort(id: number, meta: { quiet?: boolean } = {}) {
  const projectId = useProjectId();
  const client = useQueryClient();
  return useMutation({
    meta,
    mutationFn: (change: Partial<CohortDraft> & { deleted?: boolean }) =>
      api.patch<Cohort>(projectPath(projectId, `/cohorts/${id}/`), change),
    onSuccess: (cohort) => {
      client.setQueryData(cohortKey(projectId, id), cohort);
      return client.invalidateQueries({ queryKey: cohortsKey(projectId) });
    },
  });
}

/** Deletes it and offers to bring it back: the record stays. */
export function useDeleteCohort(id: number) {
  const change = useChangeCohort(id);
  return (name: string, onDeleted?: () => void) =>
    change.mutate(
      { deleted: true },
      {
        onSuccess: () => {
          onDeleted?.();
          showUndo(`“${name}” was deleted.`, () => change.mutateAsync({ deleted: false }));
        },
      },
    );
}

export function useCopyAsStatic() {
  const projectId = useProjectId();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.get<Cohort>(projectPath(projectId, `/cohorts/${id}/duplicate_as_static_cohort/`)),
    onSuccess: () => client.invalidateQueries({ queryKey: cohortsKey(projectId) }),
  });
}
