// The results of insights that are shown together: from the cache in one go, or computed as far as the reader asks.
import { ApiError } from '../../http/errors.ts';
import type { ProjectRow } from '../../metadata/tables.ts';
import { fromLegacy } from '../../query/legacy.ts';
import type { Answer, Queries } from '../../query/queries.ts';
import type { Refresh } from '../../query/refresh.ts';
import { toQueryProject } from '../../query/wire.ts';
import type { Dict } from '../shapes.ts';
import type { InsightFacts } from './sql.ts';
import { toQuestion } from './wire.ts';

export interface ShownInsight {
  insight: InsightFacts;
  /** Those of the dashboard that it is shown on. */
  filters: Dict;
  dashboard_id?: number | undefined;
}

const ASKED_AT_ONCE = 4;

export type Answers = ReadonlyMap<number, Answer>;

/**
 * By the insight's id. Insights without a question, and those whose question fails, have no result. When the `reader` leaves,
 * what is computed for them is stopped.
 */
export async function findAnswers(
  queries: Queries,
  project: Pick<ProjectRow, 'id' | 'timezone' | 'settings'>,
  shown: readonly ShownInsight[],
  refresh: Refresh,
  reader?: AbortSignal,
): Promise<Answers> {
  const asked = shown.flatMap((each) => {
    const query = questionOf(each);
    return query ? [{ ...each, query }] : [];
  });
  const place = toQueryProject(project);
  if (refresh === 'force_cache') {
    const answers = await queries.peek(
      place,
      asked.map(({ query }) => query),
    );
    return new Map(asked.map(({ insight }, at) => [insight.id, answers[at]!]));
  }
  const answers = new Map<number, Answer>();
  const left = asked.values();
  // A few at a time, so that a large dashboard does not use up all that its project may ask at once.
  const askOn = async () => {
    for (const { insight, query, dashboard_id } of left) {
      reader?.throwIfAborted();
      const question = { project: place, query, refresh, insight_id: insight.id, dashboard_id, left: reader };
      answers.set(insight.id, await queries.ask(question).catch(toFailure));
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askOn));
  return answers;
}

/** The query with the filters applied; the older form as the query that means the same. */
function questionOf({ insight, filters }: ShownInsight): Dict | undefined {
  const { query, filters: legacy } = toQuestion(insight, filters);
  if (query) return query;
  return Object.keys(insight.filters).length > 0 ? fromLegacy(legacy) : undefined;
}

/** One insight that cannot be computed is no reason not to show the others. */
function toFailure(error: unknown): Answer {
  if (!(error instanceof ApiError)) throw error;
  return {
    cache_key: '',
    is_cached: false,
    last_refresh: null,
    cache_target_age: null,
    next_allowed_client_refresh: null,
    timezone: null,
    query_status: {
      id: '',
      query_async: true,
      team_id: 0,
      insight_id: null,
      dashboard_id: null,
      error: true,
      complete: true,
      error_message: error.message,
      results: null,
      start_time: null,
      pickup_time: null,
      end_time: null,
      expiration_time: null,
      task_id: null,
      query_progress: null,
      labels: null,
    },
  };
}
