// Questions and answers: from the cache when that will do, from the engine when it will not, now or while nobody waits.
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { ApiError, invalid, parseError } from '../http/errors.ts';
import { isDict } from '../http/fields.ts';
import type { Database } from '../metadata/tables.ts';
import type { QueryRunRow } from '../metadata/tables-query.ts';
import type { Logger } from '../platform/logger.ts';
import type { Progress } from './ask.ts';
import { type CachedAnswer, cacheKey, findAnswers, keepAnswer } from './cache.ts';
import { type ContextParts, openContext } from './context.ts';
import { Flights } from './flights.ts';
import { freshnessOf } from './freshness.ts';
import type { QueryKind, QueryProject } from './kind.ts';
import { OverrideGuesses } from './overrides.ts';
import type { Refresh } from './refresh.ts';
import { cancelRun, endRun, findRun, listCancelled, startRun } from './runs.ts';
import { type QueryStatus, toFailure, toStatus } from './status.ts';

export interface QueriesParts extends ContextParts {
  db: Kysely<Database>;
  kinds: ReadonlyMap<string, QueryKind>;
  log: Logger;
}

type Node = Record<string, unknown>;

export interface Question {
  project: QueryProject;
  /** As it came, wrappers and all. */
  query: unknown;
  refresh: Refresh;
  /** By which it can be cancelled, and asked about. */
  client_query_id?: string | undefined;
  insight_id?: number | null | undefined;
  dashboard_id?: number | null | undefined;
  /** Aborts when nobody waits for the answer any more. Runs that nobody waits for go on. */
  left?: AbortSignal | undefined;
}

/** An answer with everything around it; without `results` when nothing has been computed. */
export interface Answer {
  cache_key: string;
  is_cached: boolean;
  last_refresh: string | null;
  cache_target_age: string | null;
  next_allowed_client_refresh: string | null;
  timezone: string | null;
  query_status: QueryStatus | null;
  [field: string]: unknown;
}

export interface Queries {
  ask(question: Question): Promise<Answer>;
  /** What is in the cache for each of these, in one go; nothing is computed. */
  peek(project: QueryProject, queries: readonly unknown[]): Promise<Answer[]>;
  /** Computes the question anew and keeps the answer. */
  refresh(project: QueryProject, node: Node): Promise<void>;
  findStatus(team_id: number, id: string): Promise<{ run: QueryRunRow; status: QueryStatus } | undefined>;
  /** Stops the run with this id, wherever it is; nothing happens when there is none. */
  cancel(team_id: number, id: string): Promise<void>;
  close(): Promise<void>;
}

/** How soon a run notices that it was cancelled through another process. */
const CANCEL_LOOK_MS = 1_000;

const cancelled = () => invalid('The query was cancelled.', null, 'cancelled');

