// The server that runs on a cluster, by the file it keeps there.
import { execFile } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { urlOfSocket } from './socket-folder.ts';

const run = promisify(execFile);

export interface RecordedServer {
  readonly pid: number;
  readonly socketFolder: string;
  /** Whether a process of that number lives, and whether it is a server on this cluster. */
  readonly state: 'running' | 'gone' | 'another process';
}

/** The way to the PostgreSQL of the program that holds the data folder; undefined when there is none. */
export async function findRunningPostgres(dataFolder: string): Promise<string | undefined> {
  const server = await readRecordedServer(join(dataFolder, 'postgres'));
  return server?.state === 'running' && server.socketFolder !== '' ? urlOfSocket(server.socketFolder) : undefined;
}

export async function readRecordedServer(cluster: string): Promise<RecordedServer | undefined> {
  const text = await readFile(pidFileOf(cluster), 'utf8').catch(() => '');
  // Process id, data folder, start time, port, socket folder, …: one a line.
  const [pidLine = '', , , , socketFolder = ''] = text.split('\n');
  if (pidLine === '') return undefined;
  const pid = Number(pidLine);
  const state = !isAlive(pid) ? 'gone' : (await servesCluster(pid, cluster)) ? 'running' : 'another process';
  return { pid, socketFolder, state };
}

export const pidFileOf = (cluster: string) => join(cluster, 'postmaster.pid');

export function isAlive(pid: number): boolean {
  try {
    return Number.isInteger(pid) && pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A server's working folder is its cluster. */
async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') {
    return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === (await realpath(cluster));
  }
  const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes(cluster) && stdout.includes('postgres');
}
