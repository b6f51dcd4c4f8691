import { readFile } from 'node:fs/promises';

const TICK_MICROS = 10_000;

/** Processor time that the process has used so far, in user and in kernel mode, with all its threads. */
export async function readCpuMicros(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The command's name may hold spaces and brackets; what follows its last bracket does not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS;
}
