// All routes of the program, behind one server.
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { captureEndpoints } from './capture/endpoints.ts';
import { captureOwn } from './capture/own-event.ts';
import type { Config } from './config.ts';
import { dashboardRoutes } from './dashboards/routes.ts';
import { definitionRoutes } from './events/definitions/routes.ts';
import { ingestionRoutes } from './events/ingestion/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { BODY_BYTES_MAX } from './http/body.ts';
import { openRegistry, requestMetrics } from './http/metrics.ts';
import { publicHandler } from './http/public.ts';
import { BodyReader } from './http/read-bytes.ts';
import type { Route } from './http/route.ts';
import { buildServer } from './http/server.ts';
import { Throttle } from './http/throttle.ts';
import type { EventLog } from './log/log.ts';
import type { Database } from './metadata/tables.ts';
import { apiPageRoutes } from './operation/api-page.ts';
import { healthRoutes } from './operation/health.ts';
import { metricsRoute, type WatchedService } from './operation/metrics.ts';
import { peopleRoutes } from './people/routes.ts';
import type { Logger } from './platform/logger.ts';
import { openGate } from './projects/access/gate.ts';
import { apiKeyRoutes } from './projects/api-keys/routes.ts';
import { organizationRoutes } from './projects/organizations/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { openProjectTokens, type ProjectTokens } from './projects/tokens.ts';
import { userRoutes } from './projects/users/routes.ts';
import { startPageRoutes } from './start-page/routes.ts';
import type { EventStore } from './store/open.ts';

export interface AppParts {
  db: Kysely<Database>;
  secretKey: string;
  config: Pick<Config, 'TENREC_RATE_LIMITS' | 'TENREC_TRUST_PROXY' | 'TENREC_CAPTURE_STRICT'>;
  eventLog: EventLog;
  store: EventStore;
  /** Aborted when the program stops, so that answers without end come to theirs. */
  stopping: AbortSignal;
  services: readonly WatchedService[];
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

/** Every feature's routes, in the order the API description lists them. */
function listRoutes({ db, secretKey, services, store, eventLog, stopping }: AppParts, tokens: ProjectTokens): Route[] {
  return [
    ...projectRoutes(db, tokens),
    ...organizationRoutes(db),
    ...userRoutes(db, secretKey),
    ...apiKeyRoutes(db),
    ...eventRoutes(db, store),
    ...definitionRoutes(db),
    ...peopleRoutes(db, store, (event) => captureOwn(eventLog, event)),
    ...ingestionRoutes({ db, store, eventLog, stopping }),
    ...dashboardRoutes(db, secretKey),
    ...healthRoutes(services),
  ];
}

export function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const registry = openRegistry();
  const metrics = requestMetrics(registry);
  const tokens = openProjectTokens(parts.db);
  const routes = listRoutes(parts, tokens);
  const endpoints = captureEndpoints({
    log: parts.eventLog,
    findProject: tokens.find,
    strict: parts.config.TENREC_CAPTURE_STRICT,
  });
  return buildServer({
    routes: [
      ...routes,
      ...apiPageRoutes(info, routes),
      metricsRoute(registry, parts.services),
      ...startPageRoutes(parts.db, { events: true }),
    ],
    gate: openGate(parts.db, parts.secretKey),
    throttle: parts.config.TENREC_RATE_LIMITS ? new Throttle() : undefined,
    first: publicHandler({ endpoints, bodies: new BodyReader(BODY_BYTES_MAX), metrics, log: parts.log }),
    metrics,
    trustProxy: parts.config.TENREC_TRUST_PROXY,
    checkResponses: parts.checkResponses ?? false,
    log: parts.log,
  });
}
