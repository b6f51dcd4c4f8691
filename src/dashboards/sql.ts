// Statements about dashboards. Each read brings the facts that `levels.ts` needs to judge the person who asks.
import { type ExpressionBuilder, type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import type { Page } from '../http/paging.ts';
import type { AccessLevel, AccountRow, DashboardRow, Database, RestrictionLevel } from '../metadata/tables.ts';
import { ACCESS_LEVELS, type AccessGuarded, canRestrict, type Viewer } from './levels.ts';

export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

export interface DashboardFacts extends DashboardRow, AccessGuarded {
  is_shared: boolean;
}

const levels = sql`array[${sql.join(ACCESS_LEVELS.map((level) => sql.lit(level)))}]`;

/** For statements in which `dashboard` is in scope. */
export const collaboratorLevel = (user_id: number) => sql<RestrictionLevel | null>`
  (select level from dashboard_collaborator c where c.dashboard_id = dashboard.id and c.user_id = ${user_id})`;

const ruledAccess = (user_id: number) => sql<AccessLevel | null>`
  (select (${levels})[max(array_position(${levels}, rule.access_level))]
     from access_control rule
     left join membership on membership.id = rule.membership_id
    where rule.dashboard_id = dashboard.id
      and (rule.membership_id is null or membership.user_id = ${user_id}))`;

const isShared = sql<boolean>`
  exists (select from sharing_configuration s where s.dashboard_id = dashboard.id and s.enabled)`;

const factsFor = (user_id: number) => [
  isShared.as('is_shared'),
  collaboratorLevel(user_id).as('collaborator_level'),
  ruledAccess(user_id).as('ruled_access'),
];

/** The dashboard with this id in this project, deleted or not. */
export function findDashboard(
  db: Db,
  team_id: number,
  id: number,
  user_id: number,
): Promise<DashboardFacts | undefined> {
  return db
    .selectFrom('dashboard')
    .selectAll()
    .select(factsFor(user_id))
    .where('id', '=', id)
    .where('team_id', '=', team_id)
    .executeTakeFirst() as Promise<DashboardFacts | undefined>;
}

export interface ListQuestion {
  team_id: number;
  viewer: Viewer;
  /** Any of these. */
  tags: readonly string[];
  /** In name, description or a tag. */
  search: string;
  creation_mode: DashboardRow['creation_mode'] | undefined;
  /** Leaves out what the program made by itself for some other object. */
  exclude_generated: boolean;
}

const GENERATED_PREFIX = 'Generated Dashboard';

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');
/** A pattern for `ilike` that finds the text anywhere, whatever it holds. */
export const containing = (text: string) => `%${escapeLike(text)}%`;

type Where = ExpressionBuilder<Database, 'dashboard'>;

function isListed({ team_id, viewer, tags, search, creation_mode, exclude_generated }: ListQuestion) {
  return ({ eb, and, or }: Where) =>
    and([
      eb('team_id', '=', team_id),
      eb('deleted', '=', false),
      creation_mode ? eb('creation_mode', '=', creation_mode) : eb('creation_mode', '!=', 'unlisted'),
      ...(tags.length > 0 ? [sql<SqlBool>`tags && ${tags}::text[]`] : []),
      ...(search === ''
        ? []
        : [
            or([
              eb('name', 'ilike', containing(search)),
              eb('description', 'ilike', containing(search)),
              sql<SqlBool>`exists (select from unnest(tags) tag where tag ilike ${containing(search)})`,
            ]),
          ]),
      ...(exclude_generated ? [sql<SqlBool>`coalesce(name, '') not like ${`${GENERATED_PREFIX}%`}`] : []),
      ...hiddenFrom(viewer, team_id),
    ]);
}

/** Dashboards to which rules give the person no access; found once for the whole statement. */
export function hiddenFrom(viewer: Viewer, team_id: number) {
  // Nothing is hidden from admins; `created_by_id` is nobody's here.
  if (canRestrict({ created_by_id: null }, viewer)) return [];
  return [
    sql<SqlBool>`dashboard.id <> all (array(
      select hidden.id
        from access_control rule
        join dashboard hidden on hidden.id = rule.dashboard_id
        left join membership on membership.id = rule.membership_id
       where hidden.team_id = ${team_id}
         and hidden.created_by_id is distinct from ${viewer.user_id}
         and (rule.membership_id is null or membership.user_id = ${viewer.user_id})
       group by hidden.id
      having bool_and(rule.access_level = 'none')))`,
  ];
}

/** A page of the live dashboards that the person may see, pinned ones first, then by name; and how many there are. */
export async function listDashboards(
  db: Db,
  question: ListQuestion,
  { limit, offset }: Page,
): Promise<{ count: number; dashboards: DashboardFacts[] }> {
  const listed = isListed(question);
  const dashboards = (await db
    .with('page', (each) =>
      // Only the index is walked to reach the page; rows are fetched for the page alone.
      each
        .selectFrom('dashboard')
        .select('id as page_id')
        .where(listed)
        .orderBy('pinned', 'desc')
        .orderBy('name')
        .orderBy('id')
        .limit(limit)
        .offset(offset),
    )
    .selectFrom('page')
    .innerJoin('dashboard', 'dashboard.id', 'page.page_id')
    .selectAll('dashboard')
    .select(factsFor(question.viewer.user_id))
    .orderBy('dashboard.pinned', 'desc')
    .orderBy('dashboard.name')
    .orderBy('dashboard.id')
    .execute()) as DashboardFacts[];
  // A page that is not full ends the list, so its length tells the count.
  const isLast = dashboards.length < limit && (dashboards.length > 0 || offset === 0);
  if (isLast) return { count: offset + dashboards.length, dashboards };
  const { count } = await db
    .selectFrom('dashboard')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(listed)
    .executeTakeFirstOrThrow();
  return { count, dashboards };
}

export interface DashboardChange {
  name?: string | null;
  description?: string;
  pinned?: boolean;
  deleted?: boolean;
  tags?: string[];
  restriction_level?: RestrictionLevel;
  filters?: Record<string, unknown>;
  variables?: Record<string, unknown>;
  breakdown_colors?: unknown[] | null;
  data_color_theme_id?: number | null;
}

/** JSON columns are written as text. */
function toColumns({ filters, variables, breakdown_colors, ...columns }: DashboardChange) {
  return {
    ...columns,
    ...(filters && { filters: JSON.stringify(filters) }),
    ...(variables && { variables: JSON.stringify(variables) }),
    ...(breakdown_colors !== undefined && { breakdown_colors: JSON.stringify(breakdown_colors) }),
  };
}

/** A new dashboard is known in full: nobody else has rules or a share on it yet. */
export async function insertDashboard(
  db: Db,
  place: { team_id: number; created_by_id: number; creation_mode: DashboardRow['creation_mode'] },
  draft: DashboardChange,
): Promise<DashboardFacts> {
  const row = await db
    .insertInto('dashboard')
    .values({ ...place, ...toColumns(draft) })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...row, is_shared: false, collaborator_level: null, ruled_access: null };
}

