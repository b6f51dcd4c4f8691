// The services: each is really opened and asked. An embedded one that has no data yet is tried in a temporary folder, so
// that a doctor called before the first start leaves nothing behind.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { listMigrations } from '../../metadata/migrate.ts';
import { type Metadata, openMetadata } from '../../metadata/open.ts';
import type { Logger } from '../../platform/logger.ts';
import { listStoreMigrations } from '../../store/migrate.ts';
import { type EventStore, openStore } from '../../store/open.ts';
import { holdFolder } from '../reach.ts';
import { type Check, type Finding, ok, problem, warning } from './check.ts';
import { askReadiness } from './readiness.ts';

/** Where the services are examined. */
export interface Place extends AsyncDisposable {
  /** As configured, but leading to the temporary folder or to the engine of the running program. */
  config: Config;
  /** `trial`: in a temporary folder; `running`: a program has the data folder; `here`: this process has it, or needs none. */
  kind: 'here' | 'running' | 'trial';
}

/** Fails when the data folder can neither be held nor be reached through the program that holds it. */
export async function choosePlace(config: Config): Promise<Place> {
  if (config.DATABASE_URL && config.CLICKHOUSE_URL)
    return { config, kind: 'here', [Symbol.asyncDispose]: async () => {} };
  if (!existsSync(join(config.TENREC_DATA, 'lock'))) {
    const TENREC_DATA = await mkdtemp(join(tmpdir(), 'tenrec-doctor-'));
    const remove = () => rm(TENREC_DATA, { recursive: true, force: true });
    return { config: { ...config, TENREC_DATA }, kind: 'trial', [Symbol.asyncDispose]: remove };
  }
  const { folder, runningUrl = '' } = await holdFolder(config);
  return {
    config: { ...config, DATABASE_URL: config.DATABASE_URL || runningUrl },
    kind: folder ? 'here' : 'running',
    [Symbol.asyncDispose]: async () => folder?.close(),
  };
}

const MEND_SERVER = (variable: string) =>
  `See that ${variable} is right, and that the server runs and lets this machine in.`;
const MEND_ENGINE = 'See that `npm ci` ended well, and that this machine has memory and disk to spare.';

export function postgresChecks(configured: Config, place: Place, log: Logger): Check[] {
  const isServer = configured.DATABASE_URL !== '';
  const ask = async (look: (metadata: Metadata) => Promise<Finding>): Promise<Finding> => {
    const metadata = await openMetadata(place.config, log);
    return look(metadata).finally(() => metadata.close());
  };
  return [
    {
      name: 'PostgreSQL',
      look: () =>
        ask(async ({ pool }) => {
          const { rows } = await pool.query<{ server_version: string }>('show server_version');
          return ok(`${rows[0]?.server_version}, ${isServer ? 'a server' : describe(place)}`);
        }).catch((error: Error) => problem(error.message, isServer ? MEND_SERVER('DATABASE_URL') : MEND_ENGINE)),
    },
    {
      name: 'PostgreSQL clock',
      look: () => ask(({ pool }) => compareClocks(pool)),
    },
    {
      name: 'PostgreSQL tables',
      look: () => ask(async ({ pool }) => describePending(await listMigrations(pool), place)),
    },
  ];
}

/** Two processes of one installation that disagree about the time disagree about what is recent, expired or due. */
const CLOCK_MS_MAX = 5_000;

async function compareClocks(pool: Metadata['pool']): Promise<Finding> {
  const askedAt = Date.now();
  const { rows } = await pool.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  const differenceMs = Math.abs((rows[0]?.ms ?? 0) - (askedAt + Date.now()) / 2);
  if (differenceMs <= CLOCK_MS_MAX) return ok('the same as here');
  return problem(
    `${Math.round(differenceMs / 1000)} s away from the clock of this machine`,
    'Set both clocks by a time service such as chrony or systemd-timesyncd.',
  );
}

const CLICKHOUSE_MAJOR_MIN = 25;

export function clickhouseChecks(configured: Config, place: Place, log: Logger): Check[] {
  const isServer = configured.CLICKHOUSE_URL !== '';
  if (!isServer && place.kind === 'running') return [{ name: 'ClickHouse', look: () => askProgram(configured) }];
  const ask = async (look: (store: EventStore) => Promise<Finding>): Promise<Finding> => {
    const store = await openStore(place.config, log);
    return look(store).finally(() => store.close());
  };
  return [
    {
      name: 'ClickHouse',
      look: () =>
        ask(async ({ client }) => {
          const answer = await client.query({ query: 'select version() as version', format: 'JSONEachRow' });
          const version = (await answer.json<{ version: string }>())[0]?.version ?? '';
          if (Number.parseInt(version, 10) >= CLICKHOUSE_MAJOR_MIN) {
            return ok(`${version}, ${isServer ? 'a server' : describe(place)}`);
          }
          return problem(version, `Tenrec needs ClickHouse ${CLICKHOUSE_MAJOR_MIN} or newer.`);
        }).catch((error: Error) => problem(error.message, isServer ? MEND_SERVER('CLICKHOUSE_URL') : MEND_ENGINE)),
    },
    {
      name: 'ClickHouse tables',
      look: () => ask(async ({ client }) => describePending(await listStoreMigrations(client), place)),
    },
  ];
}

/** The embedded engine answers nobody but its program, so the program is asked. */
async function askProgram(config: Config): Promise<Finding> {
  const state = (await askReadiness(config))?.services.ClickHouse;
  if (state === 'ok') return ok('embedded, in the running Tenrec');
  if (state !== undefined) return problem(state, 'Tenrec restarts it by itself; if it stays so, look into its log.');
  return warning(
    'held by the running Tenrec, which does not answer at HOST and PORT',
    'Set HOST and PORT as they were when it was started.',
  );
}

const describe = ({ kind }: Place) =>
  ({
    here: 'embedded, starts and answers',
    running: 'embedded, in the running Tenrec',
    trial: 'embedded, starts and answers in a temporary folder',
  })[kind];

function describePending(migrations: readonly { name: string; applied_at: string | null }[], { kind }: Place): Finding {
  if (kind === 'trial') return ok('made by the first start');
  const pending = migrations.filter(({ applied_at }) => applied_at === null).map(({ name }) => name);
  if (pending.length === 0) return ok('up to date');
  return warning(
    `pending: ${pending.join(', ')}`,
    kind === 'running'
      ? 'Restart Tenrec: it is older than this program.'
      : 'The next start does it, or: tenrec migrate',
  );
}
