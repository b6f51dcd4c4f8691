// Who belongs to the organization, and who is asked to.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Page } from './client.ts';
import type { UserBasic } from './use-dashboards.ts';

export type Level = 1 | 8 | 15;
export const levelNames: Readonly<Record<Level, string>> = { 1: 'Member', 8: 'Admin', 15: 'Owner' };

export interface Member {
  id: string;
  user: UserBasic;
  level: Level;
  joined_at: string;
}

export interface Invite {
  id: string;
  target_email: string;
  first_name: string;
  level: Level;
  is_expired: boolean;
  created_at: string;
}

const pathOf = (organizationId: string, rest: string) => `/api/organizations/${organizationId}${rest}`;
const membersKey = (organizationId: string) => ['members', organizationId] as const;
const invitesKey = (organizationId: string) => ['invites', organizationId] as const;

export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: membersKey(organizationId),
    queryFn: () => api.get<Page<Member>>(pathOf(organizationId, '/members/'), { query: { limit: 500 } }),
  });

export const invitesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: invitesKey(organizationId),
    queryFn: () => api.get<Page<Invite>>(pathOf(organizationId, '/invites/'), { query: { limit: 500 } }),
  });

export function useInvites(organizationId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: invitesKey(organizationId) });
  const invite = useMutation({
    meta: { quiet: true },
    mutationFn: (draft: { target_email: string; level: Level }) =>
      api.post<Invite>(pathOf(organizationId, '/invites/'), draft),
    onSuccess,
  });
  const withdraw = useMutation({
    mutationFn: (id: string) => api.delete(pathOf(organizationId, `/invites/${id}/`)),
    onSuccess,
  });
  return { invite, withdraw };
}

export function useMembers(organizationId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: membersKey(organizationId) });
  const setLevel = useMutation({
    mutationFn: ({ uuid, level }: { uuid: string; level: Level }) =>
      api.patch<Member>(pathOf(organizationId, `/members/${uuid}/`), { level }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (uuid: string) => api.delete(pathOf(organizationId, `/members/${uuid}/`)),
    onSuccess,
  });
  return { setLevel, remove };
}
