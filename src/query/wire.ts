// Public shapes of the query endpoint.
import { z } from 'zod';
import { anything, bool, dict, nullable, optional, text } from '../http/fields.ts';
import type { ProjectRow } from '../metadata/tables.ts';
import { withDefaults } from '../projects/settings.ts';
import type { QueryProject } from './kind.ts';

export const QueryDraft = z.object({
  query: optional(anything('The question: a node with its `kind`, or a wrapper with one as its `source`.')),
  client_query_id: optional(nullable(text({ max: 200, about: 'A name of your own, by which to cancel it.' }))),
  refresh: optional(anything('blocking (default), async, lazy_async, force_blocking, force_async, …')),
  async: optional(nullable(bool('The older way to say `"refresh": "async"`.'))),
  filters_override: optional(nullable(dict('Filters laid over the query, as those of a dashboard are.'))),
  variables_override: optional(nullable(dict('Values of variables, by their id.'))),
  name: optional(nullable(text({ max: 128, blank: true }))),
});

export const QueryAnswer = z.looseObject({ cache_key: z.string().optional() });

export const StatusAnswer = z.looseObject({ query_status: z.record(z.string(), z.unknown()) });

/** What a query needs to know of its project. */
export function toQueryProject({
  id,
  timezone,
  settings,
}: Pick<ProjectRow, 'id' | 'timezone' | 'settings'>): QueryProject {
  const { week_start_day, test_account_filters, path_cleaning_filters } = withDefaults(settings);
  return {
    id,
    timezone,
    weekStartDay: week_start_day === 1 ? 1 : 0,
    testAccountFilters: Array.isArray(test_account_filters) ? test_account_filters : [],
    pathCleaningFilters: Array.isArray(path_cleaning_filters) ? path_cleaning_filters : [],
  };
}
