// Keeps warm what people look at: a look at an answer that has aged buys one new computation of it.
import { type Kysely, sql } from 'kysely';
import type { Database, ProjectRow } from '../../metadata/tables.ts';
import type { Logger } from '../../platform/logger.ts';
import { forgetUnused, listStale } from '../cache.ts';
import type { Queries } from '../queries.ts';
import { toQueryProject } from '../wire.ts';

const WARMED_AT_ONCE = 20;

export interface WarmParts {
  db: Kysely<Database>;
  queries: Queries;
  log: Logger;
}

/** One after the other, so that people who wait go first. Returns how many were computed. */
export async function warmOnce({ db, queries, log }: WarmParts, stopping: AbortSignal): Promise<number> {
  await forgetUnused(db);
  const stale = await listStale(db, WARMED_AT_ONCE);
  const projects = new Map<number, ProjectRow | undefined>();
  let warmed = 0;
  for (const { team_id, cache_key, query } of stale) {
    if (stopping.aborted) break;
    if (!projects.has(team_id)) {
      projects.set(team_id, await db.selectFrom('project').selectAll().where('id', '=', team_id).executeTakeFirst());
    }
    const project = projects.get(team_id);
    if (!project) continue;
    try {
      await queries.refresh(toQueryProject(project), query);
      warmed += 1;
    } catch (error) {
      log.debug({ err: error, cache_key }, 'an answer could not be kept warm');
    }
    // Done for this look, whether it was computed under the same key, under another (the settings changed), or not at all.
    await sql`
      update query_result set used_at = least(used_at, computed_at)
       where team_id = ${team_id} and cache_key = ${cache_key}`.execute(db);
  }
  return warmed;
}
