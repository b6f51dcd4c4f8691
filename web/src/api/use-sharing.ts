// Who else may see a dashboard: everyone with a link, or those who are invited.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from './client.ts';
import { dashboardKey, dashboardsKey, type UserBasic } from './use-dashboards.ts';
import { projectPath, useProjectId } from './use-project.ts';

export interface SharePassword {
  id: number;
  created_at: string;
  note: string | null;
}

export interface Sharing {
  enabled: boolean;
  access_token: string;
  password_required: boolean;
  share_passwords: SharePassword[];
  settings: Record<string, unknown> | null;
}

const pathOf = (projectId: number, dashboardId: number) =>
  projectPath(projectId, `/dashboards/${dashboardId}/sharing/`);
const sharingKey = (projectId: number, dashboardId: number) => ['sharing', projectId, dashboardId] as const;

export const sharingQuery = (projectId: number, dashboardId: number) =>
  queryOptions({
    queryKey: sharingKey(projectId, dashboardId),
    queryFn: () => api.get<Sharing>(pathOf(projectId, dashboardId)),
  });

export function useSharing(dashboardId: number) {
  const projectId = useProjectId();
  const client = useQueryClient();
  const key = sharingKey(projectId, dashboardId);
  const path = pathOf(projectId, dashboardId);
  const onSuccess = (sharing: Sharing) => {
    client.setQueryData(key, sharing);
    void client.invalidateQueries({ queryKey: dashboardsKey(projectId) });
    void client.invalidateQueries({ queryKey: dashboardKey(projectId, dashboardId) });
  };
  const invalidate = () => client.invalidateQueries({ queryKey: key });
  return {
    change: useMutation({
      mutationFn: (change: Partial<Pick<Sharing, 'enabled' | 'password_required' | 'settings'>>) =>
        api.patch<Sharing>(path, change),
      onSuccess,
    }),
    renew: useMutation({ mutationFn: () => api.post<Sharing>(`${path}refresh/`), onSuccess }),
    addPassword: useMutation({
      mutationFn: (draft: { raw_password?: string; note?: string }) =>
        api.post<{ id: number; password: string }>(`${path}passwords/`, draft),
      onSuccess: invalidate,
    }),
    removePassword: useMutation({
      mutationFn: (id: number) => api.delete(`${path}passwords/${id}/`),
      onSuccess: invalidate,
    }),
  };
}

export interface Collaborator {
  id: string;
  user: UserBasic;
  level: 21 | 37;
}

const collaboratorsPath = (projectId: number, dashboardId: number) =>
  projectPath(projectId, `/dashboards/${dashboardId}/collaborators/`);
const collaboratorsKey = (projectId: number, dashboardId: number) => ['collaborators', projectId, dashboardId] as const;

export const collaboratorsQuery = (projectId: number, dashboardId: number) =>
  queryOptions({
    queryKey: collaboratorsKey(projectId, dashboardId),
    queryFn: () => api.get<Collaborator[]>(collaboratorsPath(projectId, dashboardId)),
  });

export function useCollaborators(dashboardId: number) {
  const projectId = useProjectId();
  const client = useQueryClient();
  const path = collaboratorsPath(projectId, dashboardId);
  const onSuccess = () => client.invalidateQueries({ queryKey: collaboratorsKey(projectId, dashboardId) });
  return {
    add: useMutation({
      mutationFn: (user_uuid: string) => api.post<Collaborator>(path, { user_uuid, level: 37 }),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (user_uuid: string) => api.delete(`${path}${user_uuid}/`), onSuccess }),
  };
}
