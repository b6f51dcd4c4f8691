import { queryOptions } from '@tanstack/react-query';
import { api, type Page } from './client.ts';
import { projectPath } from './use-project.ts';

export interface DashboardTemplate {
  id: string;
  template_name: string;
  dashboard_description: string;
  tags: string[];
  tiles: unknown[] | null;
}

export const templatesQuery = (projectId: number, search: string) =>
  queryOptions({
    queryKey: ['templates', projectId, search],
    queryFn: ({ signal }) =>
      api.get<Page<DashboardTemplate>>(projectPath(projectId, '/dashboard_templates/'), { query: { search }, signal }),
  });
