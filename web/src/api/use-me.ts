// The person at the screen, the projects they work in, and signing in and out.
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api } from './client.ts';

export interface Project {
  id: number;
  uuid: string;
  organization: string;
  api_token: string;
  name: string;
  timezone: string;
  ingested_event: boolean;
}

export interface Organization {
  id: string;
  name: string;
  membership_level: 1 | 8 | 15;
}

export interface Me {
  id: number;
  uuid: string;
  distinct_id: string;
  first_name: string;
  last_name: string;
  email: string;
  has_password: boolean;
  is_staff: boolean;
  role_at_organization: string | null;
  theme_mode: 'light' | 'dark' | 'system' | null;
  sensitive_session_expires_at: string | null;
  has_seen_product_intro_for: Record<string, unknown> | null;
  team: Project | null;
  organization: (Organization & { teams: Project[] }) | null;
  organizations: Organization[];
}

export type MeChange = Partial<
  Pick<Me, 'first_name' | 'last_name' | 'email' | 'role_at_organization' | 'theme_mode' | 'has_seen_product_intro_for'>
> & {
  password?: string;
  current_password?: string;
  set_current_team?: number;
  set_current_organization?: string;
};

export const meQuery = queryOptions({ queryKey: ['me'], queryFn: () => api.get<Me>('/api/users/@me/') });

/** Only below routes that have made sure that somebody is signed in. */
export const useMe = () => useSuspenseQuery(meQuery).data;

export function useChangeMe(meta: { quiet?: boolean } = {}) {
  const client = useQueryClient();
  return useMutation({
    meta,
    mutationFn: (change: MeChange) => api.patch<Me>('/api/users/@me/', change),
    onSuccess: (me) => client.setQueryData(meQuery.queryKey, me),
  });
}

export interface Credentials {
  email: string;
  password: string;
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    meta: { quiet: true },
    mutationFn: (credentials: Credentials) => api.post('/api/login/', credentials),
    // Nothing that somebody else fetched is shown.
    onSuccess: () => client.clear(),
  });
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => api.post('/api/logout/'),
    // A whole new page: nothing of the session stays in memory.
    onSuccess: () => window.location.assign('/login'),
  });
}
