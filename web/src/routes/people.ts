// Events, the names in them, and the people behind them.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from './read-search.ts';
import { projectRoute } from './root.tsx';

const getParentRoute = () => projectRoute;

export const peopleRoutes = [
  createRoute({
    getParentRoute,
    path: '/events',
    validateSearch: readSearch({ event: 'text', distinct_id: 'text', after: 'text', properties: 'list' }),
    component: lazyRouteComponent(() => import('../pages/events/EventsPage.tsx'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/events/live',
    validateSearch: readSearch({ event: 'text', person: 'text', fate: 'text' }),
    component: lazyRouteComponent(() => import('../pages/events/LivePage.tsx'), 'LivePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/events/$eventId',
    component: lazyRouteComponent(() => import('../pages/events/EventPage.tsx'), 'EventPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/definitions/$kind',
    validateSearch: readSearch({ search: 'text', type: 'text' }),
    component: lazyRouteComponent(() => import('../pages/definitions/DefinitionsPage.tsx'), 'DefinitionsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/persons',
    validateSearch: readSearch({ search: 'text', properties: 'list' }),
    component: lazyRouteComponent(() => import('../pages/persons/PersonsPage.tsx'), 'PersonsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/persons/$personId',
    validateSearch: readSearch({ view: 'text' }),
    component: lazyRouteComponent(() => import('../pages/persons/PersonPage.tsx'), 'PersonPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/person',
    validateSearch: readSearch({ distinct_id: 'text', view: 'text' }),
    component: lazyRouteComponent(() => import('../pages/persons/PersonPage.tsx'), 'PersonOfIdPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/groups/$groupTypeIndex',
    validateSearch: readSearch({ search: 'text' }),
    component: lazyRouteComponent(() => import('../pages/groups/GroupsPage.tsx'), 'GroupsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/groups/$groupTypeIndex/$groupKey',
    component: lazyRouteComponent(() => import('../pages/groups/GroupPage.tsx'), 'GroupPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/cohorts',
    validateSearch: readSearch({ search: 'text' }),
    component: lazyRouteComponent(() => import('../pages/cohorts/CohortsPage.tsx'), 'CohortsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/cohorts/new',
    component: lazyRouteComponent(() => import('../pages/cohorts/NewCohortPage.tsx'), 'NewCohortPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/cohorts/$cohortId',
    component: lazyRouteComponent(() => import('../pages/cohorts/CohortPage.tsx'), 'CohortPage'),
  }),
] as const;
