// Cohorts, ready to be mounted; they are counted again while the program runs.
import type { Route } from '../http/route.ts';
import type { CalculateParts } from './calculate.ts';
import { startRecounting } from './recount.ts';
import { cohortRoutes } from './routes.ts';

export interface Cohorts {
  routes: Route[];
  close(): Promise<void>;
}

export function openCohorts(parts: CalculateParts): Cohorts {
  const recounting = startRecounting(parts);
  return { routes: cohortRoutes(parts), close: () => recounting.close() };
}
