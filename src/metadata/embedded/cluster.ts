// The folder with PostgreSQL's files: made on the first start, checked on the others.
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Logger } from '../../platform/logger.ts';
import { StartError } from '../../platform/start-error.ts';
import type { Binaries } from './binaries.ts';
import { guard } from './guardian.ts';
import { giveTo, type RunAs, spawnAs } from './run-as.ts';

/** An ordinary role, as a hosted PostgreSQL would give us, so that nothing comes to rely on more. */
export const ROLE = 'tenrec';
/** The database that every cluster has; ours, so there is no reason for another. */
export const DATABASE = 'postgres';

const MAJOR_VERSION = '18';

/**
 * Whoever reaches the socket may also read the files, so a password, which would lie beside them, would add nothing.
 * Only our role is let in: the superuser could run programs, and the program never needs it.
 */
const ACCESS = `# Written by Tenrec. TYPE DATABASE USER METHOD\nlocal all ${ROLE} trust\n`;

const firstStatements = [
  `create role ${ROLE} login createdb`,
  `alter database ${DATABASE} owner to ${ROLE}`,
  // The client is told of its mistakes, and logs them with more sense than the server could.
  `alter role ${ROLE} set log_min_messages = 'fatal'`,
];

/** A folder that is being made goes by another name until it is whole, so a start that was cut short leaves no cluster. */
const unfinishedPrefix = (cluster: string) => `${basename(cluster)}.unfinished-`;

/** Resolves once the folder holds a whole cluster of our version. Never touches one that exists. */
export async function openCluster(cluster: string, binaries: Binaries, runAs: RunAs, log: Logger): Promise<void> {
  await removeUnfinished(cluster);
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    await refuseForeign(cluster);
    log.info('Creating the files of PostgreSQL, once');
    await createCluster(cluster, binaries, runAs);
  } else if (version.trim() !== MAJOR_VERSION) {
    throw new StartError(
      `${cluster} was written by PostgreSQL ${version.trim()}, and this Tenrec contains PostgreSQL ${MAJOR_VERSION}: ` +
        'start it with the version of Tenrec that wrote it, or set TENREC_DATA to another folder.',
    );
  }
}

async function removeUnfinished(cluster: string): Promise<void> {
  const names = await readdir(dirname(cluster));
  for (const name of names.filter((each) => each.startsWith(unfinishedPrefix(cluster)))) {
    await rm(join(dirname(cluster), name), { recursive: true, force: true });
  }
}

async function refuseForeign(cluster: string): Promise<void> {
  const inside = await readdir(cluster).catch(() => []);
  if (inside.length > 0) {
    throw new StartError(`${cluster} holds files that are not PostgreSQL's (no PG_VERSION): move them elsewhere.`);
  }
}

async function createCluster(cluster: string, binaries: Binaries, runAs: RunAs): Promise<void> {
  const unfinished = join(dirname(cluster), `${unfinishedPrefix(cluster)}${process.pid}`);
  await mkdir(unfinished, { mode: 0o700 });
  await giveTo(runAs, unfinished);
  try {
    await runProgram(binaries, runAs, [
      binaries.initdb,
      `--pgdata=${unfinished}`,
      '--username=postgres',
      '--encoding=UTF8',
      // Sorts by code point and is the same on every machine, whatever its C library knows.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--data-checksums',
      '--auth=reject',
      '--no-instructions',
    ]);
    const single = [binaries.postgres, '--single', '-D', unfinished, '-c', 'log_checkpoints=off', DATABASE];
    await runProgram(binaries, runAs, single, firstStatements.map((statement) => `${statement}\n`).join(''));
    await writeFile(join(unfinished, 'pg_hba.conf'), ACCESS);
    // Only now may the folder have its name, and the name must last before anything in it is promised to anybody.
    await rename(unfinished, cluster);
    await syncFolder(dirname(cluster));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** The text goes to its standard input; a failure carries what it said. */
async function runProgram({ env }: Binaries, runAs: RunAs, command: string[], input = ''): Promise<void> {
  const child = spawnAs(runAs, command, { env, cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  guard(child);
  child.stdin!.on('error', () => {});
  child.stdin!.end(input);
  const [[code, signal], , said] = await Promise.all([once(child, 'close'), text(child.stdout!), text(child.stderr!)]);
  // A statement that fails in single-user mode is told, but does not fail the program.
  if (code === 0 && !/^(ERROR|FATAL|PANIC):/m.test(said)) return;
  const how = signal ? `was killed by ${signal}` : `exited with code ${code}`;
  throw new StartError(`${basename(command[0]!)} ${how}: ${said.trim().split('\n').join(' ')}`);
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
