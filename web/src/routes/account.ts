import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root.tsx';

export const accountRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('../pages/account/ProfilePage.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account/keys',
    component: lazyRouteComponent(() => import('../pages/account/KeysPage.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account/members',
    component: lazyRouteComponent(() => import('../pages/account/MembersPage.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account/projects',
    component: lazyRouteComponent(() => import('../pages/account/ProjectsPage.tsx'), 'ProjectsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account/organization',
    component: lazyRouteComponent(() => import('../pages/settings/OrganizationPage.tsx'), 'OrganizationPage'),
  }),
] as const;
