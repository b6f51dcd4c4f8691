// The data folder: can this user write it, can others read it, is there room?
import type { Stats } from 'node:fs';
import { mkdtemp, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Check, type Finding, ok, problem, warning } from './check.ts';

export const folderCheck = (path: string, uid = process.getuid?.()): Check => ({
  name: 'data folder',
  async look() {
    const stats = await stat(path).catch(noneIfMissing);
    if (!stats) return lookAtParent(path);
    if (!stats.isDirectory()) return problem(`${path} is a file`, 'Set TENREC_DATA to a folder.');
    return (await lookAtOwner(path, stats, uid)) ?? lookAtOthers(path, stats);
  },
});

/** A folder that is missing is made by the first start, if it can be. */
async function lookAtParent(path: string): Promise<Finding> {
  const parent = await nearestFolder(dirname(path));
  if (await mayWrite(parent)) return ok(`${path} does not exist yet; the first start makes it`);
  return problem(
    `${path} does not exist, and this user may not make it`,
    `Give this user write access to ${parent}, or set TENREC_DATA to another folder.`,
  );
}

async function lookAtOwner(path: string, stats: Stats, uid: number | undefined): Promise<Finding | undefined> {
  if (!(await mayWrite(path))) {
    return problem(
      `${path} cannot be written by this user`,
      `Run: chown -R "$(id -u)" ${path}; or set TENREC_DATA to another folder.`,
    );
  }
  if (uid === undefined || stats.uid === uid) return undefined;
  return warning(
    `${path} belongs to user ${stats.uid}, and this is user ${uid}`,
    `Run Tenrec as user ${stats.uid}, or hand the folder over: chown -R ${uid} ${path}`,
  );
}

function lookAtOthers(path: string, { mode }: Stats): Finding {
  if ((mode & 0o077) === 0) return ok(path);
  return warning(`${path} is open to other users`, `Keys and events lie there. Run: chmod 700 ${path}`);
}

const FREE_BYTES_MIN = 1024 ** 3;

export const diskCheck = (path: string, freeBytesMin = FREE_BYTES_MIN): Check => ({
  name: 'disk',
  async look() {
    const { bavail, bsize } = await statfs(await nearestFolder(path));
    const free = bavail * bsize;
    const shown = `${(free / 1024 ** 3).toFixed(1)} GB free`;
    if (free >= freeBytesMin) return ok(shown);
    return problem(
      shown,
      `Free at least ${freeBytesMin / 1024 ** 3} GB, or set TENREC_DATA to a folder on another disk.`,
    );
  },
});

/** The folder itself, or the first one above it that exists. */
async function nearestFolder(path: string): Promise<string> {
  return (await stat(path).catch(noneIfMissing)) ? path : nearestFolder(dirname(path));
}

/** Found out by doing it: permissions alone do not tell of quotas, read-only disks and access lists. */
async function mayWrite(path: string): Promise<boolean> {
  try {
    await rmdir(await mkdtemp(join(path, '.doctor-')));
    return true;
  } catch {
    return false;
  }
}

function noneIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
