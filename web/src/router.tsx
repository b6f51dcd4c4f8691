// Every address of the app. Pages are loaded when they are first visited.
import { createRouter } from '@tanstack/react-router';
import { accountRoutes } from './routes/account.ts';
import { dashboardRoutes } from './routes/dashboards.ts';
import { entranceRoutes } from './routes/entrance.ts';
import { flagRoutes } from './routes/flags.ts';
import { insightRoutes } from './routes/insights.ts';
import { operationRoutes } from './routes/operation.ts';
import { peopleRoutes } from './routes/people.ts';
import { homeRoute, projectRoute, rootRoute, shellRoute } from './routes/root.tsx';
import { Waiting } from './ui/Panel.tsx';

const routeTree = rootRoute.addChildren([
  homeRoute,
  ...entranceRoutes,
  shellRoute.addChildren([
    ...accountRoutes,
    projectRoute.addChildren([
      ...dashboardRoutes,
      ...insightRoutes,
      ...peopleRoutes,
      ...flagRoutes,
      ...operationRoutes,
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingComponent: Waiting,
  // Filters and the like are kept in the address as readable JSON.
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
