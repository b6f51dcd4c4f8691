// Personal API keys. A key's value is in one answer only: the one that made it.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from './client.ts';

export interface PersonalKey {
  id: string;
  label: string;
  value: string | null;
  mask_value: string;
  created_at: string;
  last_used_at: string | null;
  scopes: string[];
  scoped_teams: number[];
}

export interface KeyDraft {
  label: string;
  scopes: string[];
  scoped_teams?: number[];
}

const PATH = '/api/personal_api_keys/';

export const keysQuery = queryOptions({ queryKey: ['keys'], queryFn: () => api.get<PersonalKey[]>(PATH) });

export function useKeys() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: keysQuery.queryKey });
  return {
    create: useMutation({
      meta: { quiet: true },
      mutationFn: (draft: KeyDraft) => api.post<PersonalKey>(PATH, draft),
      onSuccess,
    }),
    roll: useMutation({ mutationFn: (id: string) => api.post<PersonalKey>(`${PATH}${id}/roll/`), onSuccess }),
    remove: useMutation({ mutationFn: (id: string) => api.delete(`${PATH}${id}/`), onSuccess }),
  };
}
