import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { isPublicAddress } from '../../network/addresses.ts';
import type { NetworkGuard } from '../../network/guard.ts';
import { type Config, ConfigMistake, DestinationError } from '../destination.ts';
import { NO_TLS, toPostgresError } from './errors.ts';

export interface PostgresAccess {
  readonly user: string;
  readonly password: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly has_self_signed_cert: boolean;
}

const CONNECT_MS = 30_000;
const END_MS = 1_000;

export function checkHost(config: Config): void {
  // The driver takes a path for the socket of a server on this very machine, past every check of addresses.
  if (typeof config.host !== 'string' || config.host.trim() === '' || config.host.startsWith('/')) {
    throw new ConfigMistake("'host' must be the name or the address of a server");
  }
}

export interface Connection extends AsyncDisposable {
  readonly client: Client;
}

/**
 * A connection of its own. When the run is cancelled it is cut at once: the server rolls back whatever was going on.
 * What fails on it is told by `toPostgresError`.
 */
export async function openConnection(
  access: PostgresAccess,
  guard: NetworkGuard,
  signal: AbortSignal,
): Promise<Connection> {
  checkHost({ host: access.host });
  const [address] = await guard.resolve(access.host);
  try {
    return await connect(access, address, signal, true);
  } catch (error) {
    // Within a private network, which the operator has allowed, a database may do without encryption.
    if (!isPublicAddress(address) && (error as Error).message === NO_TLS)
      return connect(access, address, signal, false);
    throw error;
  }
}

/** Runs with a connection that ends with it. */
export async function withConnection<T>(
  access: PostgresAccess,
  guard: NetworkGuard,
  signal: AbortSignal,
  run: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    await using connection = await openConnection(access, guard, signal);
    return await run(connection.client);
  } catch (error) {
    signal.throwIfAborted();
    throw toPostgresError(error);
  }
}

async function connect(
  access: PostgresAccess,
  address: string,
  signal: AbortSignal,
  isEncrypted: boolean,
): Promise<Connection> {
  const { default: pg } = await import('pg');
  const { user, password, database, port, host, has_self_signed_cert } = access;
  // The certificate is judged by the name, though the address that was checked is connected to.
  const tls = { rejectUnauthorized: !has_self_signed_cert, ...(host !== address && { servername: host }) };
  const client = new pg.Client({
    ...{ user, password, database, port, host: address, ssl: isEncrypted ? tls : false },
    ...{ application_name: 'tenrec export', client_encoding: 'UTF8', keepAlive: true },
    connectionTimeoutMillis: CONNECT_MS,
  });
  // A connection that breaks fails the query that uses it; without a listener it would also end the process.
  client.on('error', () => {});
  const cut = () => client.connection.stream.destroy();
  signal.throwIfAborted();
  signal.addEventListener('abort', cut);
  try {
    await client.connect();
    await client.query("SET timezone TO 'UTC'");
  } catch (error) {
    signal.removeEventListener('abort', cut);
    cut();
    throw toConnectError(error, access);
  }
  return {
    client,
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', cut);
      // A server that no longer answers must not hold up the end of a run.
      const patience = new AbortController();
      await Promise.race([client.end().catch(() => {}), delay(END_MS, undefined, patience).catch(() => {})]);
      patience.abort();
      cut();
    },
  };
}

function toConnectError(error: unknown, { host, port }: PostgresAccess): unknown {
  const { message, code } = error as NodeJS.ErrnoException;
  if (code !== 'ECONNREFUSED' && message !== 'timeout expired') return error;
  const text = `No database answers at ${host}:${port}. Check \`host\`, \`port\` and any firewall in between`;
  return new DestinationError('ConnectionError', text, { final: false, cause: error });
}