export function openQueries(parts: QueriesParts): Queries {
  const { db, kinds, log } = parts;
  const flights = new Flights<Kept>();
  const overrides = new OverrideGuesses(parts.engine);
  const running = new Map<string, AbortController>();
  const background = new Set<Promise<void>>();
  const runKey = (team_id: number, id: string) => `${team_id}:${id}`;

  const looking = setInterval(() => void lookForCancelled().catch(() => {}), CANCEL_LOOK_MS).unref();

  async function lookForCancelled(): Promise<void> {
    if (running.size === 0) return;
    const ids = [...running.keys()].map((key) => key.slice(key.indexOf(':') + 1));
    for (const { team_id, id } of await listCancelled(db, ids)) running.get(runKey(team_id, id))?.abort(cancelled());
  }

  /** Computes, and keeps what was computed. */
  const compute = (project: QueryProject, { node, kind, query }: Read, key: string, signal: AbortSignal) =>
    flights.join(key, signal, async (stop): Promise<Kept> => {
      const now = Date.now();
      const startedAt = performance.now();
      let openedAt = startedAt;
      const asker = { team_id: project.id, signal: stop, label: key };
      const result = await overrides.use(asker, async (hasOverrides, signal) => {
        const context = await openContext(parts, project, { now, signal, label: key, query: node, hasOverrides });
        openedAt = performance.now();
        return kind.run(context, query);
      });
      const timings = [
        { k: './open', t: (openedAt - startedAt) / 1_000 },
        { k: './run', t: (performance.now() - openedAt) / 1_000 },
        { k: '.', t: (performance.now() - startedAt) / 1_000 },
      ];
      const body = { hogql: null, modifiers: null, error: null, ...result, timings };
      const kept = { cache_key: key, answer: JSON.stringify(body), computedAt: now, body };
      const { freshUntil } = freshnessOf(node, now, result.resolved_date_range?.date_to);
      await keepAnswer(db, { team_id: project.id, query: node, freshUntil, ...kept }).catch((error: unknown) => {
        log.warn({ err: error }, 'the answer of a query could not be kept');
      });
      return { ...kept, freshUntil };
    });

  const withId = async <T>(team_id: number, id: string | undefined, run: (signal: AbortSignal) => Promise<T>) => {
    const stop = new AbortController();
    if (id === undefined) return run(stop.signal);
    running.set(runKey(team_id, id), stop);
    try {
      return await run(stop.signal);
    } finally {
      if (running.get(runKey(team_id, id)) === stop) running.delete(runKey(team_id, id));
    }
  };

  const inBackground = async (
    { project, client_query_id, insight_id, dashboard_id }: Question,
    read: Read,
    key: string,
  ) => {
    const id = client_query_id ?? randomUUID();
    const run = await startRun(db, { id, team_id: project.id, insight_id, dashboard_id, cache_key: key });
    // One with this id is under way: it is the same client asking again.
    if (!run) return toStatus((await findRun(db, project.id, id))!);
    const work = withId(project.id, id, (signal) => compute(project, read, key, signal))
      .then((kept) => endRun(db, project.id, id, { answer: JSON.stringify(toAnswer(kept, read.node, project, false)) }))
      .catch((error: unknown) => endRun(db, project.id, id, toFailure(error, log)))
      .catch((error: unknown) => log.warn({ err: error }, 'the end of a query could not be noted'));
    background.add(work);
    void work.finally(() => background.delete(work));
    return toStatus(run);
  };

  /** Only the engine knows it; without an answer of the engine the run is under way all the same. */
  const findProgress = async ({ ended_at, cache_key }: QueryRunRow): Promise<Progress | null> => {
    if (ended_at !== null || cache_key === null) return null;
    return (await parts.engine.progress(cache_key).catch(() => undefined)) ?? null;
  };

  return {
    async ask(question) {
      const { project, refresh } = question;
      const read = readQuestion(question.query, kinds);
      const key = cacheKey(read.node, project);
      const isForced = refresh === 'force_blocking' || refresh === 'force_async';
      const cached = isForced ? undefined : (await findAnswers(db, project.id, [key]))[0];
      const shown = cached && toAnswer(cached, read.node, project, true);
      const now = Date.now();
      const isFresh =
        cached !== undefined && now < (refresh === 'lazy_async' ? lazyUntil(cached, read.node) : cached.freshUntil);
      if (shown && (isFresh || refresh === 'force_cache')) return shown;
      const calculate = async () => {
        const run = (stop: AbortSignal) =>
          compute(project, read, key, question.left ? AbortSignal.any([stop, question.left]) : stop);
        return toAnswer(await withId(project.id, question.client_query_id, run), read.node, project, false);
      };
      switch (refresh) {
        case 'force_cache':
          return nothing(key);
        case 'blocking':
        case 'force_blocking':
          return calculate();
        case 'async_except_on_cache_miss':
          if (!shown) return calculate();
          return { ...shown, query_status: await inBackground(question, read, key) };
        case 'async':
        case 'lazy_async':
        case 'force_async':
          return { ...(shown ?? nothing(key)), query_status: await inBackground(question, read, key) };
      }
    },

    async peek(project, queries) {
      const nodes = queries.map(unwrap);
      const keys = nodes.map((node) => cacheKey(node, project));
      const found = new Map((await findAnswers(db, project.id, keys)).map((answer) => [answer.cache_key, answer]));
      return nodes.map((node, at) => {
        const cached = found.get(keys[at]!);
        return cached && node ? toAnswer(cached, node, project, true) : nothing(keys[at]!);
      });
    },

    async refresh(project, node) {
      const read = readQuestion(node, kinds);
      await compute(project, read, cacheKey(read.node, project), new AbortController().signal);
    },

    async findStatus(team_id, id) {
      const run = await findRun(db, team_id, id);
      if (!run) return undefined;
      return { run, status: { ...toStatus(run), query_progress: await findProgress(run) } };
    },

    async cancel(team_id, id) {
      running.get(runKey(team_id, id))?.abort(cancelled());
      await cancelRun(db, team_id, id);
    },

    async close() {
      clearInterval(looking);
      for (const stop of running.values())
        stop.abort(new ApiError(503, 'server_error', 'stopping', 'Tenrec is stopping.'));
      await Promise.all(background);
    },
  };
}

interface Kept extends CachedAnswer {
  /** The answer itself, when it was just computed. */
  body?: object;
}

interface Read {
  node: Node;
  kind: QueryKind;
  query: unknown;
}

const WRAPPERS = new Set(['InsightVizNode', 'DataVisualizationNode', 'DataTableNode']);

/** The query inside its wrappers, which only say how to show it. */
export function unwrap(query: unknown): Node | undefined {
  let node = query;
  for (let depth = 0; isDict(node) && WRAPPERS.has(String(node.kind)) && depth < 5; depth += 1) node = node.source;
  return isDict(node) ? node : undefined;
}

function readQuestion(given: unknown, kinds: ReadonlyMap<string, QueryKind>): Read {
  const node = unwrap(given);
  if (!node) throw parseError('JSON parse error - query: Input should be a valid dictionary');
  const kind = kinds.get(String(node.kind));
  if (!kind) {
    const known = [...kinds.keys()].join(', ');
    throw parseError(`JSON parse error - query.kind: "${String(node.kind)}" is no kind of query; there are: ${known}`);
  }
  return { node, kind, query: kind.read(node) };
}

const lazyUntil = ({ computedAt }: CachedAnswer, node: Node) => freshnessOf(node, computedAt, undefined).lazyUntil;

const iso = (ms: number) => new Date(ms).toISOString();

function toAnswer(kept: Kept, node: Node, project: QueryProject, is_cached: boolean): Answer {
  const body = kept.body ?? (JSON.parse(kept.answer) as object);
  return {
    ...body,
    cache_key: kept.cache_key,
    is_cached,
    last_refresh: iso(kept.computedAt),
    cache_target_age: iso(kept.freshUntil),
    next_allowed_client_refresh: iso(freshnessOf(node, kept.computedAt, undefined).nextAllowed),
    timezone: project.timezone,
    query_status: null,
  };
}

const nothing = (cache_key: string): Answer => ({
  cache_key,
  is_cached: false,
  last_refresh: null,
  cache_target_age: null,
  next_allowed_client_refresh: null,
  timezone: null,
  query_status: null,
});
