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

export function checkHost(config: Config): void {
  // The driver takes a path for the socket of a server on this very machine, past every check of addresses.
  if (typeof config.host !== 'string' || config.host.trim() === '' || config.host.startsWith('/')) {
    throw new ConfigMistake("'host' must be the name or the address of a server");
  }
}

/**
 * Runs with a connection of its own, which ends with it. When the run is cancelled the connection is cut at once: the
 * server rolls back whatever was going on.
 */
export async function withConnection<T>(
  access: PostgresAccess,
  guard: NetworkGuard,
  signal: AbortSignal,
  run: (client: Client) => Promise<T>,
): Promise<T> {
  let client: Client | undefined;
  const cut = () => client?.connection.stream.destroy();
  try {
    signal.throwIfAborted();
    client = await connect(access, guard);
    signal.addEventListener('abort', cut);
    signal.throwIfAborted();
    return await run(client);
  } catch (error) {
    signal.throwIfAborted();
    throw toPostgresError(error);
  } finally {
    signal.removeEventListener('abort', cut);
    // A server that no longer answers must not hold up the end of a run.
    if (client)
      await Promise.race([client.end().catch(() => {}), new Promise((done) => setTimeout(done, 1_000).unref())]);
    cut();
  }
}

async function connect(access: PostgresAccess, guard: NetworkGuard): Promise<Client> {
  checkHost({ host: access.host });
  const [address] = await guard.resolve(access.host);
  try {
    return await open(access, address, true);
  } catch (error) {
    // Within a private network, which the operator has allowed, a database may do without encryption.
    if (!isPublicAddress(address) && (error as Error).message === NO_TLS) return open(access, address, false);
    throw error;
  }
}

async function open(access: PostgresAccess, address: string, encrypted: boolean): Promise<Client> {
  const { default: pg } = await import('pg');
  const { user, password, database, port, host, has_self_signed_cert } = access;
  const client = new pg.Client({
    ...{ user, password, database, port },
    // The address that was checked; the certificate is still judged by the name.
    host: address,
    ssl: encrypted
      ? { rejectUnauthorized: !has_self_signed_cert, ...(host !== address && { servername: host }) }
      : false,
    application_name: 'tenrec export',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    client_encoding: 'UTF8',
  });
  // A connection that breaks fails the query that uses it; without a listener it would also end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query("SET timezone TO 'UTC'");
  } catch (error) {
    client.connection.stream.destroy();
    throw error instanceof DestinationError ? error : toConnectError(error, access);
  }
  return client;
}

function toConnectError(error: unknown, { host, port }: PostgresAccess): unknown {
  const { message, code } = error as NodeJS.ErrnoException;
  if (code !== 'ECONNREFUSED' && message !== 'timeout expired') return error;
  const text = `No database answers at ${host}:${port}. Check \`host\`, \`port\` and any firewall in between`;
  return new DestinationError('ConnectionError', text, { final: false, cause: error });
}
