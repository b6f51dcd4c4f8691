// The whole feature, ready to be mounted.
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Gate } from '../http/caller.ts';
import type { PublicEndpoint } from '../http/public.ts';
import type { Route } from '../http/route.ts';
import type { EventLog } from '../log/log.ts';
import type { Database } from '../metadata/tables.ts';
import type { Place } from '../pipeline/geoip-properties.ts';
import type { Logger } from '../platform/logger.ts';
import type { EventStore } from '../store/open.ts';
import { watchAcceptedWrites } from './accepted-writes.ts';
import { type Definitions, openDefinitions } from './definitions.ts';
import { earlyAccessRoutes } from './early-access/routes.ts';
import { flagEndpoints } from './endpoints.ts';
import { localEvaluationEndpoints } from './local-evaluation.ts';
import { organizationFlagRoutes } from './management/organization-routes.ts';
import { flagRoutes } from './management/routes.ts';
import { publicConfigEndpoints } from './public-config.ts';
import { readerRoutes } from './reader-routes.ts';
import { openFlagReaders, secretKeyRoutes } from './secret-keys.ts';
import { openPayloadVault } from './secret-payloads.ts';
import { openStoredFacts } from './stored-facts.ts';
import { startNotingCalls } from './usage/last-calls.ts';

export interface FlagsParts {
  db: Kysely<Database>;
  pool: Pool;
  store: EventStore;
  eventLog: EventLog;
  gate: Gate;
  secretKey: string;
  /** The project of a key; undefined when no project has it. */
  findProject(token: string): Promise<number | undefined> | number | undefined;
  findPlace: ((address: string) => Place | undefined) | undefined;
  /** How long a decision waits for what is stored about people. */
  answerMsMax?: number | undefined;
  log: Logger;
}

export interface Flags {
  /** Capture appends to this one. */
  eventLog: EventLog;
  endpoints: PublicEndpoint[];
  routes: Route[];
  definitions: Definitions;
  close(): Promise<void>;
}

export async function openFlags(given: FlagsParts): Promise<Flags> {
  const { db, pool, store, eventLog, gate, secretKey, findProject, findPlace, log } = given;
  const definitions = await openDefinitions(pool, log);
  const accepted = watchAcceptedWrites(eventLog, log);
  await accepted.recall().catch((error) => log.warn({ err: error }, 'what waits in the log was not looked at'));
  const facts = openStoredFacts({ pool, accepted, findPlace, answerMsMax: given.answerMsMax, log });
  const parts = { pool, definitions, facts, findProject, findPlace, log };
  const findReader = openFlagReaders(db, gate);
  const vault = openPayloadVault(secretKey);
  const endpoints = [
    ...flagEndpoints(parts),
    ...localEvaluationEndpoints({ definitions, findReader }),
    ...publicConfigEndpoints(parts),
  ];
  const routes = [
    ...readerRoutes({ definitions, findReader, vault }),
    ...flagRoutes({ ...parts, db, store, vault }),
    ...secretKeyRoutes(db),
    ...organizationFlagRoutes({ db, vault, definitions }),
    ...earlyAccessRoutes(db, definitions),
  ];
  const calls = startNotingCalls({ db, store, log });
  const close = async () => {
    facts.close();
    accepted.close();
    await calls.close();
    await definitions.close();
  };
  return { eventLog: accepted.log, endpoints, routes, definitions, close };
}
