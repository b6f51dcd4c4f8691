// Who is in a cohort now.
import type { Pool } from 'pg';
import type { Definitions } from '../flags/definitions.ts';
import { isBehavioral, prepareCohorts } from '../flags/evaluation/cohort.ts';
import { scanPersons } from '../flags/scan-persons.ts';
import type { CohortRow } from '../metadata/tables.ts';
import type { Logger } from '../platform/logger.ts';
import { type Db, listMemberUuids, updateCohort } from './sql.ts';

export interface CalculateParts {
  db: Db;
  pool: Pool;
  definitions: Definitions;
  log: Logger;
}

/** The uuids of its persons, in an order that does not change by itself. */
export async function listPersonsOf({ db, pool, definitions }: CalculateParts, cohort: CohortRow): Promise<string[]> {
  if (cohort.is_static || isBehavioral(cohort.filters)) return listMemberUuids(db, cohort);
  const project = await definitions.find(cohort.team_id);
  const found = project && prepareCohorts(project.cohorts, project.timezone)(cohort.id);
  const uuids: string[] = [];
  if (!found) return uuids;
  for await (const { uuid, subject } of scanPersons(pool, cohort.team_id)) if (found.test(subject)) uuids.push(uuid);
  return uuids;
}

/** Counts a cohort and says so; never throws, since nobody waits for it. */
export async function calculate(parts: CalculateParts, cohort: CohortRow): Promise<void> {
  try {
    const { length } = await listPersonsOf(parts, cohort);
    const last_calculation = new Date().toISOString();
    await updateCohort(parts.db, cohort.id, {
      count: length,
      is_calculating: false,
      last_calculation,
      errors_calculating: 0,
    });
  } catch (error) {
    parts.log.warn({ err: error, cohort_id: cohort.id }, 'a cohort could not be calculated');
    const errors_calculating = cohort.errors_calculating + 1;
    await updateCohort(parts.db, cohort.id, { is_calculating: false, errors_calculating }).catch(() => {});
  }
}
