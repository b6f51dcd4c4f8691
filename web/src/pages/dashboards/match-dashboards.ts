import type { DashboardBasic } from '../../api/use-dashboards.ts';

export interface DashboardSearch {
  search?: string | undefined;
  tag?: string | undefined;
  pinned?: boolean | undefined;
}

/** Those whose name, description or tags hold every word, in any order. */
export function matchDashboards(
  dashboards: readonly DashboardBasic[],
  { search = '', tag, pinned }: DashboardSearch,
): DashboardBasic[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return dashboards.filter((dashboard) => {
    const text = [dashboard.name ?? '', dashboard.description, ...dashboard.tags].join('\n').toLowerCase();
    const isTagged = tag === undefined || dashboard.tags.includes(tag);
    return words.every((word) => text.includes(word)) && isTagged && (!pinned || dashboard.pinned);
  });
}
