// How the program itself is.
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export interface Size {
  name: string;
  rows: number;
  bytes: number;
}

export interface Instance {
  services: { name: string; state: string; restarts: number | null }[];
  event_store: { bytes: number; tables: Size[] };
  metadata: { bytes: number; tables: Size[] };
  event_log: { bytes: number; bytes_max: number; full: boolean };
  disk: { bytes_free: number; bytes_total: number };
}

const LOOK_MS = 15_000;

export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: ({ signal }) => api.get<Instance>('/api/instance/', { signal }),
  refetchInterval: LOOK_MS,
});
