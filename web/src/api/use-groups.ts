// Groups: companies, teams, whatever people belong to together.
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { pagesOf } from './next-page.ts';
import { projectPath } from './use-project.ts';

export interface GroupType {
  group_type: string;
  group_type_index: number;
  name_singular: string | null;
  name_plural: string | null;
}

export interface Group {
  group_type_index: number;
  group_key: string;
  group_properties: Record<string, unknown>;
  created_at: string;
}

export const groupTypesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['group-types', projectId],
    queryFn: ({ signal }) => api.get<GroupType[]>(projectPath(projectId, '/groups_types/'), { signal }),
  });

export const groupsQuery = (projectId: number, group_type_index: number, search: string | undefined) =>
  pagesOf<{ next: string | null; results: Group[] }>(
    ['groups', projectId, group_type_index, search ?? ''],
    projectPath(projectId, '/groups/'),
    { group_type_index, search },
  );

export const groupQuery = (projectId: number, group_type_index: number, group_key: string) =>
  queryOptions({
    queryKey: ['group', projectId, group_type_index, group_key],
    queryFn: ({ signal }) =>
      api.get<Group>(projectPath(projectId, '/groups/find/'), { query: { group_type_index, group_key }, signal }),
  });
