// Opens the stores first and the doors last; closes the doors first.
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { ExportsParts } from './exports/open.ts';
import { LOG_KEEP_MS, openLmdbLog } from './log/lmdb.ts';
import { migrateMetadata, withMigrationLock } from './metadata/migrate.ts';
import { openMetadata } from './metadata/open.ts';
import type { WatchedService } from './operation/metrics.ts';
import { startForgetting } from './people/forget-projects.ts';
import { openGeoip, readCityDatabase } from './pipeline/geoip.ts';
import { loadPipelineThread, type PipelineWorker, startPipelineWorker } from './pipeline/worker.ts';
import { openDataFolder } from './platform/data-folder.ts';
import type { Logger } from './platform/logger.ts';
import { openSecretKey } from './platform/secret-key.ts';
import { Unavailable } from './platform/unavailable.ts';
import { bootstrap, type FirstStart } from './projects/bootstrap.ts';
import { migrateStore } from './store/migrate.ts';
import { type EventStore, openStore } from './store/open.ts';
import { openWeb } from './web/open.ts';

const MB = 1024 * 1024;
/** What is not answered by then is not worth the wait: SIGTERM promises an end within 10 s. */
const DRAIN_MS_MAX = 4_000;

export interface Tenrec {
  /** Where it listens: `http://127.0.0.1:8000`. */
  address: string;
  /** The generated or given credentials, on the very first start only. */
  firstStart: FirstStart | undefined;
  services: readonly WatchedService[];
  store: EventStore;
  close(): Promise<void>;
}

/** Told of every step before it begins, so that a slow first start can say what it is doing. */
export type OnStep = (step: string) => void;

export async function startTenrec(config: Config, log: Logger, onStep: OnStep = () => {}): Promise<Tenrec> {
  // What was opened is closed in the opposite order, also when a later step fails.
  await using opened = new AsyncDisposableStack();

  onStep('opening the data folder');
  const folder = await openDataFolder(config.TENREC_DATA);
  opened.defer(() => folder.close());
  const secretKey = openSecretKey(config.TENREC_SECRET_KEY, config.TENREC_DATA);

  onStep('starting the engines');
  // The rest of the program is loaded while they start.
  const loading = import('./app.ts');
  const thread = loadPipelineThread();
  opened.defer(async () => void (await thread.terminate()));
  const readingCities = readCityDatabase(config.GEOIP_DB, log);
  readingCities.catch(() => {});
  const [metadata, store] = await openBoth(openMetadata(config, log), openStore(config, log));
  opened.defer(() => metadata.close());
  opened.defer(() => store.close());
  const eventLog = await openLmdbLog(
    { path: join(config.TENREC_DATA, 'log'), maxBytes: config.TENREC_LOG_MAX_MB * MB, keepMs: LOG_KEEP_MS },
    log,
  );
  opened.defer(() => eventLog.close());

  onStep('bringing the tables up to date');
  await withMigrationLock(metadata.pool, async () => {
    await Promise.all([
      migrateMetadata(metadata.pool, log),
      migrateStore(store.client, log, { cluster: config.TENREC_CLICKHOUSE_CLUSTER }),
    ]);
  });

  onStep('starting the pipeline and opening the doors');
  const cities = await readingCities;
  // It begins while this thread gets everything else ready.
  const startingPipeline = startPipelineWorker({ config, databaseUrl: metadata.url, cities, store, log }, thread);
  // Its failure is looked at where it is waited for.
  startingPipeline.catch(() => {});
  opened.defer(async () => (await startingPipeline.catch(() => undefined))?.close());
  let pipeline: PipelineWorker | undefined;
  const services: WatchedService[] = [
    { name: 'PostgreSQL', health: () => metadata.health(), engine: metadata.engine },
    { name: 'ClickHouse', health: () => store.health(), engine: store.engine },
    { name: 'event log', health: async () => void (await eventLog.stats()), engine: undefined },
    {
      name: 'pipeline',
      health: () => checkPipeline(pipeline),
      get engine() {
        return pipeline;
      },
    },
  ];
  const cluster = config.TENREC_CLICKHOUSE_CLUSTER;
  const forgetting = startForgetting({ db: metadata.db, store, cluster, log });
  opened.defer(() => forgetting.close());
  const firstStart = await bootstrap(metadata.db, config);
  const { buildApp } = await loading;
  const stopping = new AbortController();
  const web = openWeb(config.TENREC_DATA, log);
  opened.defer(() => web.close());
  const app = await buildApp({
    db: metadata.db,
    pool: metadata.pool,
    findPlace: cities && openGeoip(cities),
    store,
    eventLog,
    stopping: stopping.signal,
    secretKey,
    config,
    services,
    web,
    log,
  });
  opened.defer(await startExports({ db: metadata.db, store, secretKey, config, log }));
  opened.defer(() => {
    stopping.abort();
    return closeDoors(app);
  });
  pipeline = await startingPipeline;
  await app.listen({ host: config.HOST, port: config.PORT });
  const { port } = app.server.address() as AddressInfo;

  const running = opened.move();
  return {
    address: `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`,
    firstStart,
    services,
    store,
    close: () => running.disposeAsync(),
  };
}

/** A pipeline that waits for an engine is fine; the engine is reported by itself. One that is gone is not. */
async function checkPipeline(pipeline: PipelineWorker | undefined): Promise<void> {
  if (pipeline?.takenOver) {
    const what =
      'another Tenrec on the same database has taken it over; stop one of the two, then start this one again';
    throw new Unavailable('The pipeline', what);
  }
  if (!pipeline?.up) throw new Unavailable('The pipeline', 'its thread has ended and is being started again');
}

/** Works on the runs of exports; the returned function gives back what is under way, for the next start to take up. */
async function startExports(parts: ExportsParts): Promise<() => Promise<void>> {
  if (parts.config.TENREC_EXPORT_RUNS === 0) return async () => {};
  // Loaded with the app already, while the engines started.
  const { openExports } = await import('./exports/open.ts');
  const exports = openExports(parts);
  const worker = exports.work();
  return async () => {
    await worker.close();
    await exports.close();
  };
}

/** Takes no more requests and lets those under way finish, but waits for none that never ends. */
async function closeDoors(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS_MAX);
  await app.close();
  clearTimeout(timer);
}

/** Starts both at once; when one fails, the other is closed again. */
async function openBoth<A extends Closable, B extends Closable>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled([a, b]);
  if (first.status === 'fulfilled' && second.status === 'fulfilled') return [first.value, second.value];
  for (const result of [first, second]) if (result.status === 'fulfilled') await result.value.close();
  throw first.status === 'rejected' ? first.reason : (second as PromiseRejectedResult).reason;
}

interface Closable {
  close(): Promise<void>;
}
