// All that the event store is made of, in the order in which it is made.
import type { Part } from './description.ts';
import { events } from './events.ts';
import { ingestionWarnings } from './ingestion-warnings.ts';
import { groups, person, personDistinctId, personDistinctIdOverrides } from './people.ts';
import { rawSessions, sessions, sessionsFeed } from './sessions.ts';

export const parts: readonly Part[] = [
  events,
  person,
  personDistinctId,
  personDistinctIdOverrides,
  groups,
  ingestionWarnings,
  rawSessions,
  sessionsFeed,
  sessions,
];
