// The pipeline in a thread of its own, with its own connections and its own handle on the log, so that capture's event
// loop never waits for it. `worker.ts` starts it.
import { once } from 'node:events';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { LOG_KEEP_MS, openLmdbLog } from '../log/lmdb.ts';
import { openPool } from '../metadata/pool.ts';
import { giveWay } from '../platform/give-way.ts';
import { openLogger } from '../platform/logger.ts';
import { StartError } from '../platform/start-error.ts';
import { connectTo } from '../store/open.ts';
import { openGeoip } from './geoip.ts';
import { startPipeline } from './run.ts';
import { SeenEvents } from './seen-events.ts';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts';

const MB = 1024 * 1024;
const port = parentPort!;
const tell = (message: FromWorker) => port.postMessage(message);

async function run({ config, databaseUrl, cities, store }: WorkerStart): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const log = await openLogger({ level: config.TENREC_LOG_LEVEL, format: config.TENREC_LOG_FORMAT });
  const findPlace = cities && openGeoip(cities);
  const eventLog = await openLmdbLog(
    { path: join(config.TENREC_DATA, 'log'), maxBytes: config.TENREC_LOG_MAX_MB * MB, keepMs: LOG_KEEP_MS },
    log,
  );
  opened.defer(() => eventLog.close());
  const seen = new SeenEvents(join(config.TENREC_DATA, 'seen'));
  opened.defer(() => seen.close());
  const pool = openPool(databaseUrl, log);
  opened.defer(() => pool.end());
  const { client, moveTo } = connectTo(store, config.TENREC_QUERY_SECONDS);
  opened.defer(() => client.close());
  const cluster = config.TENREC_CLICKHOUSE_CLUSTER;
  const pipeline = startPipeline({ eventLog, pool, client, cluster, seen, findPlace, log });
  opened.defer(() => pipeline.close());

  const stopped = Promise.withResolvers<void>();
  port.on('message', (message: ToWorker) => {
    if (message.type === 'store_moved') moveTo(message.store);
    else if (message.type === 'stats') tell({ type: 'stats', stats: pipeline.stats() });
    else if (message.type === 'stop') stopped.resolve();
  });
  tell({ type: 'running' });
  const end = await Promise.race([stopped.promise, pipeline.ended.then(() => 'by itself')]);
  if (end === 'by itself') tell({ type: 'taken_over' });
}

giveWay();
const [first] = (await once(port, 'message')) as [ToWorker];
try {
  // Told to stop before it was told to begin, it has nothing to end.
  if (first.type === 'begin') await run(first.start);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  tell({ type: 'refused', message: error.message });
} finally {
  port.close();
}
