// Where events are: accepted, stored, dropped by reason, waiting; and what people are warned of.
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { projectPath } from './use-project.ts';

export interface Fates {
  accepted: number;
  stored: number;
  dropped: Record<string, number>;
  waiting: number;
}

export interface Ingestion {
  from: string;
  to: string;
  totals: Fates;
  hours: (Fates & { hour: string })[];
  lag: { events: number; seconds: number; oldest_unprocessed_at: string | null };
  log: { bytes: number; bytes_max: number; full: boolean };
}

const LOOK_MS = 10_000;

export const ingestionQuery = (projectId: number, from: string) =>
  queryOptions({
    queryKey: ['ingestion', projectId, from],
    queryFn: ({ signal }) => api.get<Ingestion>(projectPath(projectId, '/ingestion/'), { query: { from }, signal }),
    refetchInterval: LOOK_MS,
  });

const ASKED_MS_MAX = 31 * 86_400_000;
const REQUESTS_MAX = 24;

/** How many events were stored of those accepted between two times; the server tells of a month at once. */
export const storedBetweenQuery = (projectId: number, fromMs: number, toMs: number) =>
  queryOptions({
    queryKey: ['stored-between', projectId, fromMs, toMs],
    queryFn: async ({ signal }) => {
      let stored = 0;
      const first = Math.max(fromMs, toMs - REQUESTS_MAX * ASKED_MS_MAX);
      for (let start = first; start < toMs; start += ASKED_MS_MAX) {
        const [from, to] = [start, Math.min(toMs, start + ASKED_MS_MAX)].map((ms) => new Date(ms).toISOString());
        const { hours } = await api.get<Ingestion>(projectPath(projectId, '/ingestion/'), {
          query: { from, to },
          signal,
        });
        for (const hour of hours) stored += hour.stored;
      }
      return stored;
    },
  });

export interface WarningSummary {
  type: string;
  lastSeen: string;
  /** How many on which day. */
  sparkline: [count: number, day: string][];
  warnings: { timestamp: string; details: unknown }[];
  count: number;
}

export const warningsQuery = (projectId: number, q: string | undefined) =>
  queryOptions({
    queryKey: ['ingestion-warnings', projectId, q ?? ''],
    queryFn: ({ signal }) =>
      api.get<{ results: WarningSummary[] }>(projectPath(projectId, '/ingestion_warnings/'), { query: { q }, signal }),
    refetchInterval: LOOK_MS,
  });
