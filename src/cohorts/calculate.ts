// Who is in a cohort now.
import type { Pool } from 'pg';
import type { Definitions, ProjectFlags } from '../flags/definitions.ts';
import { isBehavioral, prepareCohorts } from '../flags/evaluation/cohort.ts';
import { isObject } from '../flags/evaluation/values.ts';
import { scanPersons } from '../flags/scan-persons.ts';
import type { CohortRow } from '../metadata/tables.ts';
import type { Logger } from '../platform/logger.ts';
import type { EventStore } from '../store/open.ts';
import { parseBehaviour } from './behaviour.ts';
import { findDoers } from './project-events.ts';
import { type Db, findCohort, listMemberUuids, replaceMembers, updateCohort } from './sql.ts';

export interface CalculateParts {
  db: Db;
  pool: Pool;
  store: EventStore;
  definitions: Definitions;
  log: Logger;
}

/** The uuids of its persons, in an order that does not change by itself. */
export async function listPersonsOf(parts: CalculateParts, cohort: CohortRow): Promise<string[]> {
  if (cohort.is_static || isBehavioral(cohort.filters)) return listMemberUuids(parts.db, cohort);
  return findPersons(parts, cohort, new Map(), cohort.filters);
}

/** The same by its id; of a cohort that is not there, nobody. */
export async function listMembersOf(parts: CalculateParts, team_id: number, id: number): Promise<string[]> {
  const cohort = await findCohort(parts.db, team_id, id);
  return cohort && !cohort.deleted ? listPersonsOf(parts, cohort) : [];
}

/** Counts a cohort and says so; never throws, since nobody waits for it. */
export async function calculate(parts: CalculateParts, cohort: CohortRow): Promise<void> {
  try {
    if (!cohort.is_static && isBehavioral(cohort.filters)) {
      await replaceMembers(parts.db, cohort, await findByBehaviour(parts, cohort));
    }
    const { length } = await listPersonsOf(parts, cohort);
    await updateCohort(parts.db, cohort.id, {
      count: length,
      is_calculating: false,
      calculation_begun_at: null,
      last_calculation: new Date().toISOString(),
      errors_calculating: 0,
    });
  } catch (error) {
    parts.log.warn({ err: error, cohort_id: cohort.id }, 'a cohort could not be calculated');
    await updateCohort(parts.db, cohort.id, {
      is_calculating: false,
      calculation_begun_at: null,
      last_calculation: new Date().toISOString(),
      errors_calculating: cohort.errors_calculating + 1,
    }).catch(() => {});
  }
}

/** Ids of cohorts that exist only during a calculation: no cohort has one below zero. */
const firstInventedId = -1;

/**
 * Each thing that people may have done becomes a static cohort of those who did it; what remains is a cohort by
 * properties and other cohorts, which is judged as any other.
 */
async function findByBehaviour(parts: CalculateParts, cohort: CohortRow): Promise<string[]> {
  const { team_id } = cohort;
  const project = await parts.definitions.find(team_id);
  if (!project) return [];
  const listMembers = (id: number) => listMembersOf(parts, team_id, id);
  const doers = new Map<number, ReadonlySet<string>>();
  const nowMs = Date.now();
  const rewrite = async (node: unknown): Promise<unknown> => {
    if (!isObject(node)) return node;
    if (Array.isArray(node.values)) return { ...node, values: await Promise.all(node.values.map(rewrite)) };
    if (node.type !== 'behavioral') return node;
    const id = firstInventedId - doers.size;
    doers.set(id, new Set());
    doers.set(id, await findDoers(project, parseBehaviour(node, nowMs), { ...parts, listMembers }));
    return { type: 'cohort', key: 'id', value: id, negation: node.negation };
  };
  const properties = await rewrite(cohort.filters?.properties);
  return findPersons(parts, cohort, doers, { properties });
}

async function findPersons(
  { pool, definitions }: CalculateParts,
  { id, team_id }: CohortRow,
  doers: ReadonlyMap<number, ReadonlySet<string>>,
  filters: unknown,
): Promise<string[]> {
  const project = await definitions.find(team_id);
  const test = project && prepareTest(project, id, doers, filters);
  const uuids: string[] = [];
  if (!test) return uuids;
  for await (const { uuid, subject } of scanPersons(pool, team_id)) {
    const done = [...doers].flatMap(([invented, persons]) => (persons.has(uuid) ? [invented] : []));
    const cohorts = done.length === 0 ? subject.cohorts : subject.cohorts!.union(new Set(done));
    if (test({ ...subject, cohorts })) uuids.push(uuid);
  }
  return uuids;
}

function prepareTest(
  { cohorts, timezone }: ProjectFlags,
  id: number,
  doers: ReadonlyMap<number, unknown>,
  filters: unknown,
) {
  const others = cohorts.filter((cohort) => cohort.id !== id);
  const invented = [...doers.keys()].map((each) => ({ id: each, is_static: true }));
  return prepareCohorts([...others, ...invented, { id, is_static: false, filters }], timezone)(id)?.test;
}
