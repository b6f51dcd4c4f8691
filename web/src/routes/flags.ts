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
  createRoute({
    getParentRoute,
    path: '/early-access',
    component: lazyRouteComponent(() => import('../pages/early-access/EarlyAccessPage.tsx'), 'EarlyAccessPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/surveys',
    validateSearch: readSearch({ search: 'text' }),
    component: lazyRouteComponent(() => import('../pages/surveys/SurveysPage.tsx'), 'SurveysPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/surveys/new',
    component: lazyRouteComponent(() => import('../pages/surveys/NewSurveyPage.tsx'), 'NewSurveyPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/surveys/$surveyId',
    validateSearch: readSearch({ view: 'text' }),
    component: lazyRouteComponent(() => import('../pages/surveys/SurveyPage.tsx'), 'SurveyPage'),
  }),
] as const;
