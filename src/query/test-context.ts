// A query's context for tests, on tables of their own, without the doors in front.
import type { EventStore } from '../store/open.ts';
import type { TestTables } from '../store/tables/test-tables.ts';
import { type ContextParts, openContext } from './context.ts';
import type { Action, QueryContext, QueryProject } from './kind.ts';

export interface TestFacts {
  actions?: readonly Action[];
  /** The members of each cohort, by its id; its name is `Cohort <id>`. */
  cohorts?: ReadonlyMap<number, readonly string[]>;
  compile?: ContextParts['compile'];
}

export const TEST_PROJECT: QueryProject = {
  id: 1,
  timezone: 'UTC',
  weekStartDay: 0,
  testAccountFilters: [],
  pathCleaningFilters: [],
};

export function openTestContext(
  tables: TestTables,
  given: { project?: Partial<QueryProject>; now?: number; facts?: TestFacts } = {},
): Promise<QueryContext> {
  const { actions = [], cohorts = new Map(), compile } = given.facts ?? {};
  const store: EventStore = { ...tables.store, client: tables.client };
  const parts: ContextParts = {
    store,
    facts: {
      listActions: async () => [...actions],
      findCohort: async (_, id) => (cohorts.has(id) ? { id, name: `Cohort ${id}` } : undefined),
      listCohortMembers: async (_, id) => [...(cohorts.get(id) ?? [])],
    },
    compile:
      compile ??
      (() => {
        throw new Error('this test has no HogQL');
      }),
  };
  return openContext(
    parts,
    { ...TEST_PROJECT, ...given.project },
    { now: given.now ?? Date.now(), signal: new AbortController().signal },
  );
}
