import type { Flag } from '../../api/use-flags.ts';

export interface FlagSearch {
  search?: string | undefined;
  status?: 'ACTIVE' | 'INACTIVE' | 'STALE' | undefined;
}

export const matchFlags = (flags: readonly Flag[], { search = '', status }: FlagSearch): Flag[] => {
  const wanted = search.toLowerCase();
  return flags.filter(
    (flag) =>
      !flag.deleted &&
      [flag.key, flag.name, ...flag.tags].some((text) => text.toLowerCase().includes(wanted)) &&
      (status === undefined || flag.status === status),
  );
};
