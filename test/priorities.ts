// How far back the threads of a process stand, as Linux tells it.
import { readdir } from 'node:fs/promises';
import { getPriority } from 'node:os';

export async function listPriorities(process: number | 'self'): Promise<number[]> {
  const threads = await readdir(`/proc/${process}/task`);
  return threads.flatMap((thread) => {
    try {
      return getPriority(Number(thread));
    } catch {
      return []; // It has ended meanwhile.
    }
  });
}
