// The folder that holds everything the program writes, and the lock that keeps a second program out of it.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './start-error.ts';

export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  /** Lets the next program in. The folder stays. */
  close(): Promise<void>;
}

const SQLITE_BUSY = 5;

/** Makes the folder when it is missing and holds it alone until `close` or the end of the process, however it ends. */
export async function openDataFolder(given: string): Promise<DataFolder> {
  const path = resolve(given);
  // Keys and events lie here, so a folder that we make is for its owner alone; one that exists keeps its permissions.
  await explain(path, () => mkdir(path, { recursive: true, mode: 0o700 }));
  await explain(path, () => makeEmptyFile(join(path, 'lock')));
  const pidFile = join(path, 'lock.pid');
  const lock = await takeLock(path, pidFile);
  try {
    await explain(path, () => writeFile(pidFile, `${process.pid}\n`));
  } catch (error) {
    lock.close();
    throw error;
  }
  return {
    path,
    async close() {
      await rm(pidFile, { force: true });
      lock.close();
    },
  };
}

/**
 * The lock is SQLite's on an empty database: the operating system holds it and lets go when the process dies, even by
 * `kill -9`; it also holds between containers that share a volume, where a file with a process id says nothing.
 */
async function takeLock(path: string, pidFile: string): Promise<DatabaseSync> {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(path, 'lock'), { timeout: 0 });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) {
      throw new StartError(`TENREC_DATA: ${path} cannot be locked: ${(error as Error).message}.`, { cause: error });
    }
    const pid = await readFile(pidFile, 'utf8').catch(() => '');
    const holder = pid.trim() === '' ? 'Another Tenrec' : `Another Tenrec (process ${pid.trim()})`;
    throw new StartError(
      `TENREC_DATA: ${holder} is using ${path}. Stop it, or give this one a folder of its own in TENREC_DATA.`,
    );
  }
}

/** SQLite would make the file too, but would not say why it could not. An existing one is not opened: closing it again
 * would let go of a lock that this very process holds. */
async function makeEmptyFile(path: string): Promise<void> {
  await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

const reasons: Record<string, string> = {
  EACCES: 'this user may not write there. Give it to this user, or name another folder',
  EPERM: 'this user may not write there. Give it to this user, or name another folder',
  EEXIST: 'it is a file. Name a folder',
  ENOTDIR: 'part of the path is a file. Name a folder',
  ENOENT: 'it is a link that leads nowhere. Name a folder',
  ELOOP: 'it is a link that leads in circles. Name a folder',
  EROFS: 'it is on a read-only file system. Name a folder that can be written',
  ENOSPC: 'the disk is full. Free some space, or name a folder on another disk',
  EDQUOT: 'the disk quota is used up. Free some space, or name a folder on another disk',
  ENAMETOOLONG: 'the path is too long. Name a shorter one',
};

async function explain<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new StartError(`TENREC_DATA: ${path} cannot be used: ${reasons[code] ?? message}.`, { cause: error });
  }
}
