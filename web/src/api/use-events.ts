// Events that were stored.
import { queryOptions } from '@tanstack/react-query';
import type { PropertyFilter } from '../query/nodes.ts';
import { api } from './client.ts';
import { pagesOf } from './next-page.ts';
import { projectPath } from './use-project.ts';

export interface StoredEvent {
  id: string;
  distinct_id: string;
  event: string;
  timestamp: string;
  properties: Record<string, unknown>;
  /** Whom it belongs to now. */
  person: { is_identified: boolean; distinct_ids: string[]; properties: Record<string, unknown> } | null;
  elements: { tag_name: string | null; text: string | null }[];
}

export interface EventSearch {
  event?: string | undefined;
  distinct_id?: string | undefined;
  person_id?: string | undefined;
  properties?: PropertyFilter[] | undefined;
  /** A time, or so long ago: `-7d`. */
  after?: string | undefined;
  limit?: number | undefined;
}

export const eventsQuery = (projectId: number, { properties = [], ...search }: EventSearch) =>
  pagesOf<{ next: string | null; results: StoredEvent[] }>(
    ['events', projectId, search, properties],
    projectPath(projectId, '/events/'),
    { limit: 50, ...search, properties: properties.length > 0 ? JSON.stringify(properties) : undefined },
  );

const isSet = (key: string) => ({ key, operator: 'is_set', type: 'event' });

/** Events by which properties of a person were set or removed, newest first. */
export const personChangesQuery = (projectId: number, person_id: string) =>
  pagesOf<{ next: string | null; results: StoredEvent[] }>(
    ['person-changes', projectId, person_id],
    projectPath(projectId, '/events/'),
    {
      person_id,
      limit: 50,
      properties: JSON.stringify({ type: 'OR', values: ['$set', '$set_once', '$unset'].map(isSet) }),
    },
  );

export const eventQuery = (projectId: number, id: string) =>
  queryOptions({
    queryKey: ['event', projectId, id],
    queryFn: ({ signal }) => api.get<StoredEvent>(projectPath(projectId, `/events/${id}/`), { signal }),
  });

/** What the person behind an event is best called. */
export function personNameOf({ person, distinct_id }: Pick<StoredEvent, 'person' | 'distinct_id'>): string {
  const { email, name, username } = person?.properties ?? {};
  const told = [email, name, username].find((each) => typeof each === 'string' && each !== '');
  return (told as string | undefined) ?? distinct_id;
}
