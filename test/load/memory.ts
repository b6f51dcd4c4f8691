import { readFileSync } from 'node:fs';

/** Memory of a process that is its own: without files that it has mapped, which the kernel takes back when it must. */
export function readOwnMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)![1]) / 1024;
}

export interface MemoryWatch {
  /** The most that was seen, in MB. */
  stop(): number;
}

export function watchOwnMemory(pid: number): MemoryWatch {
  let most = readOwnMb(pid);
  const timer = setInterval(() => {
    most = Math.max(most, readOwnMb(pid));
  }, 50);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}
