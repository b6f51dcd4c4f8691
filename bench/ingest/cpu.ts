import { readFile } from 'node:fs/promises';

const TICK_MICROS = 10_000;

/** Processor time that the process has used so far, in user and in kernel mode, with all its threads. */
export const readCpuMicros = (pid: number): Promise<number> => readStat(`/proc/${pid}/stat`);

/** The same of the thread that it began with alone: in Node, the one that runs the event loop. */
export const readMainThreadMicros = (pid: number): Promise<number> => readStat(`/proc/${pid}/task/${pid}/stat`);

async function readStat(path: string): Promise<number> {
  const stat = await readFile(path, 'utf8');
  // The command's name may hold spaces and brackets; what follows its last bracket does not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS;
}
