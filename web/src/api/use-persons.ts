// Persons: found, changed, taken apart, deleted. Properties change by an event, so a change shows a moment later.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { PersonFilter } from '../pickers/person-filter.ts';
import { api } from './client.ts';
import { pagesOf } from './next-page.ts';
import { projectPath, useProjectId } from './use-project.ts';

export interface Person {
  id: string | number;
  uuid: string;
  name: string;
  distinct_ids: string[];
  properties: Record<string, unknown>;
  created_at: string;
}

export interface ListedPerson extends Person {
  is_identified: boolean;
}

export interface PersonPage {
  next: string | null;
  previous: string | null;
  results: ListedPerson[];
}

export interface PersonSearch {
  search?: string | undefined;
  properties?: PersonFilter[] | undefined;
}

export const personsQuery = (projectId: number, { search, properties = [] }: PersonSearch) =>
  pagesOf<PersonPage>(['persons', projectId, search ?? '', properties], projectPath(projectId, '/persons/'), {
    search,
    limit: 50,
    properties: properties.length > 0 ? JSON.stringify(properties) : undefined,
  });

const personKey = (projectId: number, uuid: string) => ['person', projectId, uuid] as const;

export const personQuery = (projectId: number, uuid: string) =>
  queryOptions({
    queryKey: personKey(projectId, uuid),
    queryFn: ({ signal }) => api.get<Person>(projectPath(projectId, `/persons/${uuid}/`), { signal }),
  });

/** Whom a distinct id belongs to; undefined when that is nobody known. */
export const personOfIdQuery = (projectId: number, distinct_id: string) =>
  queryOptions({
    queryKey: ['person-of', projectId, distinct_id],
    queryFn: async ({ signal }) => {
      const path = projectPath(projectId, '/persons/');
      const { results } = await api.get<PersonPage>(path, { query: { distinct_id }, signal });
      return { person: results[0] };
    },
  });

export const personSearchQuery = (projectId: number, search: string) =>
  queryOptions({
    queryKey: ['person-search', projectId, search],
    queryFn: ({ signal }) =>
      api.get<PersonPage>(projectPath(projectId, '/persons/'), { query: { search, limit: 20 }, signal }),
  });

export function usePersonChanges(uuid: string) {
  const projectId = useProjectId();
  const client = useQueryClient();
  const path = (rest = '') => projectPath(projectId, `/persons/${uuid}/${rest}`);
  const key = personKey(projectId, uuid);
  /** The change is on its way; what is shown says already what it will be. */
  const show = (change: (before: Record<string, unknown>) => Record<string, unknown>) => {
    const before = client.getQueryData<Person>(key);
    if (before) client.setQueryData<Person>(key, { ...before, properties: change(before.properties) });
    return { before };
  };
  const restore = (_error: Error, _variables: unknown, context: { before: Person | undefined } | undefined) =>
    client.setQueryData(key, context?.before);
  const setProperty = useMutation({
    mutationFn: (change: { key: string; value: unknown }) => api.post(path('update_property/'), change),
    onMutate: ({ key: name, value }) => show((properties) => ({ ...properties, [name]: value })),
    onError: restore,
  });
  const removeProperty = useMutation({
    mutationFn: ({ name }: { name: string }) => api.post(path('delete_property/'), { $unset: name }),
    onMutate: ({ name }) => show(({ [name]: _removed, ...rest }) => rest),
    onError: restore,
  });
  const split = useMutation({
    mutationFn: (main_distinct_id: string) => api.post(path('split/'), { main_distinct_id }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: key }),
        client.invalidateQueries({ queryKey: ['person-of', projectId] }),
        client.invalidateQueries({ queryKey: ['persons', projectId] }),
      ]),
  });
  const remove = useMutation({
    mutationFn: ({ withEvents }: { withEvents: boolean }) =>
      api.delete(path(), { query: { delete_events: withEvents ? true : undefined } }),
    onSuccess: () => {
      client.removeQueries({ queryKey: key });
      client.removeQueries({ queryKey: ['person-of', projectId] });
      return client.invalidateQueries({ queryKey: ['persons', projectId] });
    },
  });
  return { setProperty, removeProperty, split, remove };
}
