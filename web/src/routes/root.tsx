// The frame of all addresses: whoever is not signed in is sent to sign in, and comes back afterwards.
import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { isSignedOut } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { meQuery } from '../api/use-me.ts';
import { RouteFailure, RouteMissing } from '../shell/RouteFailure.tsx';

export const rootRoute = createRootRoute({
  component: Outlet,
  errorComponent: RouteFailure,
  notFoundComponent: RouteMissing,
});

async function requireSignedIn(href: string) {
  try {
    return await queryClient.ensureQueryData(meQuery);
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ to: '/login', search: href === '/' ? {} : { next: href } });
    throw error;
  }
}

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  async beforeLoad() {
    const { team } = await requireSignedIn('/');
    if (!team) throw redirect({ to: '/account/projects' });
    const projectId = String(team.id);
    // Whoever has sent nothing yet is shown how.
    throw redirect(
      team.ingested_event
        ? { to: '/project/$projectId/dashboards', params: { projectId } }
        : { to: '/project/$projectId/welcome', params: { projectId } },
    );
  },
});

/** Everything for people who are signed in, inside the navigation. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: ({ location }) => requireSignedIn(location.href),
  component: lazyRouteComponent(() => import('../shell/Shell.tsx'), 'Shell'),
});

export const projectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/project/$projectId',
  component: Outlet,
});

/** A page of a project, loaded when it is first visited. */
export const lazyPage = lazyRouteComponent;
