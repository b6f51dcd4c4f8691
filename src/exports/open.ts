// Batch exports put together: their routes, for the doors, and their worker.
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Config } from '../config.ts';
import type { Route } from '../http/route.ts';
import type { Database } from '../metadata/tables.ts';
import type { Logger } from '../platform/logger.ts';
import { openParser } from '../query/hogql/parse.ts';
import type { EventStore } from '../store/open.ts';
import type { BackfillParts } from './backfills/create.ts';
import { type Clock, databaseClock } from './clock.ts';
import { type Destinations, openDestinations } from './destinations/all.ts';
import { openHogql } from './hogql/read.ts';
import { exportRoutes } from './routes.ts';
import { openVault } from './secrets.ts';
import { openSource } from './source.ts';
import { startWorker, type Worker, type WorkerTiming } from './worker.ts';

export type ExportsConfig = Pick<Config, 'TENREC_DATA' | 'TENREC_EXPORT_RUNS' | 'TENREC_EXPORT_PRIVATE_NETWORKS'>;

export interface ExportsParts {
  db: Kysely<Database>;
  store: EventStore;
  secretKey: string;
  config: ExportsConfig;
  log: Logger;
  /** Tests move it. */
  clock?: Clock;
  timing?: Partial<WorkerTiming>;
  /** In place of the real ones: places that fail as a test wants them to. */
  destinations?: Destinations;
}

export interface Exports {
  parts: BackfillParts;
  routes: Route[];
  /** Works on runs until it is closed. */
  work(): Worker;
  close(): Promise<void>;
}

export function openExports({ db, store, secretKey, config, log, clock, timing, destinations }: ExportsParts): Exports {
  const source = openSource(store);
  const parser = openParser();
  const parts: BackfillParts = {
    db,
    clock: clock ?? databaseClock(db),
    destinations: destinations ?? destinationsFor(config),
    vault: openVault(secretKey),
    source,
    readHogql: openHogql({ parser, source }),
  };
  return {
    parts,
    routes: exportRoutes(parts),
    work: () => startWorker({ ...parts, runsMax: config.TENREC_EXPORT_RUNS, log, ...(timing && { timing }) }),
    async close() {
      await parser.close();
      await source.close();
    },
  };
}

export const destinationsFor = (config: Omit<ExportsConfig, 'TENREC_EXPORT_RUNS'>): Destinations =>
  openDestinations({
    filesFolder: join(config.TENREC_DATA, 'exports'),
    privateNetworksAllowed: config.TENREC_EXPORT_PRIVATE_NETWORKS,
  });
