// An exporter in a process of its own, on the database and the event store of somebody else, to be killed.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Kysely, PostgresDialect } from 'kysely';
import { pino } from 'pino';
import { configWith } from '../../src/config.ts';
import type { Destination } from '../../src/exports/destinations/destination.ts';
import { destinationsFor, openExports } from '../../src/exports/open.ts';
import type { WorkerTiming } from '../../src/exports/worker.ts';
import { openPool } from '../../src/metadata/pool.ts';
import type { Database } from '../../src/metadata/tables.ts';
import { connectTo, type EventStore, type MovingClient, type StoreAddress } from '../../src/store/open.ts';

export interface WorkerOrders {
  databaseUrl: string;
  address: StoreAddress;
  /** Where `File` writes. */
  folder: string;
  secretKey: string;
  timing: Partial<WorkerTiming>;
  /** The clock stands still here; undefined: it is the database's. */
  now?: number;
  /** `NoOp` takes for ever. */
  hangs?: boolean;
}

export interface WorkerProcess {
  child: ChildProcess;
  /** The runs it has taken up so far. */
  taken(): string[];
  /** Tells it where the event store is now. */
  moveTo(address: StoreAddress): void;
  kill(signal: NodeJS.Signals): Promise<unknown>;
}

/** Resolves when it works. */
export async function startWorkerProcess(orders: WorkerOrders): Promise<WorkerProcess> {
  const child = fork(import.meta.filename, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.send(orders);
  await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error(`the exporter ended: ${output}`))),
  ]);
  return {
    child,
    taken: () =>
      output
        .split('\n')
        .filter((line) => line.includes('a run is taken up'))
        .map((line) => JSON.parse(line).run_id),
    moveTo: (address) => void child.send({ address }, () => {}),
    async kill(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

if (process.send && import.meta.main) process.once('message', (orders) => work(orders as WorkerOrders));

function work({ databaseUrl, address, folder, secretKey, timing, now, hangs }: WorkerOrders): void {
  const log = pino({ level: 'debug' }, pino.destination({ dest: 1, sync: true }));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: openPool(databaseUrl, log) }) });
  const config = configWith({ TENREC_DATA: folder, TENREC_EXPORT_PRIVATE_NETWORKS: true, TENREC_EXPORT_RUNS: 3 });
  // The engine may move before it is first asked for anything: clients are opened late, where it is by then.
  let place = address;
  const moving: MovingClient[] = [];
  const connect = () => {
    const made = connectTo(place, 3_600);
    moving.push(made);
    return made.client;
  };
  const store = { connect } as unknown as EventStore;
  process.on('message', (news: { address: StoreAddress }) => {
    place = news.address;
    for (const each of moving) each.moveTo(place);
  });
  const endless: Destination = {
    type: 'NoOp',
    fields: { arg: { type: 'str', fallback: '' } },
    models: ['events'],
    tests: [],
    ship: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  };
  const worker = openExports({
    db,
    store,
    secretKey,
    config,
    log,
    timing,
    destinations: { ...destinationsFor(config), ...(hangs && { NoOp: endless }) },
    ...(now !== undefined && { clock: async () => now }),
  }).work();
  process.on('SIGTERM', () => void worker.close().then(() => process.exit(0)));
  process.on('disconnect', () => process.exit(1));
  process.send?.('works');
}
