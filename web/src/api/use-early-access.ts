// Features that people may choose to try before everybody has them.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Page } from './client.ts';
import { projectPath, useProjectId } from './use-project.ts';

export const STAGES = ['draft', 'concept', 'alpha', 'beta', 'general-availability', 'archived'] as const;
export type Stage = (typeof STAGES)[number];

export interface EarlyAccessFeature {
  id: string;
  name: string;
  description: string;
  stage: Stage;
  documentation_url: string;
  feature_flag: { id: number; key: string } | null;
  created_at: string;
}

export type FeatureDraft = Pick<EarlyAccessFeature, 'name' | 'description' | 'stage' | 'documentation_url'> & {
  feature_flag_id?: number | undefined;
};

const featuresKey = (projectId: number) => ['early-access', projectId] as const;
const pathOf = (projectId: number, rest = '') => projectPath(projectId, `/early_access_feature/${rest}`);

export const featuresQuery = (projectId: number) =>
  queryOptions({
    queryKey: featuresKey(projectId),
    queryFn: ({ signal }) => api.get<Page<EarlyAccessFeature>>(pathOf(projectId), { query: { limit: 500 }, signal }),
  });

export function useEarlyAccess() {
  const projectId = useProjectId();
  const client = useQueryClient();
  // The flag of a feature opens and closes with its stage.
  const onSuccess = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: featuresKey(projectId) }),
      client.invalidateQueries({ queryKey: ['flags', projectId] }),
    ]);
  const create = useMutation({
    meta: { quiet: true },
    mutationFn: (draft: FeatureDraft) => api.post<EarlyAccessFeature>(pathOf(projectId), draft),
    onSuccess,
  });
  const change = useMutation({
    meta: { quiet: true },
    mutationFn: ({ id, ...draft }: Partial<FeatureDraft> & { id: string }) =>
      api.patch<EarlyAccessFeature>(pathOf(projectId, `${id}/`), draft),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.delete(pathOf(projectId, `${id}/`)),
    onSuccess,
  });
  return { create, change, remove };
}
