// Connections to PostgreSQL that fail fast, and say `Unavailable` when there is nothing to talk to.
import pg from 'pg';
import type { Logger } from '../platform/logger.ts';
import { toUnavailable } from './failures.ts';
import { valueTypes } from './value-types.ts';

export const CONNECT_MS = 2_000;
/** No statement of a request or a job takes longer; migrations have connections without this limit. */
const STATEMENT_MS = 30_000;
/** The server ends a statement by itself; only one that no longer answers at all is given up by us. */
const ANSWER_MS = STATEMENT_MS + 5_000;
const POOL_MAX = 20;

type Callback = (error: unknown, ...results: unknown[]) => void;
type Translate = (error: unknown) => unknown;

/** Calls a method of `pg` so that its failure is translated, whether it was given a callback or returns a promise. */
function callTranslated(self: object, method: unknown, args: unknown[], translate: Translate): unknown {
  const callback = args.at(-1);
  if (typeof callback === 'function') {
    args[args.length - 1] = (error: unknown, ...results: unknown[]) =>
      (callback as Callback)(error && translate(error), ...results);
  }
  const result = Reflect.apply(method as (...args: unknown[]) => unknown, self, args);
  return result instanceof Promise ? result.catch((error) => Promise.reject(translate(error))) : result;
}

/** Speaks of lost connections as `Unavailable`. */
class FailFastClient extends pg.Client {
  // @ts-expect-error One signature for all the overloads of the base class; callers see those of the base class.
  override query(...args: unknown[]): unknown {
    return callTranslated(this, super.query, args, (error) => this.#translate(error));
  }

  #translate(error: unknown): unknown {
    // The late answer would be taken for that of the next query, so this connection has no next query.
    if ((error as Error).message === 'Query read timeout') this.connection.stream.destroy();
    return toUnavailable(error);
  }
}

class FailFastPool extends pg.Pool {
  // @ts-expect-error As above.
  override query(...args: unknown[]): unknown {
    return callTranslated(this, super.query, args, toUnavailable);
  }

  // @ts-expect-error As above.
  override connect(...args: unknown[]): unknown {
    return callTranslated(this, super.connect, args, toUnavailable);
  }
}

const connectionSettings = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'tenrec',
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  types: valueTypes() as pg.CustomTypesConfig,
  options: '-c TimeZone=UTC',
});

export function openPool(url: string, log: Logger): pg.Pool {
  const config: pg.PoolConfig = {
    ...connectionSettings(url),
    max: POOL_MAX,
    // One stays; each of the others holds 14 MB, and is made again within milliseconds.
    min: 1,
    idleTimeoutMillis: 3_000,
    statement_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    idle_in_transaction_session_timeout: 60_000,
    Client: FailFastClient as unknown as new () => pg.ClientBase,
  };
  const pool = new FailFastPool(config) as unknown as pg.Pool;
  // An idle connection that the server closes: the pool has removed it, and the next query opens another.
  pool.on('error', (error) => log.debug({ err: error }, 'PostgreSQL closed an idle connection'));
  // One that is lost while somebody has it, between two statements, would end the process if nobody listened; whoever
  // has it is told by the next statement.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

/** One connection outside the pool, for what must not wait for it or outlast its limits. Close it with `end`. */
export async function connectAlone(url: string, connectMs = CONNECT_MS): Promise<pg.Client> {
  const client = new FailFastClient({ ...connectionSettings(url), connectionTimeoutMillis: connectMs });
  client.on('error', () => {}); // whoever is using it is told through the query
  try {
    await client.connect();
    return client as unknown as pg.Client;
  } catch (error) {
    throw toUnavailable(error);
  }
}
