import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from './root.tsx';

export interface DashboardListSearch {
  search?: string;
  tag?: string;
  pinned?: boolean;
}

export const dashboardRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/welcome',
    component: lazyRouteComponent(() => import('../pages/welcome/WelcomePage.tsx'), 'WelcomePage'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/dashboards',
    validateSearch: ({ search, tag, pinned }: Record<string, unknown>): DashboardListSearch => ({
      ...(search ? { search: String(search) } : {}),
      ...(tag ? { tag: String(tag) } : {}),
      ...(pinned === true ? { pinned } : {}),
    }),
    component: lazyRouteComponent(() => import('../pages/dashboards/DashboardsPage.tsx'), 'DashboardsPage'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/dashboards/new',
    component: lazyRouteComponent(() => import('../pages/dashboards/NewDashboardPage.tsx'), 'NewDashboardPage'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/dashboards/$dashboardId',
    component: lazyRouteComponent(() => import('../pages/dashboards/DashboardPage.tsx'), 'DashboardPage'),
  }),
] as const;
