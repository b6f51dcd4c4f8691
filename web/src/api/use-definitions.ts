// Names that were seen: events, properties, and the values of a property.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Page } from './client.ts';
import { projectPath } from './use-project.ts';

export interface EventDefinition {
  id: string;
  name: string;
  description: string;
  last_seen_at: string | null;
  verified: boolean;
}

export interface PropertyDefinition {
  id: string;
  name: string;
  property_type: string | null;
  is_numerical: boolean;
}

const FOUND_MAX = 50;
const NAMES_STALE_MS = 60_000;
const common = { staleTime: NAMES_STALE_MS, placeholderData: keepPreviousData };

export const eventNamesQuery = (projectId: number, search: string) =>
  queryOptions({
    ...common,
    queryKey: ['event-names', projectId, search],
    queryFn: ({ signal }) =>
      api.get<Page<EventDefinition>>(projectPath(projectId, '/event_definitions/'), {
        query: { search, limit: FOUND_MAX, exclude_hidden: true },
        signal,
      }),
  });

export type PropertyType = 'event' | 'person';

export const propertyNamesQuery = (projectId: number, type: PropertyType, search: string, isNumerical = false) =>
  queryOptions({
    ...common,
    queryKey: ['property-names', projectId, type, search, isNumerical],
    queryFn: ({ signal }) =>
      api.get<Page<PropertyDefinition>>(projectPath(projectId, '/property_definitions/'), {
        query: { type, search, limit: FOUND_MAX, exclude_hidden: true, ...(isNumerical && { is_numerical: true }) },
        signal,
      }),
  });

export const propertyValuesQuery = (projectId: number, type: PropertyType, key: string, search: string) =>
  queryOptions({
    ...common,
    queryKey: ['property-values', projectId, type, key, search],
    enabled: key !== '',
    queryFn: async ({ signal }) => {
      const path = type === 'person' ? '/persons/values/' : '/events/values/';
      const found = await api.get<{ name: unknown }[]>(projectPath(projectId, path), {
        query: { key, value: search },
        signal,
      });
      return found.map(({ name }) => (typeof name === 'string' ? name : JSON.stringify(name)));
    },
  });
