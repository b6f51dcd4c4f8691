// Opens the event store: the server at CLICKHOUSE_URL, or the embedded ClickHouse when there is none.
import { join } from 'node:path';
import type { ClickHouseClient, ClickHouseClientConfigOptions } from '@clickhouse/client';
import type { Config } from '../config.ts';
import type { Logger } from '../platform/logger.ts';
import type { Supervisor } from '../platform/supervisor.ts';
import { Unavailable } from '../platform/unavailable.ts';
import { createStoreClient } from './client.ts';
import { EngineAgent, startEmbedded } from './embedded/process.ts';

export type StoreConfig = Pick<
  Config,
  'CLICKHOUSE_URL' | 'TENREC_DATA' | 'TENREC_QUERY_MEMORY_MB' | 'TENREC_QUERY_SECONDS'
>;

export interface EventStore {
  readonly kind: 'embedded' | 'server';
  /** Stays the same over restarts of the engine. Its calls fail with `Unavailable` while ClickHouse does not answer. */
  readonly client: ClickHouseClient;
  /** Another client of the same store, with options of its own: a database, compression. The caller closes it. */
  connect(options: ClickHouseClientConfigOptions): ClickHouseClient;
  /** For another thread, which connects with `connectTo` and is to be told when the store moves. */
  readonly address: StoreAddress;
  onMove(listener: (address: StoreAddress) => void): void;
  /** The child process of the embedded form. */
  readonly engine: Supervisor | undefined;
  /** Resolves when ClickHouse answers, and fails with `Unavailable` when it does not. */
  health(): Promise<void>;
  close(): Promise<void>;
}

/** Where the store is, in a form that can be sent to another thread. */
export interface StoreAddress {
  url: string;
  password?: string;
  /** Of the embedded engine, until it is restarted. */
  port?: number;
}

export interface MovingClient {
  client: ClickHouseClient;
  moveTo(address: StoreAddress): void;
}

/** A client from another thread's point of view: it goes where it is told. */
export function connectTo(address: StoreAddress, querySeconds: number): MovingClient {
  const { url, password } = address;
  let { port } = address;
  const embedded = port === undefined ? {} : { password, http_agent: new EngineAgent(() => port ?? 0) };
  return {
    client: createStoreClient({ url, ...embedded }, querySeconds),
    moveTo: (next) => {
      port = next.port;
    },
  };
}

const HEALTH_MS = 5_000;

export async function openStore(config: StoreConfig, log: Logger): Promise<EventStore> {
  return config.CLICKHOUSE_URL ? openServer(config) : openEmbedded(config, log);
}

function openServer(config: StoreConfig): EventStore {
  const connect = (options: ClickHouseClientConfigOptions) =>
    createStoreClient({ url: config.CLICKHOUSE_URL, ...options }, config.TENREC_QUERY_SECONDS);
  const client = connect({});
  return {
    kind: 'server',
    client,
    connect,
    address: { url: config.CLICKHOUSE_URL },
    onMove: () => {},
    engine: undefined,
    // A server answers pings of people it would not let in, so it is asked for something.
    health: () => requireAnswer(client, true),
    close: () => client.close(),
  };
}

const LOOPBACK = 'http://127.0.0.1';

async function openEmbedded(config: StoreConfig, log: Logger): Promise<EventStore> {
  const { supervisor, password, openAgent, port, onPort } = await startEmbedded(
    {
      folder: join(config.TENREC_DATA, 'clickhouse'),
      queryMemoryBytes: config.TENREC_QUERY_MEMORY_MB * 1024 * 1024,
      querySeconds: config.TENREC_QUERY_SECONDS,
    },
    log,
  );
  const connect = (options: ClickHouseClientConfigOptions) =>
    createStoreClient({ url: LOOPBACK, password, http_agent: openAgent(), ...options }, config.TENREC_QUERY_SECONDS);
  const client = connect({});
  const addressAt = (port: number): StoreAddress => ({ url: LOOPBACK, password, port });
  return {
    kind: 'embedded',
    client,
    connect,
    get address() {
      return addressAt(port());
    },
    onMove: (listener) => onPort((port) => listener(addressAt(port))),
    engine: supervisor,
    async health() {
      if (!supervisor.up) throw new Unavailable('ClickHouse', 'it is being restarted');
      await requireAnswer(client, false);
    },
    async close() {
      await client.close();
      await supervisor.stop();
    },
  };
}

async function requireAnswer(client: ClickHouseClient, select: boolean): Promise<void> {
  const answer = await client.ping({ select, abort_signal: AbortSignal.timeout(HEALTH_MS) });
  if (!answer.success) throw new Unavailable('ClickHouse', answer.error.message, { cause: answer.error });
}
