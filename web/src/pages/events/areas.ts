import type { SubPage } from '../../ui/SubNav.tsx';

/** Everything about events and their names. */
export const eventPages: readonly SubPage[] = [
  { label: 'Explorer', path: '/events' },
  { label: 'Live', path: '/events/live' },
  { label: 'Event names', path: '/definitions/events' },
  { label: 'Properties', path: '/definitions/properties' },
];
