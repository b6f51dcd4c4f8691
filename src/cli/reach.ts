// The way of a command to the data, whether the program is running or not.
// With DATABASE_URL there is a server to ask. Embedded, the data folder decides: whoever holds it has the engines. A
// command that gets it starts the engines for as long as it takes; one that does not get it talks to the PostgreSQL of
// the program that has it.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { findRunningPostgres } from '../metadata/embedded/running.ts';
import { listMigrations } from '../metadata/migrate.ts';
import { type Metadata, openMetadata } from '../metadata/open.ts';
import { type DataFolder, openDataFolder } from '../platform/data-folder.ts';
import type { Logger } from '../platform/logger.ts';
import { type EventStore, openStore } from '../store/open.ts';
import type { Answer, Call } from './command.ts';
import { CliError, missing } from './exit.ts';
import { quietly } from './log.ts';

export interface Reached extends AsyncDisposable {
  metadata: Metadata;
  /** Undefined when it was not wanted, or when a running program holds the embedded one: nobody else can reach that. */
  store: EventStore | undefined;
}

/** Runs a command on the state of the program: its users, projects and keys. */
export async function withMetadata(
  { readConfig, openLog }: Pick<Call, 'readConfig' | 'openLog'>,
  use: (metadata: Metadata) => Promise<Answer>,
): Promise<Answer> {
  const config = quietly(readConfig());
  requireData(config);
  await using reached = await reach(config, await openLog(config), { store: false });
  await requireMigrated(reached.metadata);
  return await use(reached.metadata);
}

/** Without this a command with the wrong TENREC_DATA would leave an empty database there. */
export function requireData({ DATABASE_URL, TENREC_DATA }: Pick<Config, 'DATABASE_URL' | 'TENREC_DATA'>): void {
  if (DATABASE_URL || !isMissing(join(TENREC_DATA, 'postgres'))) return;
  throw missing(`There is no data in ${TENREC_DATA} yet; is TENREC_DATA right? The first start makes it.`);
}

function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false; // there is something that this user may not look at; opening it says why
  }
}

export async function reach(config: Config, log: Logger, wanted: { store: boolean }): Promise<Reached> {
  // What was opened is closed in the opposite order, also when a later step fails.
  await using opened = new AsyncDisposableStack();
  const needsFolder = !config.DATABASE_URL || (wanted.store && !config.CLICKHOUSE_URL);
  const held = needsFolder ? await holdFolder(config) : undefined;
  if (held?.folder) opened.defer(() => held.folder?.close());

  const DATABASE_URL = config.DATABASE_URL || (held?.runningUrl ?? '');
  const metadata = await openMetadata({ ...config, DATABASE_URL }, log);
  opened.defer(() => metadata.close());

  const reachable = config.CLICKHOUSE_URL !== '' || held?.folder !== undefined;
  const store = wanted.store && reachable ? await openStore(config, log) : undefined;
  opened.defer(() => store?.close());

  const all = opened.move();
  return { metadata, store, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

type Held = { folder: DataFolder; runningUrl?: undefined } | { folder?: undefined; runningUrl: string };

/** The data folder, or else the way to the PostgreSQL of the program that holds it. */
export async function holdFolder({ TENREC_DATA }: Pick<Config, 'TENREC_DATA'>): Promise<Held> {
  try {
    return { folder: await openDataFolder(TENREC_DATA) };
  } catch (error) {
    const runningUrl = await findRunningPostgres(TENREC_DATA);
    if (runningUrl === undefined) throw error;
    return { runningUrl };
  }
}

/** Commands know the tables of this version only. */
async function requireMigrated({ pool }: Metadata): Promise<void> {
  const pending = (await listMigrations(pool)).filter(({ applied_at }) => applied_at === null);
  if (pending.length > 0) {
    throw new CliError(1, `The tables are older than this program. Restart Tenrec, or run: tenrec migrate`);
  }
}
