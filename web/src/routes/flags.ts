// Flags, early access and surveys.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from './read-search.ts';
import { projectRoute } from './root.tsx';

const getParentRoute = () => projectRoute;

export const flagRoutes = [
  createRoute({
    getParentRoute,
    path: '/flags',
    validateSearch: readSearch({ search: 'text', status: 'text' }),
    component: lazyRouteComponent(() => import('../pages/flags/FlagsPage.tsx'), 'FlagsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/flags/new',
    component: lazyRouteComponent(() => import('../pages/flags/NewFlagPage.tsx'), 'NewFlagPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/flags/$flagId',
    validateSearch: readSearch({ view: 'text', as: 'text' }),
    component: lazyRouteComponent(() => import('../pages/flags/FlagPage.tsx'), 'FlagPage'),
  }),
] as const;
