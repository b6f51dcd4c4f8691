// A query's context for tests, on tables of their own, without the doors in front.

import { openEngine } from '../../../src/query/ask.ts';
import { openContext, type PropertyDefinition } from '../../../src/query/context.ts';
import { openParser } from '../../../src/query/hogql/parse.ts';
import type { Action, QueryContext, QueryProject } from '../../../src/query/kind.ts';
import type { TestTables } from '../../tables.ts';

export interface TestFacts {
  actions?: readonly Action[];
  /** The members of each cohort, by its id; its name is `Cohort <id>`. */
  cohorts?: ReadonlyMap<number, readonly string[]>;
  properties?: readonly PropertyDefinition[];
}

export const TEST_PROJECT: QueryProject = {
  id: 1,
  timezone: 'UTC',
  weekStartDay: 0,
  testAccountFilters: [],
  pathCleaningFilters: [],
};

const parser = openParser();

/** `query` is the JSON that is to be run: actions and expressions that it mentions are made ready. */
export function openTestContext(
  tables: TestTables,
  given: {
    project?: Partial<QueryProject>;
    now?: number;
    query?: unknown;
    facts?: TestFacts;
    signal?: AbortSignal;
  } = {},
): Promise<QueryContext> {
  const { actions = [], cohorts = new Map(), properties = [] } = given.facts ?? {};
  const { store } = tables;
  return openContext(
    {
      parser,
      engine: openEngine(store, { seconds: 20, memoryBytes: 1024 ** 3 }),
      facts: {
        listActions: async () => [...actions],
        findCohort: async (_, ref) => {
          const id = Number(ref);
          return cohorts.has(id) ? { id, name: `Cohort ${id}` } : undefined;
        },
        listCohortMembers: async (_, id) => [...(cohorts.get(id) ?? [])],
        // Tests have none that people were put into by name.
        listCohorts: async (_, isStatic) => (isStatic ? [] : [...cohorts.keys()]),
        listPropertyTypes: async (_, names) => properties.filter(({ name }) => names.includes(name)),
      },
    },
    { ...TEST_PROJECT, ...given.project },
    {
      now: given.now ?? Date.now(),
      signal: given.signal ?? new AbortController().signal,
      // Without a query every action can be used.
      query: given.query ?? 'actions',
    },
  );
}