export function updateDashboard(tx: Tx, id: number, change: DashboardChange): Promise<DashboardRow> {
  return tx
    .updateTable('dashboard')
    .set(toColumns(change))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The dashboard as it is now, which nobody else changes before this transaction ends. */
export function lockDashboard(tx: Tx, id: number): Promise<DashboardRow> {
  return tx.selectFrom('dashboard').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

const LOCK_TILES = 0x74696c65;

/**
 * Whatever changes which tile stands where takes this lock first, so that such changes of one project come one after
 * another and no two of them can wait for each other in a circle. It ends with the transaction.
 */
export async function lockTiles(tx: Tx, team_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_TILES}::int, ${team_id}::int)`.execute(tx);
}

const ACCESS_NOTED_EVERY_MS = 60_000;

/** Notes that somebody looked; at most once a minute, so that reading does not write all the time. */
export async function noteAccess(
  db: Db,
  { id, last_accessed_at }: Pick<DashboardRow, 'id' | 'last_accessed_at'>,
  nowMs: number,
): Promise<void> {
  if (last_accessed_at !== null && nowMs - Date.parse(last_accessed_at) < ACCESS_NOTED_EVERY_MS) return;
  await db.updateTable('dashboard').set({ last_accessed_at: sql`now()` }).where('id', '=', id).execute();
}

/** The people behind ids, by id. Those already at hand are not asked for. */
export async function findAuthors(
  db: Db,
  ids: Iterable<number | null>,
  known: readonly AccountRow[],
): Promise<ReadonlyMap<number, AccountRow>> {
  const authors = new Map(known.map((account) => [account.id, account]));
  const wanted = [...new Set(ids)].filter((id) => id !== null && !authors.has(id)) as number[];
  if (wanted.length === 0) return authors;
  const found = await db.selectFrom('account').selectAll().where('id', 'in', wanted).execute();
  for (const account of found) authors.set(account.id, account);
  return authors;
}

/** Every tag in use in the project, in order. */
export async function listTags(db: Db, team_id: number): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select distinct tag
      from (select unnest(tags) as tag from dashboard where team_id = ${team_id} and not deleted
             union all
            select unnest(tags) from insight where team_id = ${team_id} and not deleted) used
     order by tag`.execute(db);
  return rows.map(({ tag }) => tag);
}
