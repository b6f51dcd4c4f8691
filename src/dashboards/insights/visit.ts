// Insights as somebody sees them who has nothing but the token of a share: those on it, and no others.
import { notFound } from '../../http/errors.ts';
import { paged, readPage } from '../../http/paging.ts';
import type { OpenContext } from '../../http/route.ts';
import type { SharingConfigurationRow } from '../../metadata/tables.ts';
import type { Answer, Queries } from '../../query/queries.ts';
import { readVisitorRefresh } from '../../query/refresh.ts';
import type { Db } from '../sql.ts';
import { listInsights } from './list.ts';
import { parseInsightId } from './load.ts';
import { findAnswers } from './results.ts';
import { findInsight, type InsightFacts } from './sql.ts';
import { toInsight } from './wire.ts';

/** Nobody has this id, so nothing is judged or filtered by who asks. */
const NOBODY = 0;
/** Names and e-mail addresses are not for everyone who has a link. */
const NO_AUTHORS = new Map<number, never>();

const shown = (insight: InsightFacts, { dashboard_id }: SharingConfigurationRow, answer: Answer | undefined) => {
  // Where else an insight stands is not part of what was shared.
  const placements = insight.placements.filter((placement) => placement.dashboard_id === dashboard_id);
  return toInsight({ ...insight, placements }, NO_AUTHORS, 'public', {}, answer);
};

/** The project of a share: its time zone and settings are part of every question. */
export const getSharedProject = (db: Db, team_id: number) =>
  db.selectFrom('project').selectAll().where('id', '=', team_id).executeTakeFirstOrThrow();

export async function visitInsight(
  db: Db,
  queries: Queries,
  { params, query, left }: Pick<OpenContext, 'params' | 'query' | 'left'>,
  share: SharingConfigurationRow,
) {
  const which = parseInsightId(params.id ?? '');
  const insight = which && (await findInsight(db, share.team_id, which, NOBODY));
  if (!insight || insight.deleted) throw notFound();
  const isShared =
    insight.id === share.insight_id ||
    insight.placements.some(({ dashboard_id }) => dashboard_id === share.dashboard_id);
  if (!isShared) throw notFound();
  const project = await getSharedProject(db, share.team_id);
  const refresh = readVisitorRefresh(query.get('refresh'));
  const answers = await findAnswers(queries, project, [{ insight, filters: {} }], refresh, left);
  return shown(insight, share, answers.get(insight.id));
}

export async function visitInsights(
  db: Db,
  queries: Queries,
  { query, url }: Pick<OpenContext, 'query' | 'url'>,
  share: SharingConfigurationRow,
) {
  const page = readPage(query);
  const only = share.insight_id === null ? { dashboard_id: share.dashboard_id ?? 0 } : { insight_id: share.insight_id };
  const question = { team_id: share.team_id, user_id: NOBODY, only };
  const { count, insights } = await listInsights(db, question, query, page, Date.now());
  const project = await getSharedProject(db, share.team_id);
  const asked = insights.map((insight) => ({ insight, filters: {} }));
  const answers = await findAnswers(queries, project, asked, 'force_cache');
  return paged(
    url,
    page,
    count,
    insights.map((insight) => shown(insight, share, answers.get(insight.id))),
  );
}
