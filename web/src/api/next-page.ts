// Lists that are read page by page, each naming the address of the next.
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, toAddress } from './client.ts';

interface LinkedPage {
  next: string | null;
}

type Query = Parameters<typeof toAddress>[1];

/** Links are whole addresses; whatever host the server thinks it has, the page came from ours. */
const toPath = (link: string) => {
  const { pathname, search } = new URL(link, window.location.origin);
  return pathname + search;
};

export const pagesOf = <T extends LinkedPage>(queryKey: readonly unknown[], path: string, query: Query = {}) =>
  infiniteQueryOptions({
    queryKey,
    initialPageParam: toAddress(path, query),
    queryFn: ({ pageParam, signal }) => api.get<T>(pageParam, { signal }),
    getNextPageParam: ({ next }) => (next === null ? undefined : toPath(next)),
  });

/** Every result of the pages that were read. */
export const resultsOf = <R>(data: { pages: readonly { results: readonly R[] }[] }): R[] =>
  data.pages.flatMap(({ results }) => results);
