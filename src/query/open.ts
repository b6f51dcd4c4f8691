// Queries, ready to be mounted.
import type { Kysely } from 'kysely';
import { actionRoutes } from '../actions/routes.ts';
import { annotationRoutes } from '../annotations/routes.ts';
import type { Config } from '../config.ts';
import type { Route } from '../http/route.ts';
import type { Database, ProjectRow } from '../metadata/tables.ts';
import type { Logger } from '../platform/logger.ts';
import type { EventStore } from '../store/open.ts';
import { type ActionEventsSql, findActionEvents } from './action-events.ts';
import { openEngine } from './ask.ts';
import { startBackground } from './background/start.ts';
import type { QueryFacts } from './context.ts';
import { openFacts } from './facts.ts';
import { openParser } from './hogql/parse.ts';
import { kinds } from './kinds.ts';
import { legacyRoutes } from './legacy-routes.ts';
import { openQueries, type Queries } from './queries.ts';
import { queryRoutes } from './routes.ts';
import { toQueryProject } from './wire.ts';

export type QueryConfig = Pick<Config, 'TENREC_QUERY_MEMORY_MB' | 'TENREC_QUERY_SECONDS' | 'TENREC_CLICKHOUSE_CLUSTER'>;

export interface QueryParts {
  db: Kysely<Database>;
  store: EventStore;
  config: QueryConfig;
  listCohortMembers: QueryFacts['listCohortMembers'];
  log: Logger;
}

export interface OpenedQueries {
  queries: Queries;
  findActionEvents(
    project: Pick<ProjectRow, 'id' | 'timezone' | 'settings'>,
    id: number,
  ): Promise<ActionEventsSql | undefined>;
  routes: Route[];
  close(): Promise<void>;
}

export function openQuery({ db, store, config, listCohortMembers, log }: QueryParts): OpenedQueries {
  const parser = openParser();
  const engine = openEngine(store, {
    seconds: config.TENREC_QUERY_SECONDS,
    memoryBytes: config.TENREC_QUERY_MEMORY_MB * 1024 * 1024,
  });
  const parts = { engine, parser, facts: openFacts({ db, listCohortMembers }) };
  const queries = openQueries({ ...parts, db, kinds, log });
  const cluster = config.TENREC_CLICKHOUSE_CLUSTER || undefined;
  const background = startBackground({ db, queries, store, cluster, log });
  return {
    queries,
    findActionEvents: (project, id) => findActionEvents(parts, toQueryProject(project), id),
    routes: [...queryRoutes(queries), ...legacyRoutes(queries), ...actionRoutes(db), ...annotationRoutes(db)],
    async close() {
      await background.close();
      await queries.close();
      await parser.close();
    },
  };
}
