// Cohorts, ready to be mounted; they are counted again while the program runs.
import type { Route } from '../http/route.ts';
import { listMembersOf } from './calculate.ts';
import { startRecounting } from './recount.ts';
import { type CohortParts, cohortRoutes } from './routes.ts';

export interface Cohorts {
  routes: Route[];
  /** The uuids of the persons who are in it now; of a cohort that is not there, nobody. */
  listMembers(team_id: number, id: number): Promise<string[]>;
  close(): Promise<void>;
}

export function openCohorts(parts: CohortParts): Cohorts {
  const recounting = startRecounting(parts);
  return {
    routes: cohortRoutes(parts),
    listMembers: (team_id, id) => listMembersOf(parts, team_id, id),
    close: () => recounting.close(),
  };
}
