import { useNavigate, useSearch } from '@tanstack/react-router';

/** What the address says about a page, and a way to change it: whoever is sent the address sees the same. */
export function usePageSearch<Search extends object>(): [Search, (change: Partial<Search>) => void] {
  const search: unknown = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (part: Partial<Search>) =>
    void navigate({ to: '.', search: ((before: Search) => ({ ...before, ...part })) as never, replace: true });
  return [search as Search, change];
}
