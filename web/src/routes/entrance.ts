import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

/** Only addresses of our own: a link must not be able to send people elsewhere after they signed in. */
export const ownAddress = (value: unknown): string =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : '/';

export const entranceRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    validateSearch: ({ next }: Record<string, unknown>): { next?: string } => (next ? { next: ownAddress(next) } : {}),
    component: lazyRouteComponent(() => import('../pages/sign-in/SignInPage.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/signup/$inviteId',
    component: lazyRouteComponent(() => import('../pages/sign-in/JoinPage.tsx'), 'JoinPage'),
  }),
] as const;
