// The client of the event store: the same `@clickhouse/client` for the embedded ClickHouse and for a server.
import {
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
} from '@clickhouse/client';
import { Unavailable } from '../platform/unavailable.ts';

/** How long beyond a query's own time limit its answer is waited for: it may have stood in a queue before. */
const WAIT_BEYOND_QUERY_MS = 30_000;

/** A client whose calls fail with `Unavailable` when ClickHouse cannot be reached, so that callers can say "try again". */
export function createStoreClient(options: ClickHouseClientConfigOptions, querySeconds: number): ClickHouseClient {
  const client = createClient({
    application: 'tenrec',
    // A result that is fetched slowly holds its connection; inserts must still find one.
    max_open_connections: 64,
    request_timeout: querySeconds * 1000 + WAIT_BEYOND_QUERY_MS,
    // Long lists of values do not fit into a URL.
    use_multipart_params_auto: true,
    // Failures reach the caller as exceptions, who logs them once.
    log: { level: ClickHouseLogLevel.OFF },
    ...options,
  });
  const query = client.query.bind(client);
  return Object.assign(client, {
    query: reporting(async (params: Parameters<typeof query>[0]) => {
      const result = await query(params);
      return Object.assign(result, {
        json: reporting(result.json.bind(result)),
        text: reporting(result.text.bind(result)),
      });
    }),
    insert: reporting(client.insert.bind(client)),
    command: reporting(client.command.bind(client)),
    exec: reporting(client.exec.bind(client)),
  });
}

/** The failure as `Unavailable` when it means that ClickHouse could not be reached or had no room; otherwise itself. */
export function toUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Unavailable) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (error instanceof ClickHouseError) return BUSY_CODES.has(code) ? unavailable(error) : error;
  const lost = LOST_CODES.has(code) || LOST_MESSAGES.has(error.message);
  return lost ? unavailable(error) : error;
}

/** TOO_MANY_SIMULTANEOUS_QUERIES, NETWORK_ERROR, ABORTED. */
const BUSY_CODES = new Set(['202', '210', '236']);
const LOST_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const LOST_MESSAGES = new Set(['Timeout error.', 'socket hang up', 'aborted']);

function unavailable(cause: Error): Unavailable {
  return new Unavailable('ClickHouse', cause.message || cause.name, { cause });
}

function reporting<A extends unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await call(...args);
    } catch (error) {
      throw toUnavailable(error);
    }
  };
}
