// PostgreSQL refuses to run as root. This file finds a user under which it runs here, by trying.
import { execFile, type SpawnOptions, spawn } from 'node:child_process';
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../../platform/start-error.ts';
import type { Binaries } from './binaries.ts';

const run = promisify(execFile);

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** A way to run the PostgreSQL programs. */
export interface RunAs {
  /** As people read it in the log. */
  readonly description: string;
  /** What stands before the program on the command line; it becomes the program, so the process id stays the same. */
  readonly prefix: readonly string[];
  /** Set: the program runs as this user, who needs to own what it writes. */
  readonly user: User | undefined;
}

export const spawnAs = (runAs: RunAs, command: readonly string[], options: SpawnOptions) => {
  const [program, ...args] = [...runAs.prefix, ...command];
  return spawn(program!, args, { ...options, ...runAs.user });
};

/** Gives the folder or file, with everything in it, to the user that PostgreSQL runs as. */
export async function giveTo({ user }: RunAs, path: string): Promise<void> {
  if (!user) return;
  const inside = await readdir(path, { recursive: true });
  for (const name of inside) await lchown(join(path, name), user.uid, user.gid);
  await chown(path, user.uid, user.gid);
}

/**
 * Picks the way for this process and this cluster folder (which may not exist yet) below the data folder:
 * - as an ordinary user: as that user;
 * - as root: in a user namespace where root goes by another number, which asks nothing of the folders;
 * - as root where such namespaces are forbidden: as an ordinary user, who is given the cluster folder.
 * A cluster that belongs to an ordinary user already stays that user's.
 */
export async function findRunAs(
  { postgres, env }: Binaries,
  dataFolder: string,
  cluster: string,
  unshare = 'unshare',
): Promise<RunAs> {
  const uid = process.geteuid?.();
  const owner = await stat(cluster).catch(() => undefined);
  const works = (way: RunAs, folder: string) => tryWay(way, folder, postgres, env);

  if (uid !== 0) {
    if (owner && owner.uid !== uid) {
      throw new StartError(
        `${cluster} belongs to user ${owner.uid}, and this program runs as user ${uid}: ` +
          `start it as the same user as before, or give the folder to this one (chown -R ${uid} ${dataFolder}).`,
      );
    }
    // `initdb` wants its user to have a name, which a number picked for a container often lacks.
    const direct: RunAs = { description: `user ${uid}`, prefix: [], user: undefined };
    const way = hasName() ? direct : await namespaceWay(unshare);
    const failure = await works(way, dataFolder);
    if (failure === undefined) return way;
    throw new StartError(`The embedded PostgreSQL cannot run as user ${uid}: ${failure}. ${WAY_OUT}`);
  }

  const failures: string[] = [];
  if (!owner || owner.uid === 0) {
    const way = await namespaceWay(unshare);
    const failure = await works(way, dataFolder);
    if (failure === undefined) return way;
    failures.push(`in ${way.description}: ${failure}`);
  }
  const user = owner && owner.uid !== 0 ? owner : await ordinaryUserNear(dataFolder);
  const way: RunAs = { description: `user ${user.uid}`, prefix: [], user: { uid: user.uid, gid: user.gid } };
  const failure = await works(way, dirname(dataFolder));
  if (failure !== undefined) {
    failures.push(`as ${way.description}: ${failure}`);
    throw new StartError(
      `PostgreSQL refuses to run as root, and no other way works here (${failures.join('; ')}). ${WAY_OUT}`,
    );
  }
  await letThrough(dataFolder, user);
  if (owner && owner.uid !== user.uid) await giveTo(way, cluster);
  return way;
}

const WAY_OUT =
  'Start Tenrec as an ordinary user, put TENREC_DATA where an ordinary user can reach it, or set DATABASE_URL.';

/** Undefined when the server program starts this way with the folder as its own; otherwise what was said instead. */
async function tryWay(
  { prefix, user }: RunAs,
  folder: string,
  postgres: string,
  env: Binaries['env'],
): Promise<string | undefined> {
  const [program, ...args] = [...prefix, '/bin/sh', '-c', 'cd "$1" && exec "$2" --version', 'sh', folder, postgres];
  try {
    await run(program!, args, { ...user, env, cwd: '/', timeout: 10_000 });
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return (stderr?.trim() || message).split('\n').at(-1)!;
  }
}

/** In the namespace our user goes by the number of `nobody`: any that is not root and has a name would do. */
async function namespaceWay(unshare: string): Promise<RunAs> {
  const { uid, gid } = await findNobody();
  return {
    description: 'a user namespace',
    prefix: [unshare, '--user', `--map-user=${uid}`, `--map-group=${gid}`],
    user: undefined,
  };
}

async function findNobody(): Promise<User> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : { uid: 65_534, gid: 65_534 };
}

/** Whoever owns the nearest folder above that is not root's can reach it; where all are root's, `nobody`. */
async function ordinaryUserNear(folder: string): Promise<User> {
  const { uid, gid } = await stat(folder);
  if (uid !== 0) return { uid, gid };
  return dirname(folder) === folder ? findNobody() : ordinaryUserNear(dirname(folder));
}

/** The user may pass through the data folder to the cluster, but not list it. */
async function letThrough(dataFolder: string, { uid, gid }: User): Promise<void> {
  const { uid: ownerUid, mode } = await stat(dataFolder);
  if (ownerUid === uid || (mode & 0o001) !== 0) return;
  await chown(dataFolder, ownerUid, gid);
  await chmod(dataFolder, (mode & 0o7777) | 0o010);
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}
