// Statements about annotations.
import { type Kysely, sql } from 'kysely';
import type { Page } from '../http/paging.ts';
import type { Database } from '../metadata/tables.ts';
import type { AnnotationRow, AnnotationScope, AnnotationUpdate } from '../metadata/tables-query.ts';

export type Db = Kysely<Database>;

export interface AnnotationPlace {
  team_id: number;
  organization_id: string;
}

export interface AnnotationFilter {
  scope?: AnnotationScope | undefined;
  search?: string | undefined;
  insight_id?: number | undefined;
  dashboard_id?: number | undefined;
}

/** Those of the project, and those of its organization that are for all of its projects; the latest first. */
const visible = (db: Db, { team_id, organization_id }: AnnotationPlace) =>
  db
    .selectFrom('annotation')
    .where((where) =>
      where.or([
        where('team_id', '=', team_id),
        where.and([
          where('scope', '=', 'organization'),
          where(
            'team_id',
            'in',
            where.selectFrom('project').select('id').where('organization_id', '=', organization_id),
          ),
        ]),
      ]),
    );

export async function listAnnotations(db: Db, place: AnnotationPlace, filter: AnnotationFilter, page: Page) {
  let live = visible(db, place).where('deleted', '=', false);
  if (filter.scope) live = live.where('scope', '=', filter.scope);
  if (filter.insight_id) live = live.where('insight_id', '=', filter.insight_id);
  if (filter.dashboard_id) live = live.where('dashboard_id', '=', filter.dashboard_id);
  if (filter.search) {
    const part = filter.search.toLowerCase();
    live = live.where(sql<boolean>`position(${part} in lower(content)) > 0`);
  }
  const { count } = await live.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  const rows = await live
    .selectAll()
    .orderBy(sql`date_marker desc nulls last`)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { count: Number(count), rows };
}

export function findAnnotation(db: Db, place: AnnotationPlace, id: number): Promise<AnnotationRow | undefined> {
  return visible(db, place).selectAll().where('id', '=', id).executeTakeFirst();
}

export function insertAnnotation(
  db: Db,
  draft: AnnotationUpdate & { team_id: number; created_by_id: number },
): Promise<AnnotationRow> {
  return db.insertInto('annotation').values(draft).returningAll().executeTakeFirstOrThrow();
}

export function updateAnnotation(db: Db, id: number, changes: AnnotationUpdate): Promise<AnnotationRow> {
  return db
    .updateTable('annotation')
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Names of the insight and the dashboard that an annotation is about, in its own project. */
export async function findSubjects(db: Db, rows: readonly AnnotationRow[]) {
  const insights = rows.map(({ insight_id }) => insight_id).filter((id) => id !== null);
  const dashboards = rows.map(({ dashboard_id }) => dashboard_id).filter((id) => id !== null);
  const [foundInsights, foundDashboards] = await Promise.all([
    insights.length > 0
      ? db
          .selectFrom('insight')
          .select(['id', 'short_id', 'name', 'derived_name'])
          .where('id', 'in', insights)
          .execute()
      : [],
    dashboards.length > 0
      ? db.selectFrom('dashboard').select(['id', 'name']).where('id', 'in', dashboards).execute()
      : [],
  ]);
  return {
    insights: new Map(foundInsights.map((insight) => [insight.id, insight])),
    dashboards: new Map(foundDashboards.map((dashboard) => [dashboard.id, dashboard])),
  };
}
export type Subjects = Awaited<ReturnType<typeof findSubjects>>;

/** Whether the project has it. */
export async function hasSubject(
  db: Db,
  table: 'insight' | 'dashboard',
  team_id: number,
  id: number,
): Promise<boolean> {
  const found = await db
    .selectFrom(table)
    .select('id')
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
}
