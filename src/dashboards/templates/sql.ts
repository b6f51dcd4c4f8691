// Statements about stored templates.
import type { SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { DashboardTemplateRow } from '../../metadata/tables.ts';
import { containing, type Db } from '../sql.ts';

export interface TemplateQuestion {
  team_id: number;
  scope?: DashboardTemplateRow['scope'] | undefined;
  search?: string;
}

const visibleIn = (team_id: number) => sql<SqlBool>`not deleted and (team_id = ${team_id} or scope <> 'team')`;

/** Those of the project and those for all, newest first. They are few: people write them by hand. */
export function listTemplates(
  db: Db,
  { team_id, scope, search = '' }: TemplateQuestion,
): Promise<DashboardTemplateRow[]> {
  return db
    .selectFrom('dashboard_template')
    .selectAll()
    .where(visibleIn(team_id))
    .$if(scope !== undefined, (query) => query.where('scope', '=', scope ?? 'team'))
    .$if(search !== '', (query) =>
      query.where(
        sql<SqlBool>`(template_name ilike ${containing(search)} or dashboard_description ilike ${containing(search)}
          or exists (select from unnest(tags) tag where tag ilike ${containing(search)}))`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export function findTemplate(db: Db, team_id: number, id: string): Promise<DashboardTemplateRow | undefined> {
  return db
    .selectFrom('dashboard_template')
    .selectAll()
    .where('id', '=', id)
    .where(visibleIn(team_id))
    .executeTakeFirst();
}

/** The project's own before one for all; the newest of several. */
export function findTemplateNamed(
  db: Db,
  team_id: number,
  template_name: string,
): Promise<DashboardTemplateRow | undefined> {
  return db
    .selectFrom('dashboard_template')
    .selectAll()
    .where('template_name', '=', template_name)
    .where(visibleIn(team_id))
    .orderBy((eb) => eb('team_id', '=', team_id), 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export interface TemplateChange {
  template_name?: string;
  dashboard_description?: string;
  dashboard_filters?: Record<string, unknown>;
  tags?: string[];
  tiles?: Record<string, unknown>[];
  variables?: Record<string, unknown>[];
  image_url?: string | null;
  deleted?: boolean;
  scope?: DashboardTemplateRow['scope'];
}

const toColumns = ({ dashboard_filters, tiles, variables, ...columns }: TemplateChange) => ({
  ...columns,
  ...(dashboard_filters && { dashboard_filters: JSON.stringify(dashboard_filters) }),
  ...(tiles && { tiles: JSON.stringify(tiles) }),
  ...(variables && { variables: JSON.stringify(variables) }),
});

export function insertTemplate(
  db: Db,
  place: { team_id: number; created_by_id: number },
  draft: TemplateChange & { template_name: string },
): Promise<DashboardTemplateRow> {
  return db
    .insertInto('dashboard_template')
    .values({ ...place, ...toColumns(draft), template_name: draft.template_name })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function updateTemplate(db: Db, id: string, change: TemplateChange): Promise<DashboardTemplateRow> {
  return db
    .updateTable('dashboard_template')
    .set(toColumns(change))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
