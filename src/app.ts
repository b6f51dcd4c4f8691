// All routes of the program, behind one server.
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { captureEndpoints } from './capture/endpoints.ts';
import { captureOwn } from './capture/own-event.ts';
import { type Cohorts, openCohorts } from './cohorts/open.ts';
import type { Config } from './config.ts';
import { dashboardRoutes } from './dashboards/routes.ts';
import { definitionRoutes } from './events/definitions/routes.ts';
import { watchIngestion } from './events/ingestion/metrics.ts';
import { ingestionRoutes } from './events/ingestion/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { watchExports } from './exports/metrics.ts';
import { type Exports, type ExportsConfig, openExports } from './exports/open.ts';
import { type Flags, openFlags } from './flags/open.ts';
import { BODY_BYTES_MAX } from './http/body.ts';
import { openRegistry, requestMetrics } from './http/metrics.ts';
import { publicHandler } from './http/public.ts';
import { BodyReader } from './http/read-bytes.ts';
import type { OpenContext, Route } from './http/route.ts';
import { buildServer } from './http/server.ts';
import { Throttle } from './http/throttle.ts';
import type { EventLog } from './log/log.ts';
import type { Database } from './metadata/tables.ts';
import { apiPageRoutes } from './operation/api-page.ts';
import { healthRoutes } from './operation/health.ts';
import { instanceRoutes } from './operation/instance.ts';
import { metricsRoute, type WatchedService } from './operation/metrics.ts';
import { peopleRoutes } from './people/routes.ts';
import type { FindPlace } from './pipeline/prepare-event.ts';
import type { Logger } from './platform/logger.ts';
import { openGate } from './projects/access/gate.ts';
import { apiKeyRoutes } from './projects/api-keys/routes.ts';
import { organizationRoutes } from './projects/organizations/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { openProjectTokens, type ProjectTokens } from './projects/tokens.ts';
import { userRoutes } from './projects/users/routes.ts';
import { type OpenedQueries, openQuery, type QueryConfig } from './query/open.ts';
import { toQueryProject } from './query/wire.ts';
import { startPage, startPageRoutes } from './start-page/routes.ts';
import type { EventStore } from './store/open.ts';
import { openSurveys, type Surveys } from './surveys/open.ts';
import type { Web } from './web/open.ts';
import { sharedPage, webRoutes } from './web/routes.ts';

export interface AppParts {
  db: Kysely<Database>;
  /** The one that `db` asks through: definitions of flags listen for changes on a connection of their own. */
  pool: Pool;
  /** Where an address is; undefined without a city database. */
  findPlace: FindPlace | undefined;
  secretKey: string;
  config: Pick<Config, 'TENREC_RATE_LIMITS' | 'TENREC_TRUST_PROXY' | 'TENREC_CAPTURE_STRICT'> &
    ExportsConfig &
    QueryConfig;
  eventLog: EventLog;
  store: EventStore;
  /** Aborted when the program stops, so that answers without end come to theirs. */
  stopping: AbortSignal;
  services: readonly WatchedService[];
  /** The web app; without it, the start page takes its place. */
  web?: Web;
  log: Logger;
  /** Tests: a response that differs from its declared shape fails. */
  checkResponses?: boolean;
}

const VERSION = '0.1.0';

const info = {
  title: 'Tenrec API',
  version: VERSION,
  description: 'Product analytics and feature flags in one program.',
};

/** What works in the background as well, and is closed with the doors. */
interface Features {
  flags: Flags;
  surveys: Surveys;
  cohorts: Cohorts;
  exports: Exports;
  query: OpenedQueries;
}

/** Every feature's routes, in the order the API description lists them. */
function listRoutes(
  parts: AppParts,
  tokens: ProjectTokens,
  { flags, surveys, cohorts, exports, query }: Features,
): Route[] {
  const { db, secretKey, services, store, eventLog, stopping } = parts;
  return [
    ...projectRoutes(db, tokens),
    ...organizationRoutes(db),
    ...userRoutes(db, secretKey),
    ...apiKeyRoutes(db),
    ...eventRoutes(db, store, query.findActionEvents),
    ...definitionRoutes(db),
    ...peopleRoutes(db, store, (event) => captureOwn(flags.eventLog, event)),
    ...ingestionRoutes({ db, store, eventLog, stopping }),
    ...flags.routes,
    ...surveys.routes,
    ...cohorts.routes,
    ...query.routes,
    ...dashboardRoutes(db, secretKey, query.queries, sharedPage(parts.web)),
    ...exports.routes,
    ...healthRoutes(services),
    ...instanceRoutes({ db, store, eventLog, services, dataFolder: parts.config.TENREC_DATA }),
  ];
}

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { db, pool, store, secretKey, config, eventLog, findPlace, log } = parts;
  const registry = openRegistry();
  const metrics = requestMetrics(registry);
  watchIngestion(registry, db, eventLog);
  watchExports(registry, db);
  const gate = openGate(db, secretKey);
  const tokens = openProjectTokens(db);
  const flags = await openFlags({
    db,
    pool,
    store,
    eventLog,
    gate,
    secretKey,
    findProject: tokens.find,
    findPlace,
    log,
  });
  const surveys = openSurveys({ db, store, definitions: flags.definitions }, log);
  const cohorts = openCohorts({
    db,
    pool,
    store,
    definitions: flags.definitions,
    askQuery: (project, asked) =>
      query.queries.ask({ project: toQueryProject(project), query: asked, refresh: 'force_blocking' }),
    log,
  });
  const exports = openExports({ db, store, secretKey, config, log });
  const query = openQuery({ db, store, config, listCohortMembers: cohorts.listMembers, log });
  const routes = listRoutes(parts, tokens, { flags, surveys, cohorts, exports, query });
  const endpoints = [
    ...captureEndpoints({ log: flags.eventLog, findProject: tokens.find, strict: config.TENREC_CAPTURE_STRICT }),
    ...flags.endpoints,
  ];
  const showStartPage = startPage(db, { events: true });
  const app: FastifyInstance = await buildServer({
    routes: [
      ...routes,
      ...apiPageRoutes(info, routes),
      metricsRoute(registry, parts.services),
      ...startPageRoutes(showStartPage),
      ...webRoutes(parts.web, showStartPage, (address, headers) => askSelf(app, address, headers)),
    ],
    gate,
    throttle: config.TENREC_RATE_LIMITS ? new Throttle() : undefined,
    first: publicHandler({ endpoints, bodies: new BodyReader(BODY_BYTES_MAX), metrics, log }),
    metrics,
    trustProxy: config.TENREC_TRUST_PROXY,
    checkResponses: parts.checkResponses ?? false,
    log,
  });
  app.addHook('onClose', async () => {
    surveys.close();
    await query.close();
    await cohorts.close();
    await exports.close();
    await flags.close();
  });
  return app;
}

/** What this program answers at an address, without the way over the network; undefined when it refuses. */
async function askSelf(
  app: FastifyInstance,
  url: string,
  headers: OpenContext['headers'],
): Promise<string | undefined> {
  const { statusCode, payload } = await app.inject({ url, headers: { accept: 'application/json', ...headers } });
  return statusCode === 200 ? payload : undefined;
}
