// Who changed what about flags, cohorts and surveys: written down with the change, and read back.
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { type ProjectContext, projectRoute, type Route } from '../http/route.ts';
import type { AccountRow, Database } from '../metadata/tables.ts';
import { toUserBasic, UserBasic } from '../projects/wire.ts';

type Db = Kysely<Database>;

export type ActivityScope = 'FeatureFlag' | 'Cohort' | 'Survey';

export interface Changed {
  scope: ActivityScope;
  team_id: number;
  /** Null: the program did it by itself. */
  user_id: number | null;
  id: number | string;
  name: string | null;
  /** Undefined: it was made. */
  before: object | undefined;
  /** Undefined: it is gone. */
  after: object | undefined;
  /** Those that are compared. */
  fields: readonly string[];
}

/** Belongs into the transaction of the change, so that neither exists without the other. */
export async function recordActivity(tx: Db, { scope, team_id, user_id, id, name, ...change }: Changed): Promise<void> {
  const detail = JSON.stringify({ name, short_id: null, type: null, changes: changesOf(scope, change) });
  const activity = activityOf(change);
  await tx
    .insertInto('activity_log')
    .values({ team_id, user_id, scope, item_id: String(id), activity, detail })
    .execute();
}

type States = Pick<Changed, 'before' | 'after' | 'fields'>;

const at = (state: object | undefined, field: string) =>
  (state as Record<string, unknown> | undefined)?.[field] ?? null;

function activityOf({ before, after }: States): string {
  if (!before) return 'created';
  return !after || (at(after, 'deleted') === true && at(before, 'deleted') !== true) ? 'deleted' : 'updated';
}

function changesOf(type: ActivityScope, { before, after, fields }: States) {
  if (!before || !after) return [];
  return fields
    .filter((field) => JSON.stringify(at(before, field)) !== JSON.stringify(at(after, field)))
    .map((field) => ({ type, action: 'changed', field, before: at(before, field), after: at(after, field) }));
}

const ActivityPage = z.strictObject({
  results: z.array(
    z.strictObject({
      id: z.uuid(),
      user: UserBasic.nullable(),
      activity: z.string(),
      scope: z.string(),
      item_id: z.string(),
      detail: z.record(z.string(), z.unknown()),
      created_at: z.string(),
    }),
  ),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  total_count: z.int(),
});

const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 1_000;

/** `<path>/activity/` of all things of a kind, and `<path>/:id/activity/` of one. */
export function activityRoutes(
  db: Db,
  scope: ActivityScope,
  path: string,
  load: (context: Pick<ProjectContext, 'project' | 'params'>) => Promise<{ id: number | string }>,
): Route[] {
  const shared = {
    scope: 'activity_log:read',
    query: { limit: 'Entries on a page, 10 unless given.', page: 'Which page, from 1.' },
    returns: ActivityPage,
  };
  const show = ({ project, query, url }: Pick<ProjectContext, 'project' | 'query' | 'url'>, item_id?: string) =>
    listActivity(db, { team_id: project.id, scope, item_id }, query, url);
  return [
    projectRoute('GET', `${path}activity/`, {
      ...shared,
      summary: `Who changed what: every ${scope}`,
      handle: (context) => show(context),
    }),
    projectRoute('GET', `${path}:id/activity/`, {
      ...shared,
      summary: `Who changed what: one ${scope}`,
      load,
      handle: (context) => show(context, String(context.found.id)),
    }),
  ];
}

async function listActivity(
  db: Db,
  { team_id, scope, item_id }: { team_id: number; scope: ActivityScope; item_id: string | undefined },
  query: URLSearchParams,
  url: URL,
) {
  const limit = Math.min(readCount(query.get('limit')) ?? LIMIT_DEFAULT, LIMIT_MAX);
  const page = readCount(query.get('page')) ?? 1;
  const matching = db
    .selectFrom('activity_log')
    .where('activity_log.team_id', '=', team_id)
    .where('scope', '=', scope)
    .$if(item_id !== undefined, (all) => all.where('item_id', '=', item_id ?? ''));
  const { count } = await matching.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  const rows = await matching
    .leftJoin('account', 'account.id', 'activity_log.user_id')
    .selectAll('activity_log')
    .select(sql<AccountRow | null>`to_jsonb(account)`.as('account'))
    .orderBy('activity_log.created_at', 'desc')
    .orderBy('activity_log.id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const link = (to: number) => {
    const linked = new URL(url);
    linked.searchParams.set('page', String(to));
    return linked.href;
  };
  return {
    results: rows.map(({ id, account, activity, item_id, detail, created_at }) => ({
      id,
      user: account && toUserBasic(account),
      activity,
      scope,
      item_id,
      detail,
      created_at,
    })),
    next: page * limit < count ? link(page + 1) : null,
    previous: page > 1 ? link(page - 1) : null,
    total_count: count,
  };
}

/** A count that multiplies to an exact number; nonsense counts as not asked. */
const readCount = (text: string | null) => (/^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : undefined);
