// Definitions as things that people describe: the names of events, and of properties.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from './client.ts';
import { pagesOf } from './next-page.ts';
import { projectPath, useProjectId } from './use-project.ts';

export type DefinitionKind = 'events' | 'properties';

export const PROPERTY_TYPES = ['String', 'Numeric', 'Boolean', 'DateTime', 'Duration'] as const;

export interface Definition {
  id: string;
  name: string;
  description: string;
  tags: string[];
  verified: boolean;
  hidden: boolean;
  /** Of events. */
  last_seen_at?: string | null;
  /** Of properties. */
  property_type?: string | null;
}

export type DefinitionChange = Partial<Omit<Definition, 'id' | 'name' | 'last_seen_at'>>;

export interface DefinitionSearch {
  search?: string | undefined;
  /** Whose properties: those of events unless told otherwise. */
  type?: 'event' | 'person' | undefined;
}

const pathOf = (projectId: number, kind: DefinitionKind, rest = '') =>
  projectPath(projectId, kind === 'events' ? `/event_definitions/${rest}` : `/property_definitions/${rest}`);

export const definitionsQuery = (projectId: number, kind: DefinitionKind, search: DefinitionSearch) =>
  pagesOf<{ count: number; next: string | null; results: Definition[] }>(
    ['definitions', projectId, kind, search],
    pathOf(projectId, kind),
    { ...search, limit: 100 },
  );

export function useChangeDefinition(kind: DefinitionKind) {
  const projectId = useProjectId();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...change }: DefinitionChange & { id: string }) =>
      api.patch<Definition>(pathOf(projectId, kind, `${id}/`), change),
    onSuccess: () => client.invalidateQueries({ queryKey: ['definitions', projectId, kind] }),
  });
}
