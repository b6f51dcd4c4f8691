// What queries need to know that is kept in PostgreSQL.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../metadata/tables.ts';
import type { PropertyDefinition, QueryFacts } from './context.ts';
import type { DefinedType } from './hogql/value.ts';
import type { Action, ActionStep } from './kind.ts';

type Db = Kysely<Database>;

/** How long the members of a cohort are as good as just counted: a dashboard asks for the same ones many times. */
const MEMBERS_MS = 10_000;

export interface FactsParts {
  db: Db;
  /** The uuids of those who are in the cohort now. */
  listCohortMembers: QueryFacts['listCohortMembers'];
}

export function openFacts({ db, listCohortMembers }: FactsParts): QueryFacts {
  const remembered = new Map<string, { members: Promise<string[]>; until: number }>();

  return {
    listActions: (team_id) => listLiveActions(db, team_id),
    findCohort: (team_id, ref) => findCohort(db, team_id, ref),
    listCohortMembers(team_id, id) {
      const key = `${team_id}:${id}`;
      const known = remembered.get(key);
      const now = Date.now();
      if (known && known.until > now) return known.members;
      for (const [each, { until }] of remembered) if (until <= now) remembered.delete(each);
      const members = listCohortMembers(team_id, id);
      remembered.set(key, { members, until: now + MEMBERS_MS });
      members.catch(() => remembered.delete(key));
      return members;
    },
    listCohorts: (team_id, isStatic) => listCohorts(db, team_id, isStatic),
    listPropertyTypes: (team_id, names) => listPropertyTypes(db, team_id, names),
  };
}

async function listLiveActions(db: Db, team_id: number): Promise<Action[]> {
  const rows = await db
    .selectFrom('action')
    .select(['id', 'name', 'steps'])
    .where('team_id', '=', team_id)
    .where('deleted', '=', false)
    .execute();
  return rows.map(({ id, name, steps }) => ({ id, name: name ?? `Action ${id}`, steps: steps as ActionStep[] }));
}

async function findCohort(db: Db, team_id: number, ref: number | string) {
  const isId = typeof ref === 'number' && ref > 0 && ref < 2 ** 31;
  if (typeof ref === 'number' && !isId) return undefined;
  const found = await db
    .selectFrom('cohort')
    .select(['id', 'name'])
    .where('team_id', '=', team_id)
    .where('deleted', '=', false)
    .where(isId ? 'id' : 'name', '=', ref)
    .orderBy('id')
    .executeTakeFirst();
  return found && { id: found.id, name: found.name ?? `Cohort ${found.id}` };
}

async function listCohorts(db: Db, team_id: number, isStatic: boolean): Promise<number[]> {
  const rows = await db
    .selectFrom('cohort')
    .select('id')
    .where('team_id', '=', team_id)
    .where('deleted', '=', false)
    .where('is_static', '=', isStatic)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

const KINDS = { 1: 'event', 2: 'person', 3: 'group' } as const;

async function listPropertyTypes(db: Db, team_id: number, names: readonly string[]): Promise<PropertyDefinition[]> {
  const { rows } = await sql<{ name: string; kind: 1 | 2 | 3; property_type: string | null }>`
    select name, kind, property_type from property_definition
     where team_id = ${team_id} and name = any(${[...names]}::text[])`.execute(db);
  return rows.flatMap(({ name, kind, property_type }) => {
    const type = toType(property_type);
    return type && KINDS[kind] ? [{ kind: KINDS[kind], name, type }] : [];
  });
}

function toType(type: string | null): DefinedType {
  if (type === 'Duration') return 'Numeric';
  return type === 'Numeric' || type === 'Boolean' || type === 'DateTime' || type === 'String' ? type : undefined;
}
