// Where the server's unix socket lies, and how a client finds it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { StartError } from '../../platform/start-error.ts';
import { DATABASE, ROLE } from './cluster.ts';
import { giveTo, type RunAs } from './run-as.ts';

export const PORT = 5432;
const SOCKET_NAME = `.s.PGSQL.${PORT}`;
/** The operating system keeps the path in a field of 108 bytes (Linux) or 104 (macOS), closing zero included. */
const SOCKET_PATH_BYTES_MAX = 103;
const SHORT_FOLDER_PREFIX = 'tenrec-socket-';

export const urlOfSocket = (socketFolder: string) =>
  `postgres://${ROLE}@localhost:${PORT}/${DATABASE}?host=${encodeURIComponent(socketFolder)}`;

/**
 * The cluster folder itself, which only PostgreSQL's user may enter; when its path is too long for a socket, a private
 * folder with a short one. That is the only thing ever written outside the data folder.
 */
export async function openSocketFolder(cluster: string, runAs: RunAs): Promise<string> {
  if (fits(cluster)) return cluster;
  const parent = [tmpdir(), '/tmp'].find((folder) => fits(join(folder, `${SHORT_FOLDER_PREFIX}XXXXXX`)));
  if (!parent) {
    throw new StartError(
      `TENREC_DATA: ${cluster} is too long a path for a unix socket, and so is ${tmpdir()}: shorten either.`,
    );
  }
  const path = await mkdtemp(join(parent, SHORT_FOLDER_PREFIX));
  await giveTo(runAs, path);
  return path;
}

/** Removes a short one; a cluster folder stays. */
export async function removeSocketFolder(path: string): Promise<void> {
  if (basename(path).startsWith(SHORT_FOLDER_PREFIX)) await rm(path, { recursive: true, force: true });
}

const fits = (folder: string) => Buffer.byteLength(join(folder, SOCKET_NAME)) <= SOCKET_PATH_BYTES_MAX;
