// Statements about projects and the people's way to them.
import { type Kysely, sql } from 'kysely';
import type { Page } from '../http/paging.ts';
import type { Database, OrganizationRow, ProjectRow } from '../metadata/tables.ts';
import { newProjectToken } from './access/credentials.ts';

type Db = Kysely<Database>;

export interface VisibleProjects {
  user_id: number;
  organization_id?: string;
  /** Empty: no restriction. */
  scoped_teams?: readonly number[];
}

function visibleProjects(db: Db, { user_id, organization_id, scoped_teams = [] }: VisibleProjects) {
  return db
    .selectFrom('project')
    .innerJoin('membership', 'membership.organization_id', 'project.organization_id')
    .where('membership.user_id', '=', user_id)
    .$if(organization_id !== undefined, (query) => query.where('project.organization_id', '=', organization_id ?? ''))
    .$if(scoped_teams.length > 0, (query) => query.where('project.id', 'in', scoped_teams));
}

/** A page of the projects that a user may see, and how many there are. */
export async function listProjects(
  db: Db,
  visible: VisibleProjects,
  { limit, offset }: Page,
): Promise<{ count: number; projects: ProjectRow[] }> {
  const { count } = await visibleProjects(db, visible)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  const projects = await visibleProjects(db, visible)
    .selectAll('project')
    .orderBy('project.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { count, projects };
}

export function insertProject(
  db: Db,
  project: { organization_id: string; name: string; timezone?: string; settings?: object; api_token?: string },
): Promise<ProjectRow> {
  const { organization_id, name, timezone = 'UTC', settings = {}, api_token = newProjectToken() } = project;
  return db
    .insertInto('project')
    .values({ organization_id, name, timezone, api_token, settings: JSON.stringify(settings) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function updateProject(
  db: Db,
  id: number,
  changes: { name?: string; timezone?: string; api_token?: string; settings?: Record<string, unknown> },
): Promise<ProjectRow> {
  const { settings = {}, ...columns } = changes;
  return db
    .updateTable('project')
    .set({
      ...columns,
      settings: sql`settings || ${JSON.stringify(settings)}::jsonb`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteProject(db: Db, id: number): Promise<void> {
  await db.deleteFrom('project').where('id', '=', id).execute();
}

export interface MemberOf {
  organization: OrganizationRow;
  level: 1 | 8 | 15;
}

/** The organizations that a user belongs to, oldest membership first. */
export async function listOrganizationsOf(db: Db, user_id: number): Promise<MemberOf[]> {
  const rows = await db
    .selectFrom('organization')
    .innerJoin('membership', 'membership.organization_id', 'organization.id')
    .selectAll('organization')
    .select('membership.level')
    .where('membership.user_id', '=', user_id)
    .orderBy('membership.joined_at')
    .orderBy('organization.id')
    .execute();
  return rows.map(({ level, ...organization }) => ({ organization, level }));
}
