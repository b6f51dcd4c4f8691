// Memory of a process and everything below it, as the kernel counts it.
import { readdir, readFile } from 'node:fs/promises';

export interface ProcessMemory {
  pid: number;
  command: string;
  /** Every page that the process has in memory, shared ones counted in full. */
  rssMb: number;
  /** The same, with a shared page divided among all processes of the machine that share it. */
  pssMb: number;
  /** Pages that are the process's own: heaps, buffers, stacks. The others are the kernel's copies of files it mapped. */
  anonymousMb: number;
}

export async function readMemoryOfTree(root: number): Promise<ProcessMemory[]> {
  const pids = await listTree(root);
  const read = await Promise.all(pids.map((pid) => readMemory(pid).catch(() => undefined)));
  return read.filter((memory) => memory !== undefined);
}

async function listTree(root: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(
    await Promise.all(pids.map(async (pid) => [pid, await readParent(pid).catch(() => 0)] as const)),
  );
  const tree = [root];
  for (const pid of tree) tree.push(...pids.filter((other) => parents.get(other) === pid));
  return tree;
}

async function readParent(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The command's name may hold spaces and brackets; what follows its last bracket does not.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

async function readMemory(pid: number): Promise<ProcessMemory> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  const readMb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) / 1024;
  return { pid, command, rssMb: readMb('Rss'), pssMb: readMb('Pss'), anonymousMb: readMb('Anonymous') };
}
