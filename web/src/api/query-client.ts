// What was fetched is kept and shared between pages. A refusal is shown once, where the person is looking.
import { MutationCache, QueryClient } from '@tanstack/react-query';
import { showError } from '../ui/messages.tsx';
import { ApiError } from './client.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `quiet`: the form shows the refusal itself, beside the field that it is about. */
    mutationMeta: { quiet?: boolean };
  }
}

const STALE_MS = 15_000;
const RETRIES_MAX = 2;

/** Refusals stay refusals however often one asks; only a server that is away is asked again. */
const isWorthRetrying = (count: number, error: unknown) =>
  count < RETRIES_MAX && error instanceof ApiError && (error.status === 0 || error.status === 503);

export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: STALE_MS, retry: isWorthRetrying, refetchOnWindowFocus: false } },
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (!mutation.meta?.quiet) showError(error);
    },
  }),
});
