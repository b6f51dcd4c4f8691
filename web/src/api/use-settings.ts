// What is set for a whole project or organization. Changes are shown at once and can be taken back.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { PropertyFilter } from '../query/nodes.ts';
import { showUndo } from '../ui/messages.tsx';
import { api } from './client.ts';
import { meQuery, type Organization, type Project } from './use-me.ts';
import { projectPath } from './use-project.ts';

export interface ProjectSettings extends Project {
  anonymize_ips: boolean;
  person_processing_opt_out: boolean | null;
  drop_events_older_than_seconds: number | null;
  test_account_filters: PropertyFilter[];
  /** New insights leave test accounts out. */
  test_account_filters_default_checked: boolean | null;
  person_display_name_properties: string[] | null;
  /** 0 Sunday, 1 Monday. */
  week_start_day: 0 | 1 | null;
}

export type ProjectChange = Partial<Omit<ProjectSettings, 'id' | 'uuid' | 'organization' | 'api_token'>>;

export interface OrganizationSettings extends Organization {
  members_can_invite: boolean;
  members_can_use_personal_api_keys: boolean;
  member_count: number;
}

export type OrganizationChange = Partial<
  Pick<OrganizationSettings, 'name' | 'members_can_invite' | 'members_can_use_personal_api_keys'>
>;

export const projectQuery = (id: number) =>
  queryOptions({
    queryKey: ['project', id],
    queryFn: ({ signal }) => api.get<ProjectSettings>(projectPath(id, '/'), { signal }),
  });

const organizationPath = (id: string) => `/api/organizations/${id}/`;

export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['organization', id],
    queryFn: ({ signal }) => api.get<OrganizationSettings>(organizationPath(id), { signal }),
  });

/** Changes of a record that is read and changed under one path; undo sends what the changed fields were before. */
function useSettings<T extends object, Change extends Partial<T>>(queryKey: readonly unknown[], path: string) {
  const client = useQueryClient();
  const send = async (change: Partial<T>) => {
    client.setQueryData(queryKey, await api.patch<T>(path, change));
    // Names and time zones come with the person who is signed in, too.
    await client.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  return useMutation({
    mutationFn: (change: Change) => send(change),
    onMutate: (change) => {
      const before = client.getQueryData<T>(queryKey);
      if (before) client.setQueryData(queryKey, { ...before, ...change });
      return before;
    },
    onError: (_error, _change, before) => client.setQueryData(queryKey, before),
    onSuccess: (_done, change, before) => {
      if (!before) return;
      const former = Object.fromEntries(Object.keys(change).map((name) => [name, before[name as keyof T]]));
      showUndo('Saved.', () => send(former as Partial<T>));
    },
  });
}

export const useChangeProject = (id: number) =>
  useSettings<ProjectSettings, ProjectChange>(projectQuery(id).queryKey, projectPath(id, '/'));

export const useChangeOrganization = (id: string) =>
  useSettings<OrganizationSettings, OrganizationChange>(organizationQuery(id).queryKey, organizationPath(id));

/** The old key stops working at once. */
export function useRenewKey(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.patch<ProjectSettings>(projectPath(id, '/reset_token/'), {}),
    onSuccess: (project) => {
      client.setQueryData(projectQuery(id).queryKey, project);
      return client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
}

export const useCreateProject = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (draft: Pick<Project, 'name' | 'timezone'>) => api.post<Project>('/api/projects/', draft),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
};

export const useCreateOrganization = () =>
  useMutation({
    mutationFn: async (name: string) => {
      const { id } = await api.post<Organization>('/api/organizations/', { name });
      await api.patch('/api/users/@me/', { set_current_organization: id });
    },
    // Everything on screen belongs to the one before.
    onSuccess: () => window.location.assign('/account/projects'),
  });

/** Gone for good, with everything in it: nothing on screen is true any more. */
const useDelete = (path: string) =>
  useMutation({ mutationFn: () => api.delete(path), onSuccess: () => window.location.assign('/') });

export const useDeleteProject = (id: number) => useDelete(projectPath(id, '/'));
export const useDeleteOrganization = (id: string) => useDelete(organizationPath(id));
