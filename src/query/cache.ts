// What queries have answered, by a key over the question.
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { isDict } from '../http/fields.ts';
import type { Database } from '../metadata/tables.ts';
import type { QueryProject } from './kind.ts';

type Db = Kysely<Database>;

/** Changes when answers are computed differently, so that none of the old ones is shown. */
const EDITION = 1;

/** Answers larger than this are computed each time. */
const ANSWER_CHARACTERS_MAX = 20_000_000;

/** A question and everything else that its answer depends on. */
export function cacheKey(node: unknown, project: QueryProject): string {
  const { id, timezone, weekStartDay } = project;
  const filters = isDict(node) && node.filterTestAccounts ? project.testAccountFilters : [];
  const paths = isDict(node) && node.kind === 'PathsQuery' ? project.pathCleaningFilters : [];
  const question = canonical([EDITION, id, timezone, weekStartDay, filters, paths, node]);
  return `cache_${createHash('sha256').update(question).digest('hex').slice(0, 40)}`;
}

/** Only typing and bookkeeping; two questions that differ in nothing else are one. */
const IGNORED = new Set(['response', 'tags', 'version']);

/** JSON whose keys are in order; what is null or absent is the same. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isDict(value)) return JSON.stringify(value) ?? 'null';
  const pairs = Object.entries(value)
    .filter(([key, inner]) => inner !== null && inner !== undefined && !IGNORED.has(key))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`);
  return `{${pairs.join(',')}}`;
}

export interface CachedAnswer {
  cache_key: string;
  /** The whole answer as JSON. */
  answer: string;
  computedAt: number;
  freshUntil: number;
}

interface AnswerRow {
  cache_key: string;
  answer: string;
  computed_at: string;
  fresh_until: string;
  /** Nobody has looked at it for a while; it is only about days, so that is noted once in a while. */
  is_use_news: boolean;
}

/** Those of these questions that have been answered; that they were looked at is noted. */
export async function findAnswers(db: Db, team_id: number, keys: readonly string[]): Promise<CachedAnswer[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<AnswerRow>`
    select cache_key, answer, computed_at, fresh_until, used_at < now() - interval '10 minutes' as is_use_news
      from query_result
     where team_id = ${team_id} and cache_key = any(${[...keys]}::text[])`.execute(db);
  const news = rows.filter(({ is_use_news }) => is_use_news);
  if (news.length > 0) {
    await noteUsed(
      db,
      team_id,
      news.map(({ cache_key }) => cache_key),
    );
  }
  return rows.map(({ cache_key, answer, computed_at, fresh_until }) => ({
    cache_key,
    answer,
    computedAt: Date.parse(computed_at),
    freshUntil: Date.parse(fresh_until),
  }));
}

async function noteUsed(db: Db, team_id: number, keys: readonly string[]): Promise<void> {
  await sql`
    update query_result set used_at = now()
     where team_id = ${team_id} and cache_key = any(${[...keys]}::text[])`.execute(db);
}

export interface NewAnswer {
  team_id: number;
  cache_key: string;
  query: unknown;
  answer: string;
  computedAt: number;
  freshUntil: number;
}

/** The later of two that were computed at the same time stays. */
export async function keepAnswer(db: Db, given: NewAnswer): Promise<void> {
  const { team_id, cache_key, query, answer } = given;
  if (answer.length > ANSWER_CHARACTERS_MAX || answer.includes('\\u0000')) return;
  const [computed_at, fresh_until] = [given.computedAt, given.freshUntil].map((ms) => new Date(ms).toISOString());
  await sql`
    insert into query_result (team_id, cache_key, query, answer, computed_at, fresh_until)
    values (${team_id}, ${cache_key}, ${JSON.stringify(query)}, ${answer}, ${computed_at}, ${fresh_until})
        on conflict (team_id, cache_key) do update
       set answer = excluded.answer, computed_at = excluded.computed_at, fresh_until = excluded.fresh_until
     where query_result.computed_at <= excluded.computed_at`.execute(db);
}

export interface StaleQuestion {
  team_id: number;
  cache_key: string;
  query: Record<string, unknown>;
}

/** What is no longer fresh, and was looked at again after it was computed; the latest looks first. */
export async function listStale(db: Db, limit: number): Promise<StaleQuestion[]> {
  const { rows } = await sql<StaleQuestion>`
    select team_id, cache_key, query from query_result
     where fresh_until < now() and used_at > computed_at + interval '5 minutes' and used_at > now() - interval '2 days'
     order by used_at desc
     limit ${limit}`.execute(db);
  return rows;
}

/** What nobody has looked at for long. */
export async function forgetUnused(db: Db): Promise<void> {
  await sql`delete from query_result where used_at < now() - interval '14 days'`.execute(db);
  await sql`delete from query_run where expires_at < now()`.execute(db);
}
