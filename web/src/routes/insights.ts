import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { InsightQuery } from '../query/nodes.ts';
import { projectRoute } from './root.tsx';

export interface InsightListSearch {
  search?: string;
  kind?: string;
  favorited?: boolean;
  mine?: boolean;
  page?: number;
}

/** The question itself stands in the address, so that it can be sent to somebody before it is saved. */
export interface InsightSearch {
  q?: InsightQuery;
  /** The dashboard that a new insight will be put on. */
  dashboard?: number;
}

const readInsightSearch = ({ q, dashboard }: Record<string, unknown>): InsightSearch => ({
  ...(typeof q === 'object' && q !== null && 'kind' in q ? { q: q as InsightQuery } : {}),
  ...(Number(dashboard) > 0 ? { dashboard: Number(dashboard) } : {}),
});

export const insightRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/insights',
    validateSearch: ({ search, kind, favorited, mine, page }: Record<string, unknown>): InsightListSearch => ({
      ...(search ? { search: String(search) } : {}),
      ...(kind ? { kind: String(kind) } : {}),
      ...(favorited === true ? { favorited } : {}),
      ...(mine === true ? { mine } : {}),
      ...(Number(page) > 1 ? { page: Number(page) } : {}),
    }),
    component: lazyRouteComponent(() => import('../pages/insights/InsightsPage.tsx'), 'InsightsPage'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/insights/new',
    validateSearch: readInsightSearch,
    component: lazyRouteComponent(() => import('../pages/insights/InsightPage.tsx'), 'NewInsightPage'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/insights/$insightId',
    validateSearch: readInsightSearch,
    component: lazyRouteComponent(() => import('../pages/insights/InsightPage.tsx'), 'SavedInsightPage'),
  }),
] as const;
