// A thread that runs a module, and takes what was compiled before from where this process does.
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';

const ENTRY = new URL('thread-entry.js', import.meta.url);

export function openThread(module: URL): Worker {
  return new Worker(ENTRY, { workerData: { module: module.href, compiled: compiledFolder() } });
}

/** For `NODE_COMPILE_CACHE` and its like; undefined where this process keeps nothing. */
export function compiledFolder(): string | undefined {
  const versioned = getCompileCacheDir();
  return versioned && dirname(versioned);
}
