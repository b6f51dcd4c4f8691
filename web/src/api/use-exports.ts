// Batch exports: the list, one of them, and trying a destination before the first run.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { PropertyFilter } from '../query/nodes.ts';
import { showUndo } from '../ui/messages.tsx';
import { api, type Page } from './client.ts';
import type { Run } from './use-export-runs.ts';
import { projectPath, useProjectId } from './use-project.ts';

export type DestinationType = 'S3' | 'File' | 'Postgres' | 'Redshift' | 'BigQuery' | 'Snowflake' | 'HTTP';
export type Model = 'events' | 'persons' | 'sessions';
export type Config = Readonly<Record<string, unknown>>;

export interface Schedule {
  interval: string;
  timezone: string;
  /** 0 is Sunday; only of a week. */
  offset_day: number | null;
  offset_hour: number | null;
}

export interface BatchExport extends Schedule {
  id: string;
  name: string;
  model: Model;
  destination: { type: string; config: Config };
  paused: boolean;
  created_at: string;
  last_updated_at: string;
  last_paused_at: string | null;
  latest_runs: Run[];
  hogql_query: string | null;
  filters: PropertyFilter[] | null;
}

export type ExportDraft = Schedule &
  Pick<BatchExport, 'name' | 'model' | 'filters' | 'hogql_query'> & {
    destination: { type: string; config: Config };
  };

export interface TestStep {
  name: string;
  description: string;
  result: { status: 'Passed' | 'Failed'; message: string | null } | null;
}

const LIST_MS = 10_000;

const exportsKey = (projectId: number) => ['exports', projectId] as const;
const exportKey = (projectId: number, id: string) => ['export', projectId, id] as const;
export const exportPath = (projectId: number, rest = '') => projectPath(projectId, `/batch_exports/${rest}`);

export const exportsQuery = (projectId: number) =>
  queryOptions({
    queryKey: exportsKey(projectId),
    queryFn: ({ signal }) => api.get<Page<BatchExport>>(exportPath(projectId), { query: { limit: 500 }, signal }),
    refetchInterval: LIST_MS,
  });

export const exportQuery = (projectId: number, id: string) =>
  queryOptions({
    queryKey: exportKey(projectId, id),
    queryFn: ({ signal }) => api.get<BatchExport>(exportPath(projectId, `${id}/`), { signal }),
  });

/** The steps of trying a kind of destination; none for kinds that cannot be tried. */
export const testStepsQuery = (projectId: number, destination: string) =>
  queryOptions({
    queryKey: ['export-test', projectId, destination],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) =>
      api
        .get<{ steps: TestStep[] }>(exportPath(projectId, 'test/'), { query: { destination }, signal })
        .catch(() => ({ steps: [] })),
  });

/** Tries one step: with what is stored of an export, and what is given instead. */
export const runTestStep = (projectId: number, id: string | undefined, draft: ExportDraft, step: number) =>
  api.post<TestStep>(exportPath(projectId, id === undefined ? 'run_test_step_new/' : `${id}/run_test_step/`), {
    ...draft,
    // One can try before one has thought of a name.
    name: draft.name || 'test',
    step,
  });

export function useCreateExport() {
  const projectId = useProjectId();
  const client = useQueryClient();
  return useMutation({
    meta: { quiet: true },
    mutationFn: (draft: ExportDraft) => api.post<BatchExport>(exportPath(projectId), draft),
    onSuccess: () => client.invalidateQueries({ queryKey: exportsKey(projectId) }),
  });
}

export function useExportChanges(id: string) {
  const projectId = useProjectId();
  const client = useQueryClient();
  const onSuccess = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: exportKey(projectId, id) }),
      client.invalidateQueries({ queryKey: exportsKey(projectId) }),
    ]);
  const change = useMutation({
    meta: { quiet: true },
    mutationFn: (draft: Partial<ExportDraft>) => api.patch<BatchExport>(exportPath(projectId, `${id}/`), draft),
    onSuccess,
  });
  const pause = useMutation({ mutationFn: () => api.post(exportPath(projectId, `${id}/pause/`)), onSuccess });
  const unpause = useMutation({
    mutationFn: ({ backfill }: { backfill: boolean }) =>
      api.post(exportPath(projectId, `${id}/unpause/`), { backfill }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['export-backfills', projectId, id] });
      return onSuccess();
    },
  });
  const remove = useMutation({ mutationFn: () => api.delete(exportPath(projectId, `${id}/`)), onSuccess });
  return { change, pause, unpause, remove };
}

/** Pauses it and offers to let it go on at once: so soon, nothing was passed over. */
export function usePauseWithUndo(id: string) {
  const { pause, unpause } = useExportChanges(id);
  return (name: string) =>
    pause.mutate(undefined, {
      onSuccess: () => showUndo(`“${name}” is paused.`, () => unpause.mutateAsync({ backfill: true })),
    });
}
