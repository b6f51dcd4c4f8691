// Opens PostgreSQL, wherever it is: at DATABASE_URL, or embedded in the data folder.
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { Config } from '../config.ts';
import type { Logger } from '../platform/logger.ts';
import { StartError } from '../platform/start-error.ts';
import type { Supervisor } from '../platform/supervisor.ts';
import { Unavailable } from '../platform/unavailable.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded/open.ts';
import { connectAlone, openPool } from './pool.ts';
import type { Database } from './tables.ts';

export interface Metadata {
  db: Kysely<Database>;
  pool: Pool;
  kind: 'embedded' | 'server';
  /** For another thread, which opens a pool of its own. */
  url: string;
  /** The child process; undefined with a server of somebody else. */
  engine: Supervisor | undefined;
  /** Resolves when PostgreSQL answers; otherwise rejects with `Unavailable` within a second. */
  health(): Promise<void>;
  close(): Promise<void>;
}

const VERSION_MIN = 15;
const HEALTH_MS = 900;
/** Started together with us, a server may need a moment. */
const SERVER_WAIT_MS = 10_000;
/** What a request has not given back by then is closed under it. */
const POOL_CLOSE_MS = 2_000;

/** Embedded, the caller holds the data folder. */
export async function openMetadata(
  { DATABASE_URL, TENREC_DATA }: Pick<Config, 'DATABASE_URL' | 'TENREC_DATA'>,
  log: Logger,
): Promise<Metadata> {
  if (DATABASE_URL !== '') {
    await checkServer(DATABASE_URL, log);
    return metadataAt(DATABASE_URL, log, undefined);
  }
  const embedded = await openEmbeddedPostgres(TENREC_DATA, log);
  return metadataAt(embedded.url, log, embedded);
}

function metadataAt(url: string, log: Logger, embedded: EmbeddedPostgres | undefined): Metadata {
  const pool = openPool(url, log);
  return {
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }),
    pool,
    kind: embedded ? 'embedded' : 'server',
    url,
    engine: embedded?.engine,
    async health() {
      if (embedded && !embedded.engine.up) throw new Unavailable('PostgreSQL', 'it is being restarted');
      await checkHealth(url);
    },
    async close() {
      await Promise.race([pool.end(), delay(POOL_CLOSE_MS, undefined, { ref: false })]);
      await embedded?.close();
    },
  };
}

/** Asks on a connection of its own, so that a pool busy with long statements does not look like a server that is gone. */
async function checkHealth(url: string): Promise<void> {
  const late = AbortSignal.timeout(HEALTH_MS);
  const client = await connectAlone(url, HEALTH_MS);
  // A server that stopped answering would not answer the goodbye either.
  const giveUp = () => client.connection.stream.destroy();
  late.addEventListener('abort', giveUp);
  try {
    if (late.aborted) giveUp();
    await client.query('select 1');
  } finally {
    late.removeEventListener('abort', giveUp);
    if (!late.aborted) await client.end();
  }
}

async function checkServer(url: string, log: Logger): Promise<void> {
  const version = await readServerVersion(url, log);
  if (Math.floor(version / 10_000) < VERSION_MIN) {
    throw new StartError(
      `DATABASE_URL: PostgreSQL at ${placeOf(url)} is version ${Math.floor(version / 10_000)}; ` +
        `${VERSION_MIN} or newer is needed.`,
    );
  }
}

async function readServerVersion(url: string, log: Logger): Promise<number> {
  const until = performance.now() + SERVER_WAIT_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const client = await connectAlone(url);
      const { rows } = await client.query<{ version: string }>(
        "select current_setting('server_version_num') as version",
      );
      await client.end();
      return Number(rows[0]!.version);
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() > until) {
        const reason = (error as Error).message;
        throw new StartError(`DATABASE_URL: PostgreSQL at ${placeOf(url)} cannot be used: ${reason}.`, {
          cause: error,
        });
      }
      if (attempt === 1) log.info(`Waiting for PostgreSQL at ${placeOf(url)}`);
      await delay(250);
    }
  }
}

/** The part of the URL that may be shown: no user, no password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
