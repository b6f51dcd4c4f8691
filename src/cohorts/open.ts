// Cohorts, ready to be mounted; they are counted again while the program runs.
import type { Route } from '../http/route.ts';
import { type CalculateParts, listPersonsOf } from './calculate.ts';
import { startRecounting } from './recount.ts';
import { cohortRoutes } from './routes.ts';
import { findCohort } from './sql.ts';

export interface Cohorts {
  routes: Route[];
  /** The uuids of the persons who are in it now; of a cohort that is not there, nobody. */
  listMembers(team_id: number, id: number): Promise<string[]>;
  close(): Promise<void>;
}

export function openCohorts(parts: CalculateParts): Cohorts {
  const recounting = startRecounting(parts);
  return {
    routes: cohortRoutes(parts),
    async listMembers(team_id, id) {
      const cohort = await findCohort(parts.db, team_id, id);
      return cohort && !cohort.deleted ? listPersonsOf(parts, cohort) : [];
    },
    close: () => recounting.close(),
  };
}
