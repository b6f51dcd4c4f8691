// Shipping data out, how well the program is, and what is set for the project.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from './read-search.ts';
import { projectRoute } from './root.tsx';

const getParentRoute = () => projectRoute;

export const operationRoutes = [
  createRoute({
    getParentRoute,
    path: '/exports',
    component: lazyRouteComponent(() => import('../pages/exports/ExportsPage.tsx'), 'ExportsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/exports/new',
    component: lazyRouteComponent(() => import('../pages/exports/NewExportPage.tsx'), 'ChooseDestinationPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/exports/new/$destination',
    component: lazyRouteComponent(() => import('../pages/exports/NewExportPage.tsx'), 'NewExportPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/exports/$exportId',
    validateSearch: readSearch({
      view: 'text',
      after: 'text',
      status: 'text',
      search: 'text',
      level: 'text',
      instance_id: 'text',
    }),
    component: lazyRouteComponent(() => import('../pages/exports/ExportPage.tsx'), 'ExportPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/health',
    validateSearch: readSearch({ from: 'text', warning: 'text' }),
    component: lazyRouteComponent(() => import('../pages/health/HealthPage.tsx'), 'HealthPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('../pages/settings/ProjectSettingsPage.tsx'), 'ProjectSettingsPage'),
  }),
] as const;
