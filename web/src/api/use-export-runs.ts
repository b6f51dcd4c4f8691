// What an export did: runs, backfills and what they said.
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Page } from './client.ts';
import { pagesOf } from './next-page.ts';
import { exportPath } from './use-exports.ts';
import { useProjectId } from './use-project.ts';

export type RunStatus =
  | 'Starting'
  | 'Running'
  | 'Completed'
  | 'Failed'
  | 'FailedRetryable'
  | 'Cancelled'
  | 'TimedOut'
  | 'Terminated'
  | 'ContinuedAsNew';

export interface Run {
  id: string;
  status: RunStatus;
  records_completed: number | null;
  records_total_count: number | null;
  bytes_exported: number | null;
  latest_error: string | null;
  /** Null: the beginning of time. */
  data_interval_start: string | null;
  data_interval_end: string;
  created_at: string;
  finished_at: string | null;
  last_updated_at: string;
  backfill: string | null;
}

export interface Backfill {
  id: string;
  start_at: string | null;
  end_at: string | null;
  status: RunStatus;
  created_at: string;
  finished_at: string | null;
  progress: { total_runs: number; finished_runs: number; progress: number } | null;
}

export interface LogLine {
  instance_id: string;
  timestamp: string;
  level: 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR';
  message: string;
}

export const isActive = ({ status }: { status: RunStatus }) => status === 'Starting' || status === 'Running';

const BUSY_MS = 1_500;
const CALM_MS = 10_000;

/** What is asked for shows a moment later: whoever works on runs looks for them now and then. */
const SHOWS_WITHIN_MS = 15_000;
let askedAt = Number.NEGATIVE_INFINITY;

type Pages<T> = { pages: { results: T[] }[] };

/** Looked at often while something is under way or was just asked for, and now and then otherwise. */
const pace = (data: Pages<{ status: RunStatus }> | undefined) =>
  performance.now() < askedAt + SHOWS_WITHIN_MS || data?.pages.some(({ results }) => results.some(isActive))
    ? BUSY_MS
    : CALM_MS;

export interface RunSearch {
  after?: string | undefined;
  status?: string | undefined;
}

export const runsQuery = (projectId: number, id: string, search: RunSearch) => ({
  ...pagesOf<{ next: string | null; results: Run[] }>(
    ['export-runs', projectId, id, search],
    exportPath(projectId, `${id}/runs/`),
    { ...search },
  ),
  refetchInterval: ({ state }: { state: { data: Pages<Run> | undefined } }) => pace(state.data),
});

export const backfillsQuery = (projectId: number, id: string) => ({
  ...pagesOf<{ next: string | null; results: Backfill[] }>(
    ['export-backfills', projectId, id],
    exportPath(projectId, `${id}/backfills/`),
  ),
  refetchInterval: ({ state }: { state: { data: Pages<Backfill> | undefined } }) => pace(state.data),
});

export interface LogSearch {
  search?: string | undefined;
  level?: string | undefined;
  /** Of one run or backfill. */
  instance_id?: string | undefined;
}

const LINES_PAGE = 100;

/** Newest first; the next page is what was said before the last line of this one. */
export const logQuery = (projectId: number, id: string, search: LogSearch) =>
  infiniteQueryOptions({
    queryKey: ['export-log', projectId, id, search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<LogLine>>(exportPath(projectId, `${id}/logs/`), {
        query: { ...search, before: pageParam, limit: LINES_PAGE },
        signal,
      }),
    getNextPageParam: ({ results }) => (results.length < LINES_PAGE ? undefined : results.at(-1)?.timestamp),
    refetchInterval: CALM_MS,
  });

export function useRunChanges(exportId: string) {
  const projectId = useProjectId();
  const client = useQueryClient();
  const onSuccess = () => {
    askedAt = performance.now();
    return Promise.all([
      client.invalidateQueries({ queryKey: ['export-runs', projectId, exportId] }),
      client.invalidateQueries({ queryKey: ['export-backfills', projectId, exportId] }),
    ]);
  };
  const path = (rest: string) => exportPath(projectId, `${exportId}/${rest}`);
  const retry = useMutation({ mutationFn: (id: string) => api.post(path(`runs/${id}/retry/`)), onSuccess });
  const cancel = useMutation({ mutationFn: (id: string) => api.post(path(`runs/${id}/cancel/`)), onSuccess });
  const backfill = useMutation({
    meta: { quiet: true },
    mutationFn: (range: { start_at: string | null; end_at: string | null }) => api.post(path('backfills/'), range),
    onSuccess,
  });
  const cancelBackfill = useMutation({
    mutationFn: (id: string) => api.post(path(`backfills/${id}/cancel/`)),
    onSuccess,
  });
  return { retry, cancel, backfill, cancelBackfill };
}
